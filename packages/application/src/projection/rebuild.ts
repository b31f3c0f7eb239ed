/** Makes the read model anew from the events, beside the one that answers, and has that one's place taken. */
import * as E from 'fp-ts/Either';
import type { EventStore, Position } from '../ports/event-store';
import type { NewReadModel, ReadModelStore } from '../ports/read-model-store';
import { replay, type ReplayError, type ReplayProgress } from './replay';

export interface RebuildOptions {
  /** Ends the rebuild; what was made is taken away, and the old read model stays. */
  readonly signal: AbortSignal;
  /** Told of the events that have been applied, and of the last position as far as that is known. */
  readonly onProgress: (progress: ReplayProgress & { readonly head: Position | undefined }) => void;
  /** Told when the new read model has all events, and is to take its place. */
  readonly onGoingLive: () => void;
  /** Runs something again that failed because a store did not answer. */
  readonly patiently: <A, Failure extends { readonly _tag: string }>(
    attempt: () => Promise<E.Either<Failure, A>>,
  ) => Promise<E.Either<Failure, A>>;
}

export type RebuildError = ReplayError;

export interface Rebuilt {
  readonly events: number;
  /** The name of the new read model. */
  readonly name: string;
}

/** So few events are left to those who take the read model over. */
const CLOSE_ENOUGH = 1_000;

/** Replays until few events are left; each round is shorter, as fewer events have come meanwhile. */
const fill = async (
  eventStore: EventStore,
  fresh: NewReadModel,
  { signal, onProgress, patiently }: RebuildOptions,
): Promise<E.Either<ReplayError, number>> => {
  let events = 0;
  for (;;) {
    const head = await patiently(eventStore.head());
    if (E.isLeft(head)) return head;
    const until = head.right;
    if (until === undefined) return E.right(events);
    const before = events;
    const done = await patiently(async () => {
      let applied = 0;
      const result = await replay(eventStore, fresh, {
        until,
        signal,
        onProgress: (progress) => {
          applied = progress.events;
          onProgress({ ...progress, events: events + applied, head: until });
        },
      })();
      events += applied;
      return result;
    });
    if (E.isLeft(done)) return done;
    if (events - before < CLOSE_ENOUGH) return E.right(events);
  }
};

/** Why it is abandoned is what has to be said. Where that fails too, the next rebuild takes away what is left. */
const abandonQuietly = (fresh: NewReadModel): Promise<void> => fresh.abandon().catch(() => undefined);

/**
 * Rebuilds the read model of a store. Reads and writes go on meanwhile. Where it fails or is interrupted, the old
 * read model stays as it was.
 *
 * @throws Error where another process is at it.
 */
export const rebuild = async (
  eventStore: EventStore,
  store: ReadModelStore,
  options: RebuildOptions,
): Promise<E.Either<RebuildError, Rebuilt>> => {
  const fresh = await store.begin();
  const run = async (): Promise<E.Either<RebuildError, Rebuilt>> => {
    const filled = await fill(eventStore, fresh, options);
    if (E.isLeft(filled)) return filled;
    options.onGoingLive();
    const live = await options.patiently(fresh.goLive(options.signal));
    if (E.isLeft(live)) return live;
    return live.right ? E.right({ events: filled.right, name: fresh.name }) : E.left({ _tag: 'Interrupted' });
  };
  let rebuilt: E.Either<RebuildError, Rebuilt>;
  try {
    rebuilt = await run();
  } catch (failure) {
    await abandonQuietly(fresh);
    throw failure;
  }
  if (E.isLeft(rebuilt)) await abandonQuietly(fresh);
  return rebuilt;
};
