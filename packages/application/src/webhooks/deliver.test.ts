import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { createFollowFeed } from '../following/follow-feed';
import { createStreamNews } from '../following/stream-news';
import { createInMemoryEventStore } from '../in-memory/event-store';
import { createInMemoryWebhookProgress } from '../in-memory/webhook-progress';
import type { SendOutcome } from '../ports/webhook-sender';
import { messageIdOf } from './attempt';
import { DELAYS_MS, PAUSE_AFTER_MS } from './backoff';
import type { DeliveryNews } from './deliver';
import type { Webhook } from './state';
import { appendEvents, BOOK, startDelivering, webhookOf } from './testing/delivering';

const START = Date.parse('2026-11-22T00:00:00.000Z');
const OK: SendOutcome = { _tag: 'Answered', status: 204 };

describe('deliveries', () => {
  const begin = async (events: number) => {
    const eventStore = createInMemoryEventStore();
    const ids = await appendEvents(eventStore, events);
    const store = createInMemoryWebhookProgress();
    const followFeed = createFollowFeed(eventStore, () => Promise.resolve(), createStreamNews(eventStore));
    let now = START;
    const news: DeliveryNews[] = [];
    const sent: { readonly id: string; readonly afterMs: number }[] = [];
    /** Delivers until the receiver has had enough, or the deliveries end by themselves. */
    const run = async (
      answer: (id: string, n: number) => SendOutcome,
      isEnough: () => boolean | Promise<boolean>,
      webhook: Webhook = webhookOf(),
    ) => {
      const delivering = startDelivering({
        webhook,
        followFeed,
        store,
        post: (id) => {
          sent.push({ id, afterMs: now - START });
          return Promise.resolve(answer(id, sent.length));
        },
        clock: {
          now: () => new Date(now).toISOString(),
          wait: (ms) => {
            now += ms;
            return setImmediate();
          },
        },
        onNews: (one) => news.push(one),
      });
      for (let n = 0; n < 10_000 && !delivering.hasEnded() && !(await isEnough()); n += 1) {
        await setImmediate();
      }
      delivering.abort();
      return delivering.ended;
    };
    const progress = async () => {
      const found = await store.read(webhookOf().id)();
      return E.isRight(found) ? found.right : undefined;
    };
    const placeKept = async () => (await progress())?.place.eventId;
    const letters = async () => {
      const found = await store.deadLetters(webhookOf().id, undefined, 100)();
      return E.isRight(found) ? found.right : [];
    };
    const messageIds = ids.map((id) => messageIdOf(webhookOf(), id));
    return { ids, messageIds, run, news, sent, progress, placeKept, letters };
  };

  it('try again later and later, for about a day, and then go on with the next message', async () => {
    const { messageIds, run, sent, letters, placeKept, ids } = await begin(2);
    const [first = '', second = ''] = messageIds;
    await run(
      (id) => (id === first ? { _tag: 'Answered', status: 500 } : OK),
      async () => (await placeKept()) === ids[1],
    );
    expect(sent.map(({ id }) => id)).to.deep.equal([
      ...Array.from({ length: DELAYS_MS.length + 1 }, () => first),
      second,
    ]);
    const times = sent.slice(0, -1).map(({ afterMs }) => afterMs);
    expect(times).to.deep.equal([
      0,
      ...DELAYS_MS.map((_, n) => DELAYS_MS.slice(0, n + 1).reduce((sum, ms) => sum + ms, 0)),
    ]);
    expect((times.at(-1) ?? 0) / 3_600_000).to.be.within(20, 28);
    const [letter, ...others] = await letters();
    expect(others).to.deep.equal([]);
    expect(letter).to.include({ id: first, attempts: 11, type: 'PriceBookUpdated', priceBookId: BOOK });
    expect(letter?.lastFailure).to.include({ status: 500 });
  });

  it('wait as long after a restart as they had to before', async () => {
    const { run, sent, placeKept, ids } = await begin(1);
    const failTwice = (_id: string, n: number): SendOutcome =>
      n < 4 ? { _tag: 'Failed', reason: 'no answer' } : OK;
    await run(failTwice, () => sent.length === 2);
    await run(failTwice, async () => (await placeKept()) === ids[0]);
    const [a, b, c] = DELAYS_MS as readonly [number, number, number];
    expect(sent.map(({ afterMs }) => afterMs)).to.deep.equal([0, a, a + b, a + b + c]);
  });

  it('forget failures with a success, and with a change of the webhook', async () => {
    const { run, sent, progress, placeKept, ids } = await begin(1);
    const fail = (): SendOutcome => ({ _tag: 'Answered', status: 503 });
    await run(fail, () => sent.length === 3);
    expect((await progress())?.failing?.retry).to.include({ attempts: 3 });
    const changed = webhookOf({ revision: 4 });
    await run(fail, () => sent.length === 4, changed);
    expect((await progress())?.failing?.retry).to.include({ attempts: 1 });
    await run(
      () => OK,
      async () => (await placeKept()) === ids[0],
      changed,
    );
    expect(await progress()).to.have.all.keys('place', 'lastDeliveredAt');
  });

  it('pause the webhook when it is gone, and when nothing was delivered for days', async () => {
    const gone = await begin(1);
    await gone.run(
      () => ({ _tag: 'Answered', status: 410 }),
      () => false,
    );
    expect(gone.sent).to.have.length(1);
    expect(gone.news.at(-1)).to.deep.equal({ _tag: 'Paused', reason: 'gone' });

    const failing = await begin(10);
    await failing.run(
      () => ({ _tag: 'Failed', reason: 'no answer' }),
      () => false,
    );
    expect(failing.news.at(-1)).to.deep.equal({ _tag: 'Paused', reason: 'failing' });
    expect(failing.sent.at(-1)?.afterMs).to.be.within(PAUSE_AFTER_MS, PAUSE_AFTER_MS + 9 * 3_600_000);
    // Nothing is lost by that: the rest is sent when it goes on.
    expect(await failing.letters()).to.have.length.within(2, 4);
  });

  it('leave out what is not asked for', async () => {
    const { run, sent, messageIds } = await begin(2);
    const other = '01890000-0000-7000-8000-000000000009' as typeof BOOK;
    let looks = 0;
    const enough = () => (looks += 1) > 200;
    await run(() => OK, enough, webhookOf({ priceBookId: other }));
    looks = 0;
    await run(() => OK, enough, webhookOf({ eventTypes: ['PriceBookDeleted'] }));
    expect(sent).to.deep.equal([]);
    const both = webhookOf({ priceBookId: BOOK, eventTypes: ['PriceBookUpdated'] });
    await run(
      () => OK,
      () => sent.length === 2,
      both,
    );
    expect(sent.map(({ id }) => id)).to.deep.equal(messageIds);
  });

  it('begin again with the first event where the place is of a store that is gone', async () => {
    const { run, sent, news, messageIds, placeKept, ids } = await begin(1);
    const lost = { stream: 'priceBook-x', revision: 9, eventId: '00000000-0000-4000-8000-000000000009' };
    const stop = await run(
      () => OK,
      () => false,
      webhookOf({ start: lost }),
    );
    expect(stop).to.deep.equal({ _tag: 'FeedPlaceUnknown' });
    await run(
      () => OK,
      async () => (await placeKept()) === ids[0],
    );
    expect(sent.map(({ id }) => id)).to.deep.equal(messageIds);
    expect(news[0]).to.deep.equal({ _tag: 'BeganAgain' });
  });

  it('of a secret that another key has made are no success, and are not sent', async () => {
    const { run, sent, progress } = await begin(1);
    const foreign = webhookOf({ secret: { salt: '00'.repeat(16), hash: '11'.repeat(32) } });
    await run(
      () => OK,
      async () => (await progress())?.failing !== undefined,
      foreign,
    );
    expect(sent).to.deep.equal([]);
    expect((await progress())?.failing?.lastFailure.reason).to.include('PRICEBOOK_WEBHOOK_KEY');
  });
});
