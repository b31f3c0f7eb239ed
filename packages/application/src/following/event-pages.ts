/**
 * Reads the pages that followers of books want next. Many follow the same book, and want the same page when something
 * has come: it is read once for all of them.
 */
import * as E from 'fp-ts/Either';
import { createAtMost } from '../at-most';
import type { EventStore, Position } from '../ports/event-store';
import type { StoreError } from '../ports/store-error';
import { entryOf, type HistoryEntry, type UnreadableEntry } from '../queries/price-book-history';

/** Reads at once, so that those of writes find room beside them, and that the events of few are in memory. */
const READS_AT_ONCE = 8;
/** What a page has at most; one event always fits. */
const PAGE_BYTES = 256 * 1024;

interface EventPage {
  /** In the order of the stream, without gaps; none only at its end. */
  readonly entries: readonly E.Either<UnreadableEntry, HistoryEntry>[];
  /** Whether there were more than a page takes. */
  readonly isCut: boolean;
}

interface PageQuestion {
  readonly stream: string;
  /** The first revision. */
  readonly from: number;
  readonly limit: number;
  /** The version of the stream's news when this was asked: only what was asked for since then is shared. */
  readonly version: number;
}

export type ReadPage = (question: PageQuestion) => Promise<E.Either<StoreError, EventPage>>;

interface FoundPage extends EventPage {
  readonly last: Position | undefined;
}

/**
 * @param untilReadable waits, not for long, until the read side has applied everything up to a position: who is told
 *   of a price, and asks for it, is to find it.
 */
export const createEventPages = (
  eventStore: Pick<EventStore, 'read'>,
  untilReadable: (position: Position) => Promise<unknown>,
): ReadPage => {
  const atMost = createAtMost(READS_AT_ONCE);
  const underWay = new Map<string, Promise<E.Either<StoreError, EventPage>>>();

  const read = async ({ stream, from, limit }: PageQuestion): Promise<E.Either<StoreError, FoundPage>> => {
    const found = await eventStore.read(stream, { direction: 'forwards', from, limit })();
    if (E.isLeft(found)) return found;
    const entries: E.Either<UnreadableEntry, HistoryEntry>[] = [];
    let bytes = 0;
    let last: Position | undefined;
    for (const recorded of found.right) {
      bytes += Buffer.byteLength(JSON.stringify(recorded.data));
      if (entries.length > 0 && bytes > PAGE_BYTES) return E.right({ entries, isCut: true, last });
      entries.push(entryOf(recorded));
      last = recorded.position;
    }
    return E.right({ entries, isCut: false, last });
  };

  const readReadable = async (question: PageQuestion): Promise<E.Either<StoreError, EventPage>> => {
    const page = await atMost(() => read(question));
    if (E.isRight(page) && page.right.last !== undefined) await untilReadable(page.right.last);
    return page;
  };

  return (question) => {
    const { stream, from, limit, version } = question;
    const name = [stream, from, limit, version].join(' ');
    const shared = underWay.get(name);
    if (shared !== undefined) return shared;
    const page = readReadable(question).finally(() => {
      underWay.delete(name);
    });
    underWay.set(name, page);
    return page;
  };
};
