/** The events of all books in the order of the store, a page at a time from any of them. */
import { setImmediate } from 'node:timers/promises';
import type { PriceBookId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { EventStore, FeedPlace, Position, RecordedEvent } from '../ports/event-store';
import type { StoreError } from '../ports/store-error';
import { priceBookOf, type UndecodableEvent } from '../recorded-event';
import { entryOf, type HistoryEntry, PAGE_BYTES } from './price-book-history';

/** Events read at once: first few, since each may be large, and more where they turn out to be small. */
const FIRST_READ = 10;
const MAX_READ = 500;
const READ_BYTES = 1024 * 1024;

export interface FeedEntry extends HistoryEntry {
  readonly place: FeedPlace;
  readonly priceBookId: PriceBookId;
}

/** An event of the feed as it was read. */
export interface FeedRead {
  readonly position: Position;
  readonly place: FeedPlace;
  /** Undefined where it is of no book. */
  readonly entry: E.Either<UndecodableEvent, FeedEntry> | undefined;
}

export interface FeedQuestion {
  /** The page begins after this event; `now` for the end of the events, absent for their beginning. */
  readonly after: FeedPlace | 'now' | undefined;
  /** As many entries as the page has at most. */
  readonly limit: number;
}

export interface FeedPage {
  readonly entries: readonly FeedEntry[];
  /** After it comes the next page; undefined where there is no event at all. */
  readonly next: FeedPlace | undefined;
  /** Whether there may be more by now. */
  readonly hasMore: boolean;
}

/** The store has no such event, as after a restore from an older backup. */
export interface FeedPlaceUnknown {
  readonly _tag: 'FeedPlaceUnknown';
}

/** The last event that a reader has: undefined before the first one. */
export type Reached = Pick<FeedRead, 'position' | 'place'> | undefined;

const placeOf = ({ stream, revision, id: eventId }: RecordedEvent): FeedPlace => ({
  stream,
  revision,
  eventId,
});

const reachedWith = (event: RecordedEvent | undefined): Reached =>
  event === undefined ? undefined : { position: event.position, place: placeOf(event) };

export const feedReadOf = (recorded: RecordedEvent): FeedRead => {
  const { stream, position } = recorded;
  const place = placeOf(recorded);
  const priceBookId = priceBookOf(stream);
  if (priceBookId === undefined) return { position, place, entry: undefined };
  const entry = entryOf(recorded);
  return {
    position,
    place,
    entry: E.isLeft(entry) ? E.left(entry.left.error) : E.right({ ...entry.right, place, priceBookId }),
  };
};

/** The event of a place; undefined where a store that was restored from an older backup has another, or none. */
export const findEvent = (
  eventStore: Pick<EventStore, 'read'>,
  { stream, revision, eventId }: FeedPlace,
): TaskEither<StoreError, RecordedEvent | undefined> =>
  pipe(
    eventStore.read(stream, { direction: 'forwards', from: revision, limit: 1 }),
    TE.map(([event]) => (event?.revision === revision && event.id === eventId ? event : undefined)),
  );

/** The last event of a reader that names it, or the last event of all. */
export const findReached =
  (
    eventStore: Pick<EventStore, 'read' | 'last'>,
    after: FeedQuestion['after'],
  ): TaskEither<StoreError | FeedPlaceUnknown, Reached> =>
  async () => {
    if (after === undefined) return E.right(undefined);
    if (after === 'now') {
      const last = await eventStore.last();
      return E.isLeft(last) ? last : E.right(reachedWith(last.right));
    }
    const found = await findEvent(eventStore, after)();
    if (E.isLeft(found)) return found;
    return found.right === undefined
      ? E.left({ _tag: 'FeedPlaceUnknown' })
      : E.right(reachedWith(found.right));
  };

/**
 * A page of the feed. An event that cannot be read is an error, once everything before it has been answered.
 *
 * @param untilReadable waits, not for long, until the read side has applied everything up to a position: who learns of
 *   a price, and asks for it, is to find it.
 */
export const readFeed =
  (
    eventStore: Pick<EventStore, 'read' | 'readAll' | 'last'>,
    untilReadable: (position: Position) => Promise<unknown>,
    { after, limit }: FeedQuestion,
  ): TaskEither<StoreError | FeedPlaceUnknown | UndecodableEvent, FeedPage> =>
  async () => {
    const start = await findReached(eventStore, after)();
    if (E.isLeft(start)) return start;
    const entries: FeedEntry[] = [];
    let reached = start.right;
    let pageBytes = 0;
    const page = async (hasMore: boolean): Promise<E.Either<never, FeedPage>> => {
      if (reached !== undefined) await untilReadable(reached.position);
      return E.right({ entries, next: reached?.place, hasMore });
    };
    for (let size = FIRST_READ; ;) {
      const events = await eventStore.readAll(reached?.position, Math.min(size, limit - entries.length))();
      if (E.isLeft(events)) return events;
      if (events.right.length === 0) return page(false);
      let bytesRead = 0;
      for (const recorded of events.right) {
        const bytes = Buffer.byteLength(JSON.stringify(recorded.data));
        bytesRead += bytes;
        const { position, place, entry } = feedReadOf(recorded);
        if (entry !== undefined) {
          if (E.isLeft(entry)) return entries.length === 0 ? entry : page(true);
          if (entries.length > 0 && pageBytes + bytes > PAGE_BYTES) return page(true);
          entries.push(entry.right);
          pageBytes += bytes;
        }
        reached = { position, place };
      }
      if (entries.length === limit) return page(true);
      size = bytesRead > READ_BYTES ? Math.ceil(size / 2) : Math.min(size * 2, MAX_READ);
      await setImmediate();
    }
  };
