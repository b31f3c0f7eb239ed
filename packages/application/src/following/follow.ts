/** Follows events: what there is, and then what comes, each once and in order. */
import { setImmediate } from 'node:timers/promises';
import * as E from 'fp-ts/Either';
import type { StoreDamaged, StoreError } from '../ports/store-error';
import type { UndecodableEvent } from '../recorded-event';
import type { EventPage } from './event-pages';
import type { Watch } from './stream-news';

/** Events read at once: few at first, since each may be large, and more where they turn out to be small. */
const FIRST_READ = 8;
const MAX_READ = 128;
/** How long is waited before a store that does not answer is asked again: from the first time to the last. */
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2_000;

export interface FollowedPage<Entry, Place> {
  /** None where no event came for as long as a beat. */
  readonly entries: readonly Entry[];
  /** Everything before this place is in the pages so far, or is not asked for. */
  readonly next: Place;
}

export interface Following<Entry, Place> {
  /** The place of the first event that it asks for. */
  readonly start: Place;
  /**
   * What comes next; undefined when nothing more will, since the events or the following have ended. Waits no longer
   * than a beat, also while a store does not answer: that is tried again. Asked one at a time.
   */
  readonly next: () => Promise<
    E.Either<UndecodableEvent | StoreDamaged, FollowedPage<Entry, Place> | undefined>
  >;
  /** Has to be called; it ends a wait for what comes next. */
  readonly end: () => void;
}

/** What an event is to a follower. */
export interface Taken<Entry> {
  /** Absent where it is not asked for. */
  readonly entry?: Entry | undefined;
  /** Whether nothing comes after it. */
  readonly isLast?: boolean;
}

export interface Followed<Read, Entry, Place> {
  readonly watch: Watch;
  /** @param version that of the news when the page is asked for. */
  readonly readPage: (
    from: Place,
    limit: number,
    version: number,
  ) => Promise<E.Either<StoreError, EventPage<Read>>>;
  readonly take: (read: Read) => E.Either<UndecodableEvent, Taken<Entry>>;
  readonly placeAfter: (read: Read) => Place;
}

/** @param start the place of the first event. */
export const startFollowing = <Read, Entry, Place>(
  { watch, readPage, take, placeAfter }: Followed<Read, Entry, Place>,
  start: Place,
  beatMs: number,
): Following<Entry, Place> => {
  let place = start;
  let limit = FIRST_READ;
  let retryMs = FIRST_RETRY_MS;
  let isAtEnd = false;
  let hasEnded = false;
  const isOver = (): boolean => isAtEnd || hasEnded;

  /** What is read next, also where a beat comes before it. */
  let reading: { readonly version: number; readonly page: ReturnType<typeof readPage> } | undefined;
  let giveUp: () => void = () => undefined;

  /** Waits for a page until a time, or until the following ends; undefined where the page has not come by then. */
  const patiently = (
    page: ReturnType<typeof readPage>,
    until: number,
  ): Promise<Awaited<typeof page> | undefined> =>
    new Promise((resolve, reject) => {
      giveUp = () => {
        resolve(undefined);
      };
      const timer = setTimeout(giveUp, Math.max(0, until - performance.now()));
      page.then(resolve, reject).finally(() => {
        clearTimeout(timer);
      });
    });

  const pageOf = (entries: readonly Entry[]) => E.right({ entries, next: place });

  /** What is asked for of a page, up to an event that cannot be read; that is the error where it is the first. */
  const takeAll = (page: readonly Read[]) => {
    const found: Entry[] = [];
    for (const read of page) {
      const taken = take(read);
      if (E.isLeft(taken)) return found.length === 0 ? taken : E.right(found);
      place = placeAfter(read);
      const { entry, isLast = false } = taken.right;
      if (entry !== undefined) found.push(entry);
      isAtEnd = isLast;
    }
    return E.right(found);
  };

  const next: Following<Entry, Place>['next'] = async () => {
    const until = performance.now() + beatMs;
    while (!isOver()) {
      const version = reading?.version ?? watch.version();
      reading ??= { version, page: readPage(place, limit, version) };
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
        const found = takeAll(page.right.entries);
        if (E.isLeft(found)) return found;
        if (found.right.length > 0) return pageOf(found.right);
        await setImmediate();
      }
      if (performance.now() >= until) return pageOf([]);
    }
    return E.right(undefined);
  };

  return {
    start,
    next,
    end: () => {
      hasEnded = true;
      giveUp();
      watch.end();
    },
  };
};
