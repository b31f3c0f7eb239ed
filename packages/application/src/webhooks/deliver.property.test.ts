/** Whatever receivers do and whenever processes end: nothing is left out, and the order is kept. */
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import * as E from 'fp-ts/Either';
import { createInMemoryEventStore } from '../in-memory/event-store';
import { createInMemoryWebhookProgress } from '../in-memory/webhook-progress';
import { createFollowFeed } from '../following/follow-feed';
import { createStreamNews } from '../following/stream-news';
import type { SendOutcome } from '../ports/webhook-sender';
import { messageIdOf } from './attempt';
import { DELAYS_MS } from './backoff';
import { appendEvents, type Delivering, startDelivering, webhookOf } from './testing/delivering';

type Deed = 'delivers' | 'refuses' | 'hangs' | 'loses the answer' | 'process ends';

/** Each again and again for a while, so that messages are given up as well. */
const deeds = fc
  .array(
    fc.tuple(
      fc.constantFrom<Deed>('delivers', 'refuses', 'hangs', 'loses the answer', 'process ends'),
      fc.integer({ min: 1, max: 14 }),
    ),
    { maxLength: 10 },
  )
  .map((plan) => plan.flatMap(([deed, times]) => Array.from({ length: times }, () => deed)));

describe('deliveries to a webhook', () => {
  it('reach the receiver at least once and in order, or are dead letters, whatever happens', async () => {
    await fc.assert(
      fc.asyncProperty(deeds, fc.integer({ min: 1, max: 12 }), async (plan, events) => {
        const eventStore = createInMemoryEventStore();
        const ids = await appendEvents(eventStore, events);
        const followFeed = createFollowFeed(
          eventStore,
          () => Promise.resolve(),
          createStreamNews(eventStore),
        );
        const store = createInMemoryWebhookProgress();
        const webhook = webhookOf();
        const messageIds = ids.map((id) => messageIdOf(webhook, id));
        /** In the order in which the receiver took them, whether the sender heard of it or not. */
        const taken: string[] = [];
        const rest = [...plan];
        let delivering: Delivering | undefined;
        let isEnding = false;
        const processEnds = (): boolean => isEnding;
        const post = (id: string): Promise<SendOutcome> => {
          const deed = rest.shift() ?? 'delivers';
          if (deed === 'delivers' || deed === 'loses the answer') taken.push(id);
          if (deed === 'process ends') {
            isEnding = true;
            delivering?.abort();
          }
          return Promise.resolve<SendOutcome>(
            deed === 'delivers'
              ? { _tag: 'Answered', status: 204 }
              : deed === 'refuses'
                ? { _tag: 'Answered', status: 500 }
                : { _tag: 'Failed', reason: deed },
          );
        };
        const lettersOf = async (): Promise<readonly string[]> => {
          const letters = await store.deadLetters(webhook.id, undefined, 100)();
          if (E.isLeft(letters)) throw new Error(letters.left._tag);
          return letters.right.map(({ id }) => id);
        };
        let now = Date.parse('2026-11-22T00:00:00.000Z');
        const isDone = async (): Promise<boolean> => {
          const letters = await lettersOf();
          return messageIds.every((id) => taken.includes(id) || letters.includes(id));
        };
        for (let starts = 0; starts < 100; starts += 1) {
          isEnding = false;
          const current = startDelivering({
            webhook,
            followFeed,
            store,
            post,
            clock: {
              now: () => new Date(now).toISOString(),
              wait: (ms) => {
                now += ms;
                return setImmediate();
              },
            },
          });
          delivering = current;
          const last = messageIds.at(-1) ?? '';
          // Until everything is dealt with, or the process ends, or an administrator has to have it go on.
          for (let n = 0; n < 5_000 && !processEnds() && !current.hasEnded(); n += 1) {
            if (taken.includes(last) || (await isDone())) break;
            await setImmediate();
          }
          current.abort();
          await current.ended;
          if (taken.includes(last) || (await isDone())) break;
        }
        const letters = await lettersOf();
        for (const id of messageIds) {
          expect(taken.includes(id) || letters.includes(id), `${id} was left out`).to.equal(true);
        }
        // Sent again or not: nothing comes for the first time after what follows it.
        const firsts = [...new Set(taken)].map((id) => messageIds.indexOf(id));
        expect(firsts).to.deep.equal([...firsts].sort((one, other) => one - other));
        expect(plan.length >= DELAYS_MS.length || letters.length === 0).to.equal(true);
      }),
      { numRuns: 60 },
    );
  }).timeout(30_000);
});
