import type { TaskEither } from 'fp-ts/TaskEither';
import type { StoreError, StoreReadsOnly } from './store-error';

/** A place in the order of all events of a store. Later events have greater positions; there may be gaps. */
export type Position = bigint;

export interface NewEvent {
  /** A UUID. The same event sent again has the same id. */
  readonly id: string;
  readonly type: string;
  /** JSON. */
  readonly data: unknown;
  /** JSON. */
  readonly metadata: unknown;
}

export interface RecordedEvent extends NewEvent {
  readonly stream: string;
  /** Its place in the stream; the first is 0, without gaps. */
  readonly revision: number;
  readonly position: Position;
}

/**
 * Names an event, of a book or not: the last one that a reader has. It says nothing of where the store keeps the event, so
 * it still holds after a restore, or an import into another store.
 */
export interface FeedPlace {
  readonly stream: string;
  readonly revision: number;
  /** The id of the event. After a restore from an older backup, another event may have its revision. */
  readonly eventId: string;
}

/** The revision of the last event that the writer has seen; `noStream` where it has seen none. */
export type ExpectedRevision = number | 'noStream';

/** Where appended events came to stand. */
export interface Appended {
  readonly lastRevision: number;
  readonly position: Position;
}

export type AppendError =
  | { readonly _tag: 'WrongExpectedRevision'; readonly actual: ExpectedRevision }
  | { readonly _tag: 'AppendTooLarge'; readonly bytes: number; readonly maxBytes: number }
  | StoreReadsOnly
  | StoreError;

export interface ReadOptions {
  readonly direction: 'forwards' | 'backwards';
  /** The first revision to read; absent for the start, or backwards for the end. */
  readonly from?: number;
  readonly limit: number;
}

/** Events in the order of the store, and how far they bring a reader. */
export interface EventBatch {
  readonly events: readonly RecordedEvent[];
  /** Nothing at or before this position is still to come. */
  readonly checkpoint: Position;
}

/** Keeps events in streams, durably, and never changes one. */
export interface EventStore {
  /**
   * Adds events to a stream, all or none. Succeeds only when they are safe on disk.
   *
   * The identical append sent again (same stream, expected revision and ids) succeeds with the first answer
   * and stores nothing.
   */
  readonly append: (
    stream: string,
    expected: ExpectedRevision,
    events: readonly [NewEvent, ...NewEvent[]],
  ) => TaskEither<AppendError, Appended>;

  /** Reads a stream; a stream that does not exist is empty. */
  readonly read: (stream: string, options: ReadOptions) => TaskEither<StoreError, readonly RecordedEvent[]>;

  /** Events of all streams after a position, in the order of the store, at most so many; none only at the end. */
  readonly readAll: (
    after: Position | undefined,
    limit: number,
  ) => TaskEither<StoreError, readonly RecordedEvent[]>;

  /**
   * All events of all streams after a position: first those that are there, then new ones as they come.
   * Ends when the signal is aborted; fails with a `StoreError` as the reason.
   *
   * @param after absent for the very beginning.
   */
  readonly subscribe: (after: Position | undefined, signal: AbortSignal) => AsyncIterable<EventBatch>;

  /** The last event; undefined in an empty store. Where only its position matters, `head` costs less. */
  readonly last: TaskEither<StoreError, RecordedEvent | undefined>;
  /** The position of the last event; undefined in an empty store. */
  readonly head: () => TaskEither<StoreError, Position | undefined>;

  /** What keeps it from taking events now, where it knows that without trying. */
  readonly obstacle?: () => StoreReadsOnly | undefined;
}
