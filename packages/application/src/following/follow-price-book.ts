/** Follows the history of a book: what there is, and then what comes, each event once and in order. */
import type { PriceBookId, ProductId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { EventStore, Position } from '../ports/event-store';
import {
  concerns,
  entryOf,
  firstSince,
  type HistoryEntry,
  type HistoryError,
  isBefore,
  type UnreadableEntry,
} from '../queries/price-book-history';
import { streamOf, type UndecodableEvent } from '../recorded-event';
import { createEventPages } from './event-pages';
import { type Following, startFollowing, type Taken } from './follow';
import type { StreamNews } from './stream-news';

export interface FollowQuestion {
  readonly priceBookId: PriceBookId;
  /** The last revision that is known already; absent to begin with the first. */
  readonly after?: number | undefined;
  /** Only what concerns this product, and deletions and restorations of the book. */
  readonly productId?: ProductId | undefined;
  /** ISO 8601, UTC: only what happened then or later. */
  readonly since?: string | undefined;
}

/** Its places are revisions. */
export type FollowingPriceBook = Following<HistoryEntry, number>;

export type FollowError =
  | HistoryError
  | UndecodableEvent
  /** There is no such revision as the one that is known already. */
  | { readonly _tag: 'RevisionAhead'; readonly after: number; readonly revision: number };

/** @returns undefined where the book is deleted, and nothing is left to say of it. */
export type FollowPriceBook = (
  question: FollowQuestion,
  beatMs: number,
) => TaskEither<FollowError, FollowingPriceBook | undefined>;

const isDeletion = ({ event: { type } }: HistoryEntry): boolean => type === 'PriceBookDeleted';

const isAskedFor = ({ productId, since }: FollowQuestion, entry: HistoryEntry): boolean =>
  (since === undefined || entry.occurredAt >= since) &&
  (productId === undefined ||
    concerns(entry.event, productId) ||
    isDeletion(entry) ||
    entry.event.type === 'PriceBookRestored');

const isPassedOver = ({ since }: FollowQuestion, { recorded }: UnreadableEntry): boolean =>
  since !== undefined && isBefore(recorded, since);

interface BookPage {
  readonly stream: string;
  /** The first revision. */
  readonly from: number;
  readonly limit: number;
  readonly version: number;
}

/** Pages of the history of books. */
export const createHistoryPages = (
  eventStore: Pick<EventStore, 'read'>,
  untilReadable: (position: Position) => Promise<unknown>,
) =>
  createEventPages({
    nameOf: ({ stream, from, limit, version }: BookPage) => [stream, from, limit, version].join(' '),
    read: ({ stream, from, limit }) => eventStore.read(stream, { direction: 'forwards', from, limit })(),
    entryOf,
    untilReadable,
  });

/** @param untilReadable waits, not for long, until the read side has applied everything up to a position. */
export const createFollowPriceBook = (
  eventStore: Pick<EventStore, 'read'>,
  untilReadable: (position: Position) => Promise<unknown>,
  news: StreamNews,
): FollowPriceBook => {
  const readPage = createHistoryPages(eventStore, untilReadable);

  return (question, beatMs) => async () => {
    const { priceBookId, after, since } = question;
    const stream = streamOf(priceBookId);
    const ends = await eventStore.read(stream, { direction: 'backwards', limit: 1 })();
    if (E.isLeft(ends)) return ends;
    const [last] = ends.right;
    if (last === undefined) return E.left({ _tag: 'PriceBookNotFound' });
    if (after !== undefined && after > last.revision) {
      return E.left({ _tag: 'RevisionAhead', after, revision: last.revision });
    }
    const start =
      after === undefined && since !== undefined
        ? await firstSince(eventStore, stream, since)()
        : E.right(after === undefined ? 0 : after + 1);
    if (E.isLeft(start)) return start;
    if (start.right > last.revision && last.type === 'PriceBookDeleted') return E.right(undefined);

    // What cannot be read is better said now than after the answer has begun.
    const first = await eventStore.read(stream, { direction: 'forwards', from: start.right, limit: 1 })();
    if (E.isLeft(first)) return first;
    for (const entry of first.right.map(entryOf)) {
      if (E.isLeft(entry) && !isPassedOver(question, entry.left)) return E.left(entry.left.error);
    }
    const take = (
      entry: E.Either<UnreadableEntry, HistoryEntry>,
    ): E.Either<UndecodableEvent, Taken<HistoryEntry>> => {
      if (E.isLeft(entry)) return isPassedOver(question, entry.left) ? E.right({}) : E.left(entry.left.error);
      // Of a deletion that is not the last event it is known that more comes.
      const isLast = isDeletion(entry.right) && entry.right.revision >= last.revision;
      return E.right(isLast || isAskedFor(question, entry.right) ? { entry: entry.right, isLast } : {});
    };
    return E.right(
      startFollowing(
        {
          watch: news.watch(stream),
          readPage: (from, limit, version) => readPage({ stream, from, limit, version }),
          take,
          placeAfter: (entry) => (E.isLeft(entry) ? entry.left.recorded.revision : entry.right.revision) + 1,
        },
        start.right,
        beatMs,
      ),
    );
  };
};
