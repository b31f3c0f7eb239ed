/** Reads a whole event store and writes it as lines. */
import type { EventStore, Position, RecordedEvent, StoreError } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import { encodeLine } from './history-line';
import { patiently, type Patience } from '../command-line/patience';

/** Events that are read at once, and written before the next. */
const PAGE = 1_000;

export interface Exported {
  readonly events: number;
  readonly streams: number;
  /** Up to where the store was read; undefined where it is empty. */
  readonly position: Position | undefined;
}

interface Interrupted {
  readonly _tag: 'Interrupted';
}

export type ExportError =
  StoreError | { readonly _tag: 'Gap'; readonly stream: string; readonly revision: number } | Interrupted;

export interface ExportOptions {
  readonly patience: Patience;
  /** Takes some lines; settles when there is room for more. */
  readonly write: (lines: string) => Promise<void>;
  readonly onProgress: (progress: Exported) => void;
}

/** All events, and those that come until the end is reached, page by page. An error ends them. */
export const readPages = async function* (
  eventStore: Pick<EventStore, 'readAll'>,
  patience: Patience,
): AsyncGenerator<E.Either<StoreError | Interrupted, readonly RecordedEvent[]>> {
  let position: Position | undefined;
  let limit = PAGE;
  const readPage = async () => {
    const page = await eventStore.readAll(position, limit)();
    // A store that has little time to answer may manage with fewer large events.
    limit = E.isLeft(page) ? Math.ceil(limit / 4) : Math.min(limit * 2, PAGE);
    return page;
  };
  for (;;) {
    const page = await patiently(readPage, patience);
    const last = E.isRight(page) ? page.right.at(-1) : undefined;
    if (patience.signal.aborted) yield E.left({ _tag: 'Interrupted' });
    else if (E.isLeft(page) || last !== undefined) yield page;
    if (patience.signal.aborted || last === undefined) return;
    position = last.position;
  }
};

/** Exports what is there, and what comes until the end is reached. */
export const exportHistory = async (
  eventStore: EventStore,
  { patience, write, onProgress }: ExportOptions,
): Promise<E.Either<ExportError, Exported>> => {
  /** The revision that comes next, by stream. */
  const next = new Map<string, number>();
  let done: Exported = { events: 0, streams: 0, position: undefined };
  for await (const page of readPages(eventStore, patience)) {
    if (E.isLeft(page)) return page;
    for (const { stream, revision } of page.right) {
      const expected = next.get(stream) ?? 0;
      // No store has that, and no import would take it.
      if (revision !== expected) return E.left({ _tag: 'Gap', stream, revision: expected });
      next.set(stream, revision + 1);
    }
    await write(page.right.map(encodeLine).join(''));
    const position = page.right.at(-1)?.position;
    done = { events: done.events + page.right.length, streams: next.size, position };
    onProgress(done);
  }
  return E.right(done);
};
