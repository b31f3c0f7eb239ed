/** The audit history of a price book: its events, a page at a time, straight from the event store. */
import { setImmediate } from 'node:timers/promises';
import type { PriceBookEvent, PriceBookId, ProductId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { EventStore, RecordedEvent } from '../ports/event-store';
import type { StoreError } from '../ports/store-error';
import { decodeRecorded, readMetadata, streamOf, type UndecodableEvent } from '../recorded-event';

/** What a page holds at most beside its limit; one event always fits. */
export const PAGE_BYTES = 4 * 1024 * 1024;
/** What one page looks at, whatever it finds: a page of a long history comes in time. */
const MAX_EVENTS_READ = 10_000;
const MAX_BYTES_READ = 32 * 1024 * 1024;
/** Events read at once: first few, since each may be large, and more where they turn out to be small. */
const FIRST_READ = 10;
const MAX_READ = 500;
const READ_BYTES = 1024 * 1024;

export interface HistoryQuestion {
  readonly priceBookId: PriceBookId;
  /** The revision at which the page begins; absent for the first page. */
  readonly from?: number | undefined;
  /** As many entries as the page has at most. */
  readonly limit: number;
  /** Only what concerns this product: its prices, and those of all products. */
  readonly productId?: ProductId | undefined;
  /** ISO 8601, UTC: only what happened then or later. */
  readonly since?: string | undefined;
}

/** What happened to a book, when, and who did it. */
export interface HistoryEntry {
  readonly revision: number;
  readonly occurredAt: string;
  /** The id of the API key. */
  readonly actor: string;
  /** Why, in the words of the client; absent where it gave no reason. */
  readonly reason?: string;
  readonly requestId: string;
  readonly event: PriceBookEvent;
}

/** An event that this version cannot read, as it is kept. */
export interface UnreadableEntry {
  readonly recorded: RecordedEvent;
  readonly error: UndecodableEvent;
}

export interface Page<A> {
  /** Oldest first. */
  readonly entries: readonly A[];
  /** The revision at which the next page begins; undefined at the end. */
  readonly next: number | undefined;
}

export type HistoryError = StoreError | { readonly _tag: 'PriceBookNotFound' };

export const concerns = ({ type, data }: PriceBookEvent, productId: ProductId): boolean => {
  switch (type) {
    case 'ProductPricesSet':
      return data.items.some((item) => item.productId === productId);
    case 'PriceBookEntriesDeleted':
      return data.productIds.includes(productId);
    case 'AllProductsAdjusted':
    case 'PriceBookCloned':
      return true;
    case 'PriceBookCreated':
    case 'PriceBookUpdated':
    case 'PriceBookDeleted':
    case 'PriceBookRestored':
      return false;
  }
};

export const entryOf = (recorded: RecordedEvent): E.Either<UnreadableEntry, HistoryEntry> =>
  pipe(
    decodeRecorded(recorded),
    E.bimap(
      (error) => ({ recorded, error }),
      ({ event, requestId, stamp }) => ({ ...stamp, requestId, event }),
    ),
  );

export const isBefore = (recorded: RecordedEvent, instant: string): boolean => {
  const metadata = readMetadata(recorded);
  return E.isRight(metadata) && metadata.right.occurredAt < instant;
};

/** The entry of an event; undefined where it is not asked for. What cannot be read may always be what is asked for. */
const answerTo = (
  { productId, since }: HistoryQuestion,
  recorded: RecordedEvent,
): E.Either<UnreadableEntry, HistoryEntry> | undefined => {
  if (since !== undefined && isBefore(recorded, since)) return undefined;
  const entry = entryOf(recorded);
  return productId === undefined || E.isLeft(entry) || concerns(entry.right.event, productId)
    ? entry
    : undefined;
};

/** The first revision at an instant or later. Times never go back within a stream, so a few reads find it. */
export const firstSince =
  (
    eventStore: Pick<EventStore, 'read'>,
    stream: string,
    instant: string,
  ): TE.TaskEither<StoreError, number> =>
  async () => {
    const last = await eventStore.read(stream, { direction: 'backwards', limit: 1 })();
    if (E.isLeft(last)) return last;
    let low = 0;
    let high = (last.right[0]?.revision ?? -1) + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const found = await eventStore.read(stream, { direction: 'forwards', from: middle, limit: 1 })();
      if (E.isLeft(found)) return found;
      const [event] = found.right;
      if (event !== undefined && isBefore(event, instant)) low = middle + 1;
      else high = middle;
    }
    return E.right(low);
  };

