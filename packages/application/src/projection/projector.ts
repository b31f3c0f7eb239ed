/** Keeps the read model up with the event store, and lets writers wait until it has come that far. */
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import * as E from 'fp-ts/Either';
import type { EventBatch, EventStore, Position, RecordedEvent } from '../ports/event-store';
import type { ReadModel } from '../ports/read-model';
import { isStoreError, type StoreDamaged, type StoreError } from '../ports/store-error';
import { areOfOneCommand, type UndecodableEvent } from '../recorded-event';
import type { ReadModelChange } from './changes';
import { applyClone, cloneIn, type ClonesBooks } from './clone-holdings';
import { changesOfRecorded } from './recorded-changes';
import { createWaiters, type ReadSide } from './read-side';

export type ProjectorStatus =
  /** Follows the event store. */
  | { readonly _tag: 'Running'; readonly position: Position | undefined }
  /** Lost a store and tries again. */
  | { readonly _tag: 'Retrying'; readonly position: Position | undefined; readonly error: StoreError }
  /** Met an event that it cannot read. It is not skipped: only another version of the service, or a backup, helps. */
  | { readonly _tag: 'Stopped'; readonly position: Position | undefined; readonly error: Unreadable }
  | { readonly _tag: 'Closed'; readonly position: Position | undefined };

/** An event that no retry makes readable. */
type Unreadable = UndecodableEvent | StoreDamaged;

/** Told of everything that an operator should know. */
export type ProjectorListener = (status: ProjectorStatus) => void;

export interface Projector extends ReadSide {
  readonly status: () => ProjectorStatus;
  /** Finishes the batch in hand, unless that takes too long, and stops. */
  readonly close: () => Promise<void>;
}

const FIRST_RETRY_MS = 50;
const LAST_RETRY_MS = 2_000;
/** How long closing waits for the batch in hand. */
const CLOSE_MS = 3_000;
/** A subscription that has lasted so long counts as one that works. */
const SETTLED_MS = 1_000;
/** How often it is looked whether the read model is where it was left. */
const LOOK_MS = 1_000;
/** Changes after which a step ends, unless the read model likes more: some milliseconds of work. */
const MAX_STEP = 1_000;

