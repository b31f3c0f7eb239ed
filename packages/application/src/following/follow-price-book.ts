/** Follows the history of a book: what there is, and then what comes, each event once and in order. */
import { setImmediate } from 'node:timers/promises';
import type { PriceBookId, ProductId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { EventStore, Position } from '../ports/event-store';
import type { StoreDamaged } from '../ports/store-error';
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
import { createEventPages, type ReadPage } from './event-pages';
import { createStreamNews, type StreamNews } from './stream-news';

/** Events read at once: few at first, since each may be large, and more where they turn out to be small. */
const FIRST_READ = 8;
const MAX_READ = 128;
/** How long is waited before a store that does not answer is asked again: from the first time to the last. */
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2_000;

export interface FollowQuestion {
  readonly priceBookId: PriceBookId;
  /** The last revision that is known already; absent to begin with the first. */
  readonly after?: number | undefined;
  /** Only what concerns this product, and the deletion of the book. */
  readonly productId?: ProductId | undefined;
  /** ISO 8601, UTC: only what happened then or later. */
  readonly since?: string | undefined;
}

export interface FollowedPage {
  /** None where nothing has come for as long as a beat. */
  readonly entries: readonly HistoryEntry[];
  /** Everything up to this revision is said, or is not asked for; -1 before the first event. */
  readonly upTo: number;
}

export interface Following {
  /**
   * What comes next; undefined when nothing more will, since the book is deleted or the following has ended. Waits no
   * longer than a beat, also while a store does not answer: that is tried again. Asked one at a time.
   */
  readonly next: () => Promise<E.Either<UndecodableEvent | StoreDamaged, FollowedPage | undefined>>;
  /** Has to be called; whoever waits for what comes next need wait no longer. */
  readonly end: () => void;
}

export type FollowError =
  | HistoryError
  | UndecodableEvent
  /** There is no such revision as the one that is known already. */
  | { readonly _tag: 'RevisionAhead'; readonly after: number; readonly revision: number };

/** @returns undefined where the book is deleted, and nothing is left to say of it. */
export type FollowPriceBook = (
  question: FollowQuestion,
  beatMs: number,
) => TaskEither<FollowError, Following | undefined>;

const isDeletion = ({ event: { type } }: HistoryEntry): boolean => type === 'PriceBookDeleted';

const isAskedFor = ({ productId, since }: FollowQuestion, entry: HistoryEntry): boolean =>
  (since === undefined || entry.occurredAt >= since) &&
  (productId === undefined || concerns(entry.event, productId));

const isPassedOver = ({ since }: FollowQuestion, { recorded }: UnreadableEntry): boolean =>
  since !== undefined && isBefore(recorded, since);

const startFollowing = (
  { news, readPage }: { readonly news: StreamNews; readonly readPage: ReadPage },
  question: FollowQuestion,
  start: number,
  beatMs: number,
): Following => {
  const stream = streamOf(question.priceBookId);
  const watch = news.watch(stream);
  let from = start;
  let limit = FIRST_READ;
  let retryMs = FIRST_RETRY_MS;
  let isDeleted = false;
  let hasEnded = false;
  const isOver = (): boolean => isDeleted || hasEnded;

  /** What is read next, also where a beat comes before it. */
  let reading: { readonly version: number; readonly page: ReturnType<ReadPage> } | undefined;
  let giveUp: () => void = () => undefined;

  /** Waits for a page until a time, or until the following ends; undefined where the page has not come by then. */
  const patiently = (page: ReturnType<ReadPage>, until: number): Promise<Awaited<typeof page> | undefined> =>
    new Promise((resolve, reject) => {
      giveUp = () => {
        resolve(undefined);
      };
      const timer = setTimeout(giveUp, Math.max(0, until - performance.now()));
      page.then(resolve, reject).finally(() => {
        clearTimeout(timer);
      });
    });

  const pageOf = (entries: readonly HistoryEntry[]) => E.right({ entries, upTo: from - 1 });

  /** What is asked for of a page, up to an event that cannot be read; that is the error where it is the first. */
  const take = (page: readonly E.Either<UnreadableEntry, HistoryEntry>[]) => {
    const found: HistoryEntry[] = [];
    for (const entry of page) {
      if (E.isLeft(entry) && !isPassedOver(question, entry.left)) {
        return found.length === 0 ? E.left(entry.left.error) : E.right(found);
      }
      from += 1;
      if (E.isLeft(entry)) continue;
      isDeleted = isDeletion(entry.right);
      if (isDeleted || isAskedFor(question, entry.right)) found.push(entry.right);
    }
    return E.right(found);
  };

  const next: Following['next'] = async () => {
    const until = performance.now() + beatMs;
    while (!isOver()) {
      const version = reading?.version ?? watch.version();
      reading ??= { version, page: readPage({ stream, from, limit, version }) };
      const page = await patiently(reading.page, until);
      if (page === undefined) return isOver() ? E.right(undefined) : pageOf([]);
      reading = undefined;
      if (E.isLeft(page)) {
        if (page.left._tag === 'StoreDamaged') return E.left(page.left);
        await watch.changed(version, Math.min(retryMs, until - performance.now()));
        retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
      } else if (page.right.entries.length === 0) {
        [limit, retryMs] = [FIRST_READ, FIRST_RETRY_MS];
        await watch.changed(version, until - performance.now());
      } else {
        retryMs = FIRST_RETRY_MS;
        limit = page.right.isCut ? Math.ceil(limit / 2) : Math.min(limit * 2, MAX_READ);
        const found = take(page.right.entries);
        if (E.isLeft(found)) return found;
        if (found.right.length > 0) return pageOf(found.right);
        await setImmediate();
      }
      if (performance.now() >= until) return pageOf([]);
    }
    return E.right(undefined);
  };

  return {
    next,
    end: () => {
      hasEnded = true;
      giveUp();
      watch.end();
    },
  };
};

/** @param untilReadable waits, not for long, until the read side has applied everything up to a position. */
export const createFollowPriceBook = (
  eventStore: Pick<EventStore, 'read' | 'head' | 'subscribe'>,
  untilReadable: (position: Position) => Promise<unknown>,
  news: StreamNews = createStreamNews(eventStore),
): FollowPriceBook => {
  const readPage = createEventPages(eventStore, untilReadable);

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
    return E.right(startFollowing({ news, readPage }, question, start.right, beatMs));
  };
};
