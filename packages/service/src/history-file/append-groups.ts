/** Appends groups in the order of the file, and sees to it that they are stored in that order. */
import type {
  AppendError,
  Appended,
  EventStore,
  NewEvent,
  Position,
  StoreError,
  StoreReadsOnly,
} from '@pricebook/application';
import * as E from 'fp-ts/Either';
import type { Group } from './groups';
import type { HistoryEvent } from './history-line';
import { patiently, type Patience } from '../command-line/patience';

export type AppendFailure =
  | StoreError
  | StoreReadsOnly
  | {
      readonly _tag: 'AppendTooLarge';
      readonly line: number;
      readonly bytes: number;
      readonly maxBytes: number;
    }
  /** Someone else has written to the stream. */
  | { readonly _tag: 'WrittenMeanwhile'; readonly stream: string; readonly line: number }
  /** An event was stored before one that stands before it in the file. */
  | { readonly _tag: 'OrderLost'; readonly line: number }
  | { readonly _tag: 'Interrupted' };

/** Appends all groups that it is given, each of which begins where its stream ends. */
export type AppendGroups = (groups: readonly Group[]) => Promise<E.Either<AppendFailure, void>>;

interface AppenderOptions {
  /**
   * How many appends are begun in one turn, without waiting for one another. More than one only where the store
   * commits those in that order, all or none: else a failure in the middle would change the order.
   */
  readonly inFlight: number;
  readonly patience: Patience;
  readonly onAppended: (group: Group) => void;
}

const toFailure = (error: AppendError, { stream, line }: Group): AppendFailure => {
  switch (error._tag) {
    case 'AppendTooLarge':
      return { ...error, line };
    case 'WrongExpectedRevision':
      return { _tag: 'WrittenMeanwhile', stream, line };
    case 'StoreReadsOnly':
    case 'StoreUnavailable':
    case 'StoreDamaged':
      return error;
  }
};

const toNew = ({ id, type, data, metadata }: HistoryEvent): NewEvent => ({ id, type, data, metadata });

const appendOne = (
  eventStore: EventStore,
  { stream, events }: Group,
): Promise<E.Either<AppendError, Appended>> => {
  const [first, ...rest] = events;
  const expected = first.revision === 0 ? 'noStream' : first.revision - 1;
  return eventStore.append(stream, expected, [toNew(first), ...rest.map(toNew)])();
};

export const createAppender = (
  eventStore: EventStore,
  { inFlight, patience, onAppended }: AppenderOptions,
): AppendGroups => {
  let lastPosition: Position | undefined;

  /** Appends the first groups, and takes those away that are stored. */
  const appendSome = async (waiting: Group[]): Promise<E.Either<AppendFailure, void>> => {
    const outcomes = await Promise.all(
      waiting.slice(0, inFlight).map((group) => appendOne(eventStore, group)),
    );
    for (const outcome of outcomes) {
      const [group] = waiting;
      if (group === undefined) break;
      if (E.isLeft(outcome)) return E.left(toFailure(outcome.left, group));
      const { position } = outcome.right;
      if (lastPosition !== undefined && position <= lastPosition) {
        return E.left({ _tag: 'OrderLost', line: group.line });
      }
      lastPosition = position;
      waiting.shift();
      onAppended(group);
    }
    return E.right(undefined);
  };

  return async (groups) => {
    const waiting = [...groups];
    while (waiting.length > 0) {
      if (patience.signal.aborted) return E.left({ _tag: 'Interrupted' });
      // What is sent again was either not stored, or the store knows it by its ids.
      const outcome = await patiently(() => appendSome(waiting), patience);
      if (E.isLeft(outcome)) return outcome;
    }
    return E.right(undefined);
  };
};