/** Starts to project. */
export const startProjector = (
  eventStore: EventStore,
  readModel: Pick<ReadModel, 'checkpoint' | 'changesTogether'> & ClonesBooks,
  listener: ProjectorListener,
): Projector => {
  const stopping = new AbortController();
  const isStopping = (): boolean => stopping.signal.aborted;
  const waiters = createWaiters();
  const maxStep = readModel.changesTogether ?? MAX_STEP;
  let status: ProjectorStatus = { _tag: 'Running', position: undefined };

  const become = (next: ProjectorStatus): void => {
    const isNews = next._tag !== status._tag;
    status = next;
    if (isNews) listener(status);
  };

  const reach = (position: Position): void => {
    status = { ...status, position };
    waiters.reached(position);
  };

  /** Nobody waits for what will not come. */
  const end = (last: ProjectorStatus): void => {
    become(last);
    waiters.giveUp();
  };

  const apply = async (
    changes: readonly ReadModelChange[],
    checkpoint: Position,
  ): Promise<E.Either<StoreError, void>> => {
    const applied = await readModel.apply(changes, checkpoint, status.position)();
    if (E.isRight(applied)) {
      reach(checkpoint);
      become({ _tag: 'Running', position: checkpoint });
    }
    return applied;
  };

  /**
   * Applies a batch in steps of whole requests, so that no reader sees half of one and others are answered in
   * between. What stands before an event that cannot be read is applied all the same.
   */
  const applyBatch = async ({
    events,
    checkpoint,
  }: EventBatch): Promise<E.Either<StoreError | UndecodableEvent, void>> => {
    let changes: ReadModelChange[] = [];
    let last: RecordedEvent | undefined;
    for (const recorded of events) {
      const found = changesOfRecorded(recorded);
      const isStepFull = last !== undefined && changes.length >= maxStep && !areOfOneCommand(last, recorded);
      const clone = E.isRight(found) ? cloneIn(found.right) : undefined;
      const endsStep = isStepFull || E.isLeft(found) || clone !== undefined;
      if (last !== undefined && changes.length > 0 && endsStep) {
        const applied = await apply(changes, last.position);
        if (E.isLeft(applied)) return applied;
        changes = [];
        await setImmediate();
      }
      if (E.isLeft(found)) return found;
      for (const change of found.right) changes.push(change);
      const { position } = status;
      if (clone !== undefined && position !== undefined) {
        const cloned = await applyClone(readModel, clone, position, stopping.signal);
        if (E.isLeft(cloned)) return cloned;
        if (cloned.right === undefined) return E.right(undefined);
        changes.push(...cloned.right);
      }
      last = recorded;
    }
    return apply(changes, checkpoint);
  };

  /**
   * Ends a subscription where the read model has gone back behind what was applied to it, as one that is brought back
   * from a backup has. It is resumed at what is there.
   */
  const endWhenBehind = async (subscription: AbortController): Promise<void> => {
    const { signal } = subscription;
    const isOver = (): boolean => signal.aborted;
    while (!isOver()) {
      await delay(LOOK_MS, undefined, { signal }).catch(() => undefined);
      const { position } = status;
      if (isOver() || position === undefined) continue;
      const stored = await readModel.checkpoint()();
      if (E.isRight(stored) && (stored.right === undefined || stored.right < position)) subscription.abort();
    }
  };

  /** Follows the event store until it fails or is told to stop. */
  const follow = async (): Promise<StoreError | UndecodableEvent | undefined> => {
    const checkpoint = await readModel.checkpoint()();
    if (E.isLeft(checkpoint)) return checkpoint.left;
    status = { ...status, position: checkpoint.right };
    if (checkpoint.right !== undefined) waiters.reached(checkpoint.right);
    // A store that is back may have nothing new: that it does not fail for a while has to do.
    const settled = setTimeout(() => {
      become({ _tag: 'Running', position: status.position });
    }, SETTLED_MS);
    const ended = new AbortController();
    const signal = AbortSignal.any([stopping.signal, ended.signal]);
    const watching = endWhenBehind(ended);
    try {
      for await (const batch of eventStore.subscribe(checkpoint.right, signal)) {
        // Whether it works is known when this batch is applied.
        clearTimeout(settled);
        const applied = await applyBatch(batch);
        if (E.isLeft(applied)) return applied.left;
        if (isStopping()) return undefined;
      }
    } catch (failure) {
      if (isStoreError(failure)) return failure;
      throw failure;
    } finally {
      clearTimeout(settled);
      ended.abort();
      await watching;
    }
    return undefined;
  };

  const run = async (): Promise<void> => {
    let retryMs = FIRST_RETRY_MS;
    while (!isStopping()) {
      const before = status.position;
      const error = await follow();
      const { position } = status;
      if (error?._tag === 'UndecodableEvent' || error?._tag === 'StoreDamaged') {
        end({ _tag: 'Stopped', position, error });
        return;
      }
      if (error !== undefined) become({ _tag: 'Retrying', position, error });
      if (isStopping()) return;
      retryMs = position === before ? Math.min(retryMs * 2, LAST_RETRY_MS) : FIRST_RETRY_MS;
      // Jitter keeps the projectors of several processes from coming back all at once.
      await delay(retryMs * (0.5 + Math.random() / 2), undefined, { signal: stopping.signal }).catch(
        () => undefined,
      );
    }
  };

  const running = run();

  return {
    reached: () => status.position,
    waitFor: (position, timeoutMs) => {
      if (status.position !== undefined && status.position >= position) return Promise.resolve(true);
      if (status._tag === 'Stopped' || status._tag === 'Closed') return Promise.resolve(false);
      return waiters.wait(position, timeoutMs);
    },
    status: () => status,
    close: async () => {
      stopping.abort();
      // A store that is slow may need longer for the batch in hand: what is cut off is applied again.
      const isOver = new AbortController();
      const tooLong = delay(CLOSE_MS, undefined, { signal: isOver.signal }).catch(() => undefined);
      await Promise.race([running, tooLong]);
      isOver.abort();
      end({ _tag: 'Closed', position: status.position });
    },
  };
};
