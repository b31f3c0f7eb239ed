import type { PriceBookId } from '@pricebook/domain';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { v4 } from 'uuid';
import { createInMemoryEventStore } from '../in-memory/event-store';
import type { NewEvent } from '../ports/event-store';
import { type FeedQuestion, readFeed } from '../queries/event-feed';
import { streamOf } from '../recorded-event';
import { createFollowFeed } from './follow-feed';
import { createStreamNews } from './stream-news';

const [ONE, OTHER] = [1, 2].map((n) => `01890000-0000-7000-8000-00000000000${String(n)}` as PriceBookId) as [
  PriceBookId,
  PriceBookId,
];

const event = (name: string, schemaVersion = 1): NewEvent => ({
  id: v4(),
  type: 'PriceBookUpdated',
  data: { name },
  metadata: {
    schemaVersion,
    occurredAt: '2026-01-01T00:00:00.000Z',
    actor: 'key-1',
    $correlationId: 'r',
    $causationId: 'c',
    commandId: 'c',
  },
});

describe('the feed of all books', () => {
  const start = () => {
    const eventStore = createInMemoryEventStore();
    const readable: bigint[] = [];
    const untilReadable = (position: bigint): Promise<void> => {
      readable.push(position);
      return Promise.resolve();
    };
    const revisions = new Map<string, number>();
    const append = async (stream: string, ...events: readonly [NewEvent, ...NewEvent[]]): Promise<void> => {
      const last = revisions.get(stream);
      await eventStore.append(stream, last ?? 'noStream', events)();
      revisions.set(stream, (last ?? -1) + events.length);
    };
    const read = async (after?: FeedQuestion['after'], limit = 100) => {
      const page = await readFeed(eventStore, untilReadable, { after, limit })();
      if (E.isLeft(page)) return page.left._tag;
      const { entries, next, hasMore } = page.right;
      return { places: entries.map(({ place }) => place.revision), next, hasMore };
    };
    const follow = createFollowFeed(eventStore, untilReadable, createStreamNews(eventStore));
    return { append, read, follow, readable };
  };

  it('passes over events of no book, and comes after them', async () => {
    const { append, read } = start();
    expect(await read()).to.deep.equal({ places: [], next: undefined, hasMore: false });
    await append(streamOf(ONE), event('A'));
    await append('apiKeys', event('B'), event('C'));
    const { next, ...page } = (await read()) as Exclude<Awaited<ReturnType<typeof read>>, string>;
    expect(page).to.deep.equal({ places: [0], hasMore: false });
    expect(next).to.include({ stream: 'apiKeys', revision: 1 });
    await append(streamOf(OTHER), event('D'));
    expect(await read(next)).to.deep.include({ places: [0] });
    expect(await read({ stream: 'apiKeys', revision: 1, eventId: v4() })).to.equal('FeedPlaceUnknown');
    expect(await read({ stream: 'apiKeys', revision: 9, eventId: v4() })).to.equal('FeedPlaceUnknown');
  });

  it('answers only when the read side has applied the whole page', async () => {
    const { append, read, readable } = start();
    await append(streamOf(ONE), event('A'), event('B'), event('C'));
    await read(undefined, 2);
    expect(readable).to.deep.equal([2n]);
  });

  it('has pages of some megabytes at most, each with one event at least', async () => {
    const { append, read } = start();
    const large = 'x'.repeat(3 * 1024 * 1024);
    await append(streamOf(ONE), event(large), event(large), event('small'));
    expect(await read()).to.deep.include({ places: [0], hasMore: true });
  });

  it('ends before an event that cannot be read, and then says so, in pages and live', async () => {
    const { append, read, follow } = start();
    await append(streamOf(ONE), event('A'));
    await append(streamOf(OTHER), event('B', 1_000));
    const { next, ...page } = (await read()) as Exclude<Awaited<ReturnType<typeof read>>, string>;
    expect(page).to.deep.equal({ places: [0], hasMore: true });
    expect(await read(next)).to.equal('UndecodableEvent');
    const following = await follow(undefined, 1_000)();
    if (E.isLeft(following)) throw new Error(following.left._tag);
    const first = await following.right.next();
    expect(E.isRight(first) && first.right?.entries.map(({ priceBookId }) => priceBookId)).to.deep.equal([
      ONE,
    ]);
    const second = await following.right.next();
    expect(E.isLeft(second) && second.left._tag).to.equal('UndecodableEvent');
    following.right.end();
  });
});
