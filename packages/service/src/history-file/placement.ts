/** Finds out what of a history a store has already. */
import { type EventStore, hashIn, type RecordedEvent, type StoreError } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import type { Group } from './groups';
import type { HistoryEvent } from './history-line';
import { patiently, type Patience } from '../command-line/patience';

/** The store has another event there than the file. */
export interface OtherEvents {
  readonly _tag: 'OtherEvents';
  readonly stream: string;
  readonly revision: number;
  readonly line: number;
}

/** How many events of a group the store has, and the group of those that it has not. */
interface Placed {
  readonly stored: number;
  readonly missing: Group | undefined;
}

export interface Placement {
  /** One answer a group. The groups of a stream have to come in their order. */
  readonly place: (
    groups: readonly Group[],
  ) => Promise<readonly E.Either<StoreError | OtherEvents, Placed>[]>;
  /** How many streams have been met. */
  readonly streams: () => number;
}

/** Reads at once: no more than any store answers in its time. */
const READS = 32;
const NO_EVENTS = -1;

const inParallel = async <A, B>(
  items: readonly A[],
  work: (item: A) => Promise<B>,
): Promise<readonly B[]> => {
  const results: B[] = [];
  for (let at = 0; at < items.length; at += READS) {
    results.push(...(await Promise.all(items.slice(at, at + READS).map(work))));
  }
  return results;
};

const isSame = (event: HistoryEvent, stored: RecordedEvent | undefined): boolean =>
  stored?.id === event.id && hashIn(stored) === hashIn(event);

const withoutFirst = (group: Group, count: number): Group | undefined => {
  const [first, ...rest] = group.events.slice(count);
  return first === undefined ? undefined : { ...group, events: [first, ...rest], line: group.line + count };
};

export const createPlacement = (eventStore: EventStore, patience: Patience): Placement => {
  /** The last revision that each stream had when it was met; -1 where it had no events. */
  const lastRevisions = new Map<string, E.Either<StoreError, number>>();

  const meet = async (stream: string): Promise<void> => {
    const found = await patiently(eventStore.read(stream, { direction: 'backwards', limit: 1 }), patience);
    lastRevisions.set(stream, E.isLeft(found) ? found : E.right(found.right[0]?.revision ?? NO_EVENTS));
  };

  const placeOne = async (group: Group): Promise<E.Either<StoreError | OtherEvents, Placed>> => {
    const { stream, events, line } = group;
    const [{ revision: from }] = events;
    const last = lastRevisions.get(stream) ?? E.right(NO_EVENTS);
    if (E.isLeft(last)) return last;
    const stored = Math.min(Math.max(last.right - from + 1, 0), events.length);
    if (stored > 0) {
      const options = { direction: 'forwards', from, limit: stored } as const;
      const found = await patiently(eventStore.read(stream, options), patience);
      if (E.isLeft(found)) return found;
      const other = events.slice(0, stored).findIndex((event, index) => !isSame(event, found.right[index]));
      if (other !== -1) {
        return E.left({ _tag: 'OtherEvents', stream, revision: from + other, line: line + other });
      }
    }
    return E.right({ stored, missing: withoutFirst(group, stored) });
  };

  return {
    place: async (groups) => {
      const unknown = new Set(groups.map(({ stream }) => stream).filter((one) => !lastRevisions.has(one)));
      await inParallel([...unknown], meet);
      return inParallel(groups, placeOne);
    },
    streams: () => lastRevisions.size,
  };
};
