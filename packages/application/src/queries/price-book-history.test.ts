import type { PriceBookId } from '@pricebook/domain';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { v4 } from 'uuid';
import { createInMemoryEventStore } from '../in-memory/event-store';
import type { EventStore, NewEvent } from '../ports/event-store';
import { type HistoryQuestion, readHistory, readHistoryItems } from './price-book-history';

const BOOK = '01890000-0000-7000-8000-000000000001' as PriceBookId;

const second = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString();

const event = (n: number, type: string, data: unknown, schemaVersion = 1): NewEvent => ({
  id: v4(),
  type,
  data,
  metadata: {
    schemaVersion,
    occurredAt: second(n),
    actor: 'key-1',
    $correlationId: `request-${String(n)}`,
    $causationId: 'c',
    commandId: 'c',
  },
});
const renamed = (n: number, characters = 1): NewEvent =>
  event(n, 'PriceBookUpdated', { name: 'x'.repeat(characters) });
const unreadable = (n: number): NewEvent => event(n, 'PriceBookUpdated', { name: 'x' }, 1_000);

const holding = async (events: readonly NewEvent[]) => {
  const eventStore = createInMemoryEventStore();
  const [first, ...others] = events;
  if (first !== undefined) await eventStore.append(`priceBook-${BOOK}`, 'noStream', [first, ...others])();
  let reads = 0;
  let mostAtOnce = 0;
  const watched: EventStore = {
    ...eventStore,
    read: (stream, options) => {
      reads += 1;
      mostAtOnce = Math.max(mostAtOnce, options.limit);
      return eventStore.read(stream, options);
    },
  };
  return { eventStore: watched, reads: () => reads, mostAtOnce: () => mostAtOnce };
};

/** The revisions on each page from the first to the last. */
const pages = async (
  eventStore: EventStore,
  question: Omit<HistoryQuestion, 'priceBookId'>,
): Promise<readonly (readonly number[])[]> => {
  const found: (readonly number[])[] = [];
  let from = question.from;
  for (;;) {
    const page = await readHistory(eventStore, { ...question, from, priceBookId: BOOK })();
    if (E.isLeft(page)) throw new Error(JSON.stringify(page.left));
    found.push(page.right.entries.map(({ revision }) => revision));
    if (page.right.next === undefined) return found;
    from = page.right.next;
  }
};
const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, n) => from + n);

describe('the history of a price book', () => {
  it('comes in pages of at most the limit, of which the last says that it is the last', async () => {
    const { eventStore } = await holding(range(0, 25).map((n) => renamed(n)));
    for (const limit of [1, 5, 10, 24, 25, 26, 1_000]) {
      const found = await pages(eventStore, { limit });
      expect(found.flat()).to.deep.equal(range(0, 25));
      expect(found).to.have.length(Math.ceil(25 / limit));
    }
  });

  it('reads no more than a page needs, and large events a few at a time', async () => {
    const small = await holding(range(0, 1_000).map((n) => renamed(n)));
    await readHistory(small.eventStore, { priceBookId: BOOK, limit: 5 })();
    expect(small.mostAtOnce()).to.equal(6);
    await readHistory(small.eventStore, { priceBookId: BOOK, limit: 1_000 })();
    expect(small.mostAtOnce()).to.be.within(100, 500);
    const large = await holding(range(0, 30).map((n) => renamed(n, 700_000)));
    await readHistory(large.eventStore, { priceBookId: BOOK, limit: 1_000 })();
    expect(large.mostAtOnce()).to.equal(10);
  });

  it('ends a page at 4 MiB, and gives an event that is larger a page of its own', async () => {
    const { eventStore } = await holding([
      ...range(0, 6).map((n) => renamed(n, 1_000_000)),
      renamed(6, 5_000_000),
      ...range(7, 9).map((n) => renamed(n)),
    ]);
    expect(await pages(eventStore, { limit: 100 })).to.deep.equal([[0, 1, 2, 3], [4, 5], [6], [7, 8]]);
  });

  it('ends a page that finds nothing in 10,000 events, or in 32 MiB, and goes on there', async () => {
    const adjusted = (n: number) => event(n, 'AllProductsAdjusted', { adjustments: {} }, 2);
    const many = await holding([...range(0, 20_500).map((n) => renamed(n)), adjusted(20_500)]);
    const productId = 'P' as HistoryQuestion['productId'];
    expect(await pages(many.eventStore, { limit: 10, productId })).to.deep.equal([[], [], [20_500]]);
    const large = await holding([...range(0, 40).map((n) => renamed(n, 1_000_000)), adjusted(40)]);
    expect(await pages(large.eventStore, { limit: 10, productId })).to.deep.equal([[], [40]]);
  }).timeout(10_000);

  it('finds an instant in a long history with a few reads, also among events of the same time', async () => {
    const times = range(0, 5_000).map((n) => Math.floor(n / 7));
    const { eventStore, reads } = await holding(times.map((time) => renamed(time)));
    for (const time of [-1, 0, 1, 300, 713, 714, 715]) {
      const before = reads();
      const page = await readHistory(eventStore, { priceBookId: BOOK, limit: 3, since: second(time) })();
      const first = times.findIndex((one) => one >= time);
      expect(E.isRight(page) && page.right.entries[0]?.revision).to.equal(first === -1 ? undefined : first);
      expect(reads() - before).to.be.below(20);
    }
  });

  it('is answered up to an event that cannot be read, and fails there', async () => {
    const { eventStore } = await holding([renamed(0), renamed(1), unreadable(2), renamed(3)]);
    const ask = (from?: number) => readHistory(eventStore, { priceBookId: BOOK, limit: 100, from })();
    const first = await ask();
    expect(E.isRight(first) && [first.right.entries.length, first.right.next]).to.deep.equal([2, 2]);
    const second = await ask(2);
    expect(E.isLeft(second) && second.left).to.include({ _tag: 'UndecodableEvent', revision: 2 });
    const rest = await ask(3);
    expect(E.isRight(rest) && rest.right.entries.map(({ revision }) => revision)).to.deep.equal([3]);
  });

  it('shows, to who wants them, events that cannot be read among the others, whatever is asked for', async () => {
    const { eventStore } = await holding([renamed(0), unreadable(1), renamed(2), unreadable(3)]);
    const page = await readHistoryItems(eventStore, {
      priceBookId: BOOK,
      limit: 100,
      productId: 'P' as HistoryQuestion['productId'],
      since: second(2),
    })();
    if (E.isLeft(page)) throw new Error(page.left._tag);
    expect(page.right.entries.map((entry) => E.isLeft(entry) && entry.left.recorded.revision)).to.deep.equal([
      3,
    ]);
  });
});
