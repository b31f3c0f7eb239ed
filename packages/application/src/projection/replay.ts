/** Replays the history into a read model that nobody is served from. */
import { setImmediate } from 'node:timers/promises';
import * as E from 'fp-ts/Either';
import type * as TE from 'fp-ts/TaskEither';
import type { EventStore, Position, RecordedEvent } from '../ports/event-store';
import type { ReadModel } from '../ports/read-model';
import type { StoreError } from '../ports/store-error';
import type { UndecodableEvent } from '../recorded-event';
import type { ReadModelChange } from './changes';
import { applyClone, cloneIn, type ClonesBooks } from './clone-holdings';
import { changesOfRecorded } from './recorded-changes';

/** Events that are read at once: first, and at most; fewer where they are large, which not every store looks at. */
const FIRST_PAGE = 100;
const MAX_PAGE = 1_000;
/** What the changes of a page are worth, about. */
const PAGE_WEIGHT = 5_000;

/** How many events to read next, after a page whose changes were worth so much. */
const nextPage = (limit: number, weight: number): number =>
  Math.max(1, Math.min(MAX_PAGE, limit * 2, Math.floor((limit * PAGE_WEIGHT) / Math.max(1, weight))));
/** Changes after which a step ends, unless the read model likes more: memory is bounded by a step. */
const MAX_STEP = 5_000;
/** So many rows of a table take as much memory as a change without one. */
const ROWS_OF_A_CHANGE = 10;

/** How many changes without tables a change is worth. */
const weightOf = (change: ReadModelChange): number => {
  if (change._tag === 'PriceBookChange' || change.adjustments === 'removeAll') return 1;
  let rows = 0;
  for (const adjustment of Object.values(change.adjustments)) {
    for (const part of Object.values(adjustment ?? {})) if (Array.isArray(part)) rows += part.length;
  }
  return 1 + rows / ROWS_OF_A_CHANGE;
};

export interface ReplayProgress {
  /** Events that this replay has applied. */
  readonly events: number;
  /** How far the read model has come; undefined before the first event. */
  readonly position: Position | undefined;
}

export interface ReplayOptions {
  /** The last position to apply. */
  readonly until: Position;
  /** Ends the replay between two steps. */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: ReplayProgress) => void;
}

/** What a history is replayed into. */
export type ReplayedInto = Pick<ReadModel, 'checkpoint' | 'changesTogether'> & ClonesBooks;

export type ReplayError = StoreError | UndecodableEvent | { readonly _tag: 'Interrupted' };

/**
 * Applies everything from the checkpoint of the read model up to a position, in steps of whole events. What was
 * applied before it failed or was interrupted stands, so that it goes on there when it is run again.
 */
export const replay =
  (
    eventStore: Pick<EventStore, 'readAll'>,
    readModel: ReplayedInto,
    { until, signal, onProgress }: ReplayOptions,
  ): TE.TaskEither<ReplayError, ReplayProgress> =>
  async () => {
    const maxStep = readModel.changesTogether ?? MAX_STEP;
    const checkpoint = await readModel.checkpoint()();
    if (E.isLeft(checkpoint)) return checkpoint;
    let applied: ReplayProgress = { events: 0, position: checkpoint.right };
    let read = applied;
    let changes: ReadModelChange[] = [];
    let weight = 0;
    let limit = FIRST_PAGE;

    /** The step in hand; nothing ends before it does. */
    let applying: Promise<E.Either<StoreError, void>> = Promise.resolve(E.right(undefined));

    /** Begins to apply what has been read, while more is read; says how the step before it ended. */
    const apply = async (): Promise<E.Either<StoreError, void>> => {
      const before = await applying;
      const { position } = read;
      if (E.isLeft(before) || position === undefined || position === applied.position) return before;
      const step = read;
      applying = readModel
        .apply(changes, position, applied.position)()
        .then((result) => {
          if (E.isRight(result)) {
            applied = step;
            onProgress?.(applied);
          }
          return result;
        });
      changes = [];
      weight = 0;
      return before;
    };

    const finish = async (): Promise<E.Either<StoreError, void>> => {
      const before = await apply();
      return E.isLeft(before) ? before : applying;
    };

    const readPage = (): Promise<E.Either<ReplayError, readonly RecordedEvent[]>> =>
      signal.aborted
        ? Promise.resolve(E.left({ _tag: 'Interrupted' }))
        : eventStore.readAll(read.position, limit)();

    while (read.position === undefined || read.position < until) {
      const page = await readPage();
      if (E.isLeft(page)) {
        const before = await applying;
        return E.isLeft(before) ? before : page;
      }
      const events = page.right.filter(({ position }) => position <= until);
      let pageWeight = 0;
      for (const recorded of events) {
        const found = changesOfRecorded(recorded);
        if (E.isLeft(found)) {
          const before = await finish();
          return E.isLeft(before) ? before : found;
        }
        const clone = cloneIn(found.right);
        let ofClone: readonly ReadModelChange[] = [];
        if (clone !== undefined) {
          const before = await finish();
          if (E.isLeft(before)) return before;
          const { position } = applied;
          const cloned =
            position === undefined ? E.right([]) : await applyClone(readModel, clone, position, signal);
          if (E.isLeft(cloned)) return cloned;
          if (cloned.right === undefined) return E.left({ _tag: 'Interrupted' });
          ofClone = cloned.right;
        }
        const all = clone === undefined ? found.right : [...found.right, ...ofClone];
        for (const change of all) {
          changes.push(change);
          const worth = weightOf(change);
          weight += worth;
          pageWeight += worth;
        }
        read = { events: read.events + 1, position: recorded.position };
        if (weight < maxStep) continue;
        const before = await apply();
        if (E.isLeft(before)) return before;
      }
      // The store may end before the position, where that is not of an event of ours.
      if (events.length === 0) break;
      limit = nextPage(limit, pageWeight);
      await setImmediate();
    }
    const last = await finish();
    return E.isLeft(last) ? last : E.right(applied);
  };
