/** What everything that remembers uses of keys has to do, whatever it is built on. */
import type { KeyUses } from '@pricebook/application';
import { expect } from 'chai';
import { succeed } from './either';

export interface KeyUsesUnderTest {
  readonly keyUses: KeyUses;
  /** Closes it and opens what it kept; absent where nothing outlives the process. */
  readonly restart?: () => Promise<KeyUses>;
  /** Closes it and removes what it kept. */
  readonly dispose: () => Promise<void>;
}

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 12, minute)).toISOString();

export const describeKeyUses = (name: string, create: () => Promise<KeyUsesUnderTest>): void => {
  describe(`uses of keys: ${name}`, () => {
    let underTest: KeyUsesUnderTest;
    let keyUses: KeyUses;
    beforeEach(async () => {
      underTest = await create();
      ({ keyUses } = underTest);
    });
    afterEach(() => underTest.dispose());

    const record = (uses: Readonly<Record<string, string>>) =>
      succeed(keyUses.record(new Map(Object.entries(uses))));
    const all = async (from = keyUses) => Object.fromEntries(await succeed(from.readAll));

    it('are none at first', async () => {
      expect(await all()).to.deep.equal({});
      await record({});
      expect(await all()).to.deep.equal({});
    });

    it('are remembered by key, the last one of each', async () => {
      await record({ aaaaaaaa: at(1), bbbbbbbb: at(2) });
      await record({ bbbbbbbb: at(3), cccccccc: at(1) });
      expect(await all()).to.deep.equal({ aaaaaaaa: at(1), bbbbbbbb: at(3), cccccccc: at(1) });
    });

    it('never go back, whoever comes late', async () => {
      await record({ aaaaaaaa: at(5) });
      await record({ aaaaaaaa: at(4), bbbbbbbb: at(4) });
      expect(await all()).to.deep.equal({ aaaaaaaa: at(5), bbbbbbbb: at(4) });
    });

    it('are all remembered where some are recorded at the same time', async () => {
      const ids = Array.from({ length: 20 }, (_, n) => `key${String(n).padStart(5, '0')}`);
      await Promise.all(ids.map((id, n) => record({ [id]: at(n) })));
      expect(await all()).to.deep.equal(Object.fromEntries(ids.map((id, n) => [id, at(n)])));
    });

    it('are remembered many at a time, also of keys that differ in case alone', async () => {
      const many = Object.fromEntries(
        Array.from({ length: 1_200 }, (_, n) => [`${n % 2 === 0 ? 'k' : 'K'}${String(n >> 1)}`, at(n % 60)]),
      );
      await record(many);
      expect(await all()).to.deep.equal(many);
    }).timeout(20_000);

    it('outlive a restart', async () => {
      await record({ aaaaaaaa: at(1) });
      const reopened = underTest.restart === undefined ? keyUses : await underTest.restart();
      await succeed(reopened.record(new Map([['bbbbbbbb', at(2)]])));
      expect(await all(reopened)).to.deep.equal({ aaaaaaaa: at(1), bbbbbbbb: at(2) });
    });
  });
};
