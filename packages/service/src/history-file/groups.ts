/** Cuts a history into what is appended at once, by the same rule each time. */
import * as E from 'fp-ts/Either';
import type { HistoryEvent } from './history-line';
import type { FaultyLine, HistoryEntry } from './read-history';

/** What shares one append at most: EventStoreDB takes 1 MiB. */
const APPEND = { events: 500, bytes: 512 * 1024 };
/** What is in hand at most. */
const BATCH = { groups: 256, bytes: 4 * 1024 * 1024 };

/** Consecutive events of one stream. */
export interface Group {
  readonly stream: string;
  readonly events: readonly [HistoryEvent, ...HistoryEvent[]];
  /** The line of the first event; those of the others follow. */
  readonly line: number;
  readonly bytes: number;
  /** Where its last line ends in the file, in bytes. */
  readonly end: number;
}

type OpenGroup = {
  -readonly [K in keyof Group]: K extends 'events' ? [HistoryEvent, ...HistoryEvent[]] : Group[K];
};

const belongsTo = (group: OpenGroup, { event, bytes }: HistoryEntry): boolean =>
  group.stream === event.stream && group.events.length < APPEND.events && group.bytes + bytes <= APPEND.bytes;

const extend = (group: OpenGroup, { event, bytes, end }: HistoryEntry): void => {
  group.events.push(event);
  group.bytes += bytes;
  group.end = end;
};

const begin = ({ event, line, bytes, end }: HistoryEntry): OpenGroup => ({
  stream: event.stream,
  events: [event],
  line,
  bytes,
  end,
});

/** The groups of a history in order, some at a time. Ends with the first faulty line, after what stands before it. */
export const batchesOf = async function* (
  history: AsyncIterable<readonly E.Either<FaultyLine, HistoryEntry>[]>,
): AsyncGenerator<E.Either<FaultyLine, readonly Group[]>> {
  let groups: OpenGroup[] = [];
  let bytes = 0;
  const take = (): readonly Group[] => {
    const taken = groups;
    groups = [];
    bytes = 0;
    return taken;
  };
  for await (const entries of history) {
    for (const entry of entries) {
      if (E.isLeft(entry)) {
        yield E.right(take());
        yield entry;
        return;
      }
      const last = groups.at(-1);
      if (last !== undefined && belongsTo(last, entry.right)) extend(last, entry.right);
      else {
        // The last group may still grow: a batch ends where the next one begins.
        if (groups.length >= BATCH.groups || bytes >= BATCH.bytes) yield E.right(take());
        groups.push(begin(entry.right));
      }
      bytes += entry.right.bytes;
    }
  }
  yield E.right(take());
};
