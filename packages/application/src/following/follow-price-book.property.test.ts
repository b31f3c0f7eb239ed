/** Each event once and in order, however appends, reads and the subscription follow upon each other. */
import type { PriceBookId, ProductId } from '@pricebook/domain';
import { expect } from 'chai';
import fc from 'fast-check';
import * as E from 'fp-ts/Either';
import { v4 } from 'uuid';
import { createSignal } from '../change-signal';
import type { EventStore, RecordedEvent } from '../ports/event-store';
import { createFollowPriceBook, type FollowingPriceBook as Following } from './follow-price-book';
import { createStreamNews } from './stream-news';

const BOOKS = ['01890000-0000-7000-8000-000000000001', '01890000-0000-7000-8000-000000000002'] as const;
const streamOf = (book: number): string => `priceBook-${String(BOOKS[book])}`;

const away = { _tag: 'StoreUnavailable', reason: 'away' } as const;

const recorded = (log: readonly RecordedEvent[], book: number, productId: string): RecordedEvent => {
  const revision = log.filter(({ stream }) => stream === streamOf(book)).length;
  return {
    id: v4(),
    stream: streamOf(book),
    revision,
    position: BigInt(log.length + 1),
    type: 'ProductPricesSet',
    data: { items: [{ productId, adjustments: { USD: { type: 'override', amount: revision } } }] },
    metadata: {
      schemaVersion: 1,
      occurredAt: new Date(revision).toISOString(),
      actor: 'key-1',
      $correlationId: 'r',
      $causationId: 'c',
      commandId: 'c',
    },
  };
};

/** What a subscription does when it would bring the next events. */
type Delivery = 'bring' | 'fail' | 'end';

/** A store of which each step happens when the scheduler says so. */
const scheduledStore = (s: fc.Scheduler, deliveries: Iterator<Delivery>) => {
  const log: RecordedEvent[] = [];
  const appended = createSignal();
  const step = (name: string): Promise<unknown> => s.schedule(Promise.resolve(), name);
  const eventStore: Pick<EventStore, 'read' | 'head' | 'subscribe'> = {
    read:
      (stream, { direction, from, limit }) =>
      async () => {
        await step('a read begins');
        const all = log.filter((event) => event.stream === stream);
        const found =
          direction === 'forwards' ? all.filter(({ revision }) => revision >= (from ?? 0)) : all.reverse();
        await step('a read ends');
        return E.right(found.slice(0, limit));
      },
    head: () => async () => {
      await step('the head is looked up');
      const head = log.at(-1)?.position;
      await step('the head is known');
      return E.right(head);
    },
    subscribe: async function* (after, signal) {
      let next = Number(after ?? 0n);
      while (!signal.aborted) {
        const events = log.slice(next, next + 3);
        const last = events.at(-1);
        if (last === undefined) {
          await appended.next(signal);
          continue;
        }
        await step('the subscription goes on');
        const delivery = deliveries.next();
        if (delivery.done !== true && delivery.value === 'end') return;
        if (delivery.done !== true && delivery.value === 'fail') {
          // As subscriptions fail.
          // eslint-disable-next-line @typescript-eslint/only-throw-error
          throw away;
        }
        next += events.length;
        yield { events, checkpoint: last.position };
      }
    },
  };
  return {
    eventStore,
    append: async (book: number, productId: string, wait: number): Promise<void> => {
      for (let n = 0; n <= wait; n += 1) await step('an append waits');
      log.push(recorded(log, book, productId));
      appended.raise();
    },
    count: (book: number): number => log.filter(({ stream }) => stream === streamOf(book)).length,
    /** Without a step: what is there from the start. */
    begin: (book: number, productId: string): void => {
      log.push(recorded(log, book, productId));
    },
  };
};

interface Follower {
  readonly book: number;
  /** How many of the events that are there when it comes it does not know. */
  readonly unknown: number;
  readonly productId: string | undefined;
}

/** Mostly the same, so that they meet. */
const book = fc.constantFrom(0, 0, 0, 0, 1);
const followers = fc.array(
  fc.record({
    book,
    unknown: fc.constantFrom(0, 0, 0, 1, 4),
    productId: fc.option(fc.constantFrom('P', 'Q'), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 8 },
);
/** The last of each is for how many steps it waits. */
const writes = fc.array(fc.tuple(book, fc.constantFrom('P', 'Q'), fc.nat({ max: 15 })), {
  maxLength: 4,
});

describe('followers of a book', () => {
  it('get each event once and in order, however everything interleaves', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        followers,
        writes,
        fc.array(fc.constantFrom<Delivery>('bring', 'bring', 'fail', 'end'), { maxLength: 6 }),
        async (s, asked, written, deliveries) => {
          const store = scheduledStore(s, deliveries.values());
          store.begin(0, 'P');
          store.begin(1, 'P');
          const all = [[0, 'P'], [1, 'P'], ...written] as const;
          const news = createStreamNews(store.eventStore, { first: 1, last: 2 });
          const follow = createFollowPriceBook(
            store.eventStore,
            () => s.schedule(Promise.resolve(), 'it is readable'),
            news,
          );

          const expectedBy = ({ book, productId }: Follower, known: number): readonly number[] =>
            all
              .filter(([of]) => of === book)
              .flatMap(([, product], revision) =>
                revision >= known && (productId === undefined || product === productId) ? [revision] : [],
              );
          const open: Following[] = [];
          const run = async (follower: Follower): Promise<void> => {
            await s.schedule(Promise.resolve(), 'a follower comes');
            const known = Math.max(0, store.count(follower.book) - follower.unknown);
            const expected = expectedBy(follower, known);
            const following = await follow(
              {
                priceBookId: BOOKS[follower.book] as PriceBookId,
                after: known === 0 ? undefined : known - 1,
                productId: follower.productId as ProductId | undefined,
              },
              // Nobody looks by itself.
              600_000,
            )();
            if (E.isLeft(following) || following.right === undefined) throw new Error('the book is there');
            open.push(following.right);
            const got: number[] = [];
            while (got.length < expected.length) {
              const page = await following.right.next();
              if (E.isLeft(page)) throw new Error(page.left.reason);
              if (page.right === undefined) break;
              got.push(...page.right.entries.map(({ revision }) => revision));
            }
            following.right.end();
            expect(got).to.deep.equal(expected);
          };
          const working = Promise.all([
            ...asked.map(run),
            (async () => {
              for (const write of written) await store.append(...write);
            })(),
          ]);
          // Who waits for what does not come is told so.
          const patience = setTimeout(() => {
            for (const one of open) one.end();
          }, 1_000);
          await s.waitFor(working);
          clearTimeout(patience);
        },
      ),
      { numRuns: 2_000 },
    );
  }).timeout(60_000);
});
