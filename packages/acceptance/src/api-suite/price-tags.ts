/** Single prices for caches: each has a tag that changes exactly when the answer does. */
import { expect } from 'chai';
import type { Answer, TestService } from '../testing/test-service';
import { createBook, expectStatus, getPrice, nothing, override, percent, setPrices, usd } from './kit';

const HOUR_MS = 60 * 60_000;

export const describePriceTags = (api: () => Pick<TestService, 'url' | 'request' | 'setAhead'>): void => {
  describe('the tag of a price', () => {
    let root: string;
    let derived: string;
    /** Of each address, every tag that was seen and the answer with it. */
    const seen = new Map<string, Map<string, string>>();

    /** Asks for all prices; gives back the addresses whose tag has changed since the last time. */
    const look = async (): Promise<readonly string[]> => {
      const changed: string[] = [];
      for (const book of [root, derived]) {
        for (const question of ['P', 'Q', 'P?quantity=10', 'P?explain=true']) {
          const [product = '', query] = question.split('?');
          const answer = await getPrice(api, book, product, query === undefined ? '' : `?${query}`);
          if (answer.status === 404) continue;
          const tag = expectStatus(answer, 200).headers.get('etag') ?? '';
          const body = JSON.stringify(answer.body);
          const name = `${book === root ? 'root' : 'derived'} ${question}`;
          const tags = seen.get(name) ?? new Map<string, string>();
          seen.set(name, tags);
          const bodies = [...tags.values()];
          expect(tags.get(tag) ?? body, `${name}: the same tag, so the same answer`).to.equal(body);
          expect(tags.has(tag), `${name}: the same answer, so the same tag`).to.equal(bodies.includes(body));
          if ([...tags.keys()].at(-1) !== tag) changed.push(name);
          tags.delete(tag);
          tags.set(tag, body);
        }
      }
      return changed;
    };

    before(async () => {
      root = await createBook(api);
      derived = await createBook(api, { basePriceBookId: root });
      await setPrices(api, root, [usd('P', override(100)), usd('Q', override(1))]);
    });

    it('changes with what the price is made of, in the book and in its bases, and with nothing else', async () => {
      const ofP = ['P', 'P?quantity=10', 'P?explain=true'];
      const inBoth = (questions: readonly string[]) =>
        ['root', 'derived'].flatMap((book) => questions.map((question) => `${book} ${question}`));
      expect(await look()).to.have.length(8);
      expect(await look()).to.deep.equal([]);
      await setPrices(api, root, [usd('other', override(1))]);
      expect(await look()).to.deep.equal([]);
      await api().request('PATCH', `/v1/pricebooks/${root}`, { json: { name: 'Renamed' } });
      expect(await look()).to.deep.equal([]);
      await setPrices(api, root, [usd('P', override(90))]);
      expect(await look()).to.have.members(inBoth(ofP));
      await setPrices(api, derived, { productId: 'all', adjustments: { USD: percent(10) } });
      expect(await look()).to.have.members(
        ['P', 'Q', 'P?quantity=10', 'P?explain=true'].map((q) => `derived ${q}`),
      );
      // The price is the same again, but it was set later, as effectiveDate says.
      await setPrices(api, root, [usd('P', override(90))]);
      expect(await look()).to.have.members(inBoth(ofP));
      const tiers = [
        { firstUnit: 1, lastUnit: 9, unitPrice: 90 },
        { firstUnit: 10, unitPrice: 80 },
      ];
      await setPrices(api, root, [usd('P', { type: 'volume', tiers })]);
      expect(await look()).to.have.members(inBoth(ofP));
      await setPrices(api, root, [usd('P', nothing)]);
      expect(await look()).to.deep.equal([]);
    });

    it('changes when what is dated begins and ends, without any event', async () => {
      const at = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
      const sale = { ...override(60), validFrom: at(1), validUntil: at(3) };
      await setPrices(api, root, [usd('P', [override(100), sale])]);
      await look();
      expect(await look()).to.deep.equal([]);
      try {
        for (const hours of [2, 4]) {
          api().setAhead(hours * HOUR_MS);
          expect(await look(), `${String(hours)} h later`).to.include.members(['root P', 'derived P']);
        }
      } finally {
        api().setAhead(0);
      }
    });

    it('is answered 304, is not to be stored by default, and is no condition for a write', async () => {
      const ask = (tag: string, query = ''): Promise<Answer> =>
        api().request('GET', `/v1/pricebooks/${root}/Q/USD${query}`, { headers: { 'if-none-match': tag } });
      for (const query of ['', '?explain=true', `?at=${new Date().toISOString()}`]) {
        const answer = await getPrice(api, root, 'Q', query);
        const tag = answer.headers.get('etag') ?? '';
        expect(answer.headers.get('cache-control')).to.equal('no-store');
        for (const named of [tag, `W/${tag}`, `"1", ${tag}`]) {
          expect(expectStatus(await ask(named, query), 304).headers.get('etag')).to.equal(tag);
        }
        expectStatus(await ask('"1"', query), 200);
        const write = await api().request('PUT', `/v1/pricebooks/${root}/prices`, {
          json: [],
          headers: { 'if-match': tag },
        });
        expectStatus(write, 412);
      }
    });
  });
};
