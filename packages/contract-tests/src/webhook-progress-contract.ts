/** What everything that remembers the progress of webhooks has to do, whatever it is built on. */
import { setTimeout as delay } from 'node:timers/promises';
import type { DeadLetter, WebhookProgress, WebhookProgressStore } from '@pricebook/application';
import type { PriceBookId } from '@pricebook/domain';
import { expect } from 'chai';
import { succeed } from './either';

export interface WebhookProgressUnderTest {
  readonly store: WebhookProgressStore;
  /** Closes it and opens what it kept; absent where nothing outlives the process. */
  readonly restart?: () => Promise<WebhookProgressStore>;
  /** Closes it and removes what it kept. */
  readonly dispose: () => Promise<void>;
}

const LONG_MS = 60_000;
const AT = '2026-01-01T12:00:00.000Z';

const placeOf = (revision: number) => ({
  stream: 'priceBook-01890000-0000-7000-8000-000000000001',
  revision,
  eventId: `6c1f0d0e-7d0c-5f6e-8f0a-${String(revision).padStart(12, '0')}`,
});

const whole: WebhookProgress = {
  place: placeOf(7),
  lastDeliveredAt: AT,
  failing: {
    webhookRevision: 4,
    since: AT,
    lastFailure: { at: AT, reason: 'the answer is not 2xx', status: 500 },
    retry: { place: placeOf(8), attempts: 3, nextAttemptAt: AT },
  },
};

const letterOf = (id: string): DeadLetter => ({
  id,
  place: placeOf(3),
  type: 'PriceBookCreated',
  priceBookId: '01890000-0000-7000-8000-000000000001' as PriceBookId,
  attempts: 11,
  buriedAt: AT,
  lastFailure: { at: AT, reason: 'no answer within 15 s' },
});

export const describeWebhookProgress = (
  name: string,
  create: () => Promise<WebhookProgressUnderTest>,
): void => {
  describe(`progress of webhooks: ${name}`, () => {
    let underTest: WebhookProgressUnderTest;
    let store: WebhookProgressStore;
    beforeEach(async () => {
      underTest = await create();
      ({ store } = underTest);
    });
    afterEach(() => underTest.dispose());

    const claim = async (owner = 'one', ms = LONG_MS): Promise<number> => {
      const token = await succeed(store.claim(owner, ms));
      if (token === undefined) throw new Error('another process has the right to deliver');
      return token;
    };
    const idsOf = async (webhookId: string, after?: string, limit = 100) =>
      (await succeed(store.deadLetters(webhookId, after, limit))).map(({ id }) => id);

    it('gives the right to deliver to one at a time, who may hold on to it', async () => {
      const token = await claim();
      expect(await succeed(store.claim('other', LONG_MS))).to.equal(undefined);
      expect(await claim()).to.equal(token);
    });

    it('gives it to another when it was given up, or its time is over, with a greater number', async () => {
      const first = await claim();
      await succeed(store.release('other'));
      expect(await succeed(store.claim('other', LONG_MS))).to.equal(undefined);
      await succeed(store.release('one'));
      const second = await claim('other', 1);
      expect(second).to.be.above(first);
      await delay(20);
      expect(await claim('third')).to.be.above(second);
    });

    it('gives it to one of many who ask at the same time', async () => {
      const owners = Array.from({ length: 10 }, (_, n) => `owner ${String(n)}`);
      const tokens = await Promise.all(owners.map((owner) => succeed(store.claim(owner, LONG_MS))));
      expect(tokens.filter((token) => token !== undefined)).to.have.length(1);
    });

    it('remembers the progress of each webhook', async () => {
      const token = await claim();
      expect(await succeed(store.read('a'))).to.equal(undefined);
      expect(await succeed(store.save('a', { place: placeOf(1) }, token))).to.equal(true);
      expect(await succeed(store.save('b', whole, token))).to.equal(true);
      expect(await succeed(store.read('a'))).to.deep.equal({ place: placeOf(1) });
      expect(await succeed(store.read('b'))).to.deep.equal(whole);
      expect(await succeed(store.save('b', { place: placeOf(9) }, token))).to.equal(true);
      expect(await succeed(store.read('b'))).to.deep.equal({ place: placeOf(9) });
    });

    it('keeps nothing of a process whose claim is over once another has saved', async () => {
      const old = await claim('one', 1);
      await succeed(store.save('a', { place: placeOf(1) }, old));
      await delay(20);
      const token = await claim('other');
      expect(await succeed(store.save('a', { place: placeOf(5) }, token))).to.equal(true);
      expect(await succeed(store.save('a', { place: placeOf(2) }, old))).to.equal(false);
      expect(await succeed(store.read('a'))).to.deep.equal({ place: placeOf(5) });
    });

    it('keeps dead letters by webhook and id, until they are removed', async () => {
      for (const id of ['c', 'a', 'b']) await succeed(store.bury('one', letterOf(id)));
      await succeed(store.bury('other', letterOf('a')));
      expect(await idsOf('one')).to.deep.equal(['a', 'b', 'c']);
      expect(await idsOf('one', undefined, 2)).to.deep.equal(['a', 'b']);
      expect(await idsOf('one', 'b', 2)).to.deep.equal(['c']);
      expect(await succeed(store.deadLetter('one', 'b'))).to.deep.equal(letterOf('b'));
      expect(await succeed(store.deadLetter('other', 'b'))).to.equal(undefined);
      await succeed(store.bury('one', { ...letterOf('b'), attempts: 12 }));
      expect(await succeed(store.deadLetter('one', 'b'))).to.have.property('attempts', 12);
      await succeed(store.removeDeadLetter('one', 'a'));
      await succeed(store.removeDeadLetter('one', 'a'));
      expect(await idsOf('one')).to.deep.equal(['b', 'c']);
      expect(await idsOf('other')).to.deep.equal(['a']);
      expect(await idsOf('unknown')).to.deep.equal([]);
    });

    it('forgets a webhook, and no other', async () => {
      const token = await claim();
      for (const id of ['a', 'b']) {
        await succeed(store.save(id, { place: placeOf(1) }, token));
        await succeed(store.bury(id, letterOf('x')));
      }
      await succeed(store.forget('a'));
      expect(await succeed(store.read('a'))).to.equal(undefined);
      expect(await idsOf('a')).to.deep.equal([]);
      expect(await succeed(store.read('b'))).to.deep.equal({ place: placeOf(1) });
      expect(await idsOf('b')).to.deep.equal(['x']);
    });

    it('outlives a restart', async () => {
      await succeed(store.save('a', whole, await claim()));
      await succeed(store.bury('a', letterOf('x')));
      await succeed(store.release('one'));
      if (underTest.restart !== undefined) store = await underTest.restart();
      expect(await succeed(store.read('a'))).to.deep.equal(whole);
      expect(await idsOf('a')).to.deep.equal(['x']);
      expect(await succeed(store.save('a', { place: placeOf(9) }, await claim('next')))).to.equal(true);
    });
  });
};