/** Whether a stream has events. */
export const exists = (
  eventStore: Pick<EventStore, 'read'>,
  stream: string,
): TE.TaskEither<StoreError, boolean> =>
  pipe(
    eventStore.read(stream, { direction: 'forwards', limit: 1 }),
    TE.map((events) => events.length > 0),
  );

/**
 * A page of the history, with the events that cannot be read among the others. It may hold fewer entries than the
 * limit, or none, and still not be the last.
 */
export const readHistoryItems =
  (
    eventStore: Pick<EventStore, 'read'>,
    question: HistoryQuestion,
  ): TE.TaskEither<HistoryError, Page<E.Either<UnreadableEntry, HistoryEntry>>> =>
  async () => {
    const { priceBookId, limit, productId, since } = question;
    const stream = streamOf(priceBookId);
    const found = await exists(eventStore, stream)();
    if (E.isLeft(found)) return found;
    if (!found.right) return E.left({ _tag: 'PriceBookNotFound' });
    const start =
      question.from === undefined && since !== undefined
        ? await firstSince(eventStore, stream, since)()
        : E.right(question.from ?? 0);
    if (E.isLeft(start)) return start;

    const entries: E.Either<UnreadableEntry, HistoryEntry>[] = [];
    let next = start.right;
    let pageBytes = 0;
    let eventsRead = 0;
    let bytesRead = 0;
    for (let size = FIRST_READ; ;) {
      // Without a filter it is known how many are missing; one more tells whether there is a next page.
      const wanted = productId === undefined ? limit - entries.length + 1 : size;
      const events = await eventStore.read(stream, {
        direction: 'forwards',
        from: next,
        limit: Math.min(size, wanted),
      })();
      if (E.isLeft(events)) return events;
      if (events.right.length === 0) return E.right({ entries, next: undefined });
      const before = bytesRead;
      for (const recorded of events.right) {
        next = recorded.revision;
        if (eventsRead === MAX_EVENTS_READ || bytesRead >= MAX_BYTES_READ) return E.right({ entries, next });
        const bytes = Buffer.byteLength(JSON.stringify(recorded.data));
        eventsRead += 1;
        bytesRead += bytes;
        const entry = answerTo(question, recorded);
        if (entry === undefined) continue;
        const isFull = entries.length > 0 && pageBytes + bytes > PAGE_BYTES;
        if (entries.length === limit || isFull) return E.right({ entries, next });
        entries.push(entry);
        pageBytes += bytes;
      }
      next += 1;
      const areLarge = bytesRead - before > READ_BYTES;
      size = areLarge ? Math.ceil(size / 2) : Math.min(size * 2, MAX_READ);
      await setImmediate();
    }
  };

/**
 * A page of the history, also that of a deleted book. An event that cannot be read is an error, once everything
 * before it has been answered.
 */
export const readHistory = (
  eventStore: Pick<EventStore, 'read'>,
  question: HistoryQuestion,
): TE.TaskEither<HistoryError | UndecodableEvent, Page<HistoryEntry>> =>
  pipe(
    readHistoryItems(eventStore, question),
    TE.chainEitherKW(({ entries, next }): E.Either<UndecodableEvent, Page<HistoryEntry>> => {
      const readable: HistoryEntry[] = [];
      for (const entry of entries) {
        if (E.isRight(entry)) readable.push(entry.right);
        else if (readable.length === 0) return E.left(entry.left.error);
        else return E.right({ entries: readable, next: entry.left.recorded.revision });
      }
      return E.right({ entries: readable, next });
    }),
  );
