/**
 * Reads the pages that followers want next. Many follow the same events, and want the same page when something has
 * come: it is read once for all of them.
 */
import * as E from 'fp-ts/Either';
import { createAtMost } from '../at-most';
import type { Position, RecordedEvent } from '../ports/event-store';
import type { StoreError } from '../ports/store-error';

/** Reads at once, so that those of writes find room beside them, and that the events of few are in memory. */
const READS_AT_ONCE = 8;
/** What a page has at most; one event always fits. */
const PAGE_BYTES = 256 * 1024;

export interface EventPage<Entry> {
  /** In order, without gaps; none only at the end. */
  readonly entries: readonly Entry[];
  /** Whether there were more than a page takes. */
  readonly isCut: boolean;
}

interface FoundPage<Entry> extends EventPage<Entry> {
  readonly last: Position | undefined;
}

interface EventPagesParts<Question, Entry> {
  /** What tells a question from others. It names the version of the news: only what was asked for since is shared. */
  readonly nameOf: (question: Question) => string;
  readonly read: (question: Question) => Promise<E.Either<StoreError, readonly RecordedEvent[]>>;
  readonly entryOf: (recorded: RecordedEvent) => Entry;
  /**
   * Waits, not for long, until the read side has applied everything up to a position: who is told of a price, and
   * asks for it, is to find it.
   */
  readonly untilReadable: (position: Position) => Promise<unknown>;
}

export const createEventPages = <Question, Entry>({
  nameOf,
  read,
  entryOf,
  untilReadable,
}: EventPagesParts<Question, Entry>): ((
  question: Question,
) => Promise<E.Either<StoreError, EventPage<Entry>>>) => {
  const atMost = createAtMost(READS_AT_ONCE);
  const underWay = new Map<string, Promise<E.Either<StoreError, EventPage<Entry>>>>();

  const readDecoded = async (question: Question): Promise<E.Either<StoreError, FoundPage<Entry>>> => {
    const found = await read(question);
    if (E.isLeft(found)) return found;
    const entries: Entry[] = [];
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

  const readReadable = async (question: Question): Promise<E.Either<StoreError, EventPage<Entry>>> => {
    const page = await atMost(() => readDecoded(question));
    if (E.isRight(page) && page.right.last !== undefined) await untilReadable(page.right.last);
    return page;
  };

  return (question) => {
    const name = nameOf(question);
    const shared = underWay.get(name);
    if (shared !== undefined) return shared;
    const page = readReadable(question).finally(() => {
      underWay.delete(name);
    });
    underWay.set(name, page);
    return page;
  };
};
