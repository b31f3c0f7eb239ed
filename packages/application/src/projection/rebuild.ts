/** Builds a read model from the events beside the live one, and then names it the live one. */
import * as E from 'fp-ts/Either';
import type { EventStore, Position } from '../ports/event-store';
import type { NewReadModel, ReadModelStore } from '../ports/read-model-store';
import { replay, type ReplayError, type ReplayProgress } from './replay';

export interface RebuildOptions {
  /** Ends the rebuild: the new read model is removed, and the old one stays live. */
  readonly signal: AbortSignal;
  /** Told of the events that have been applied, and of the last position as far as that is known. */
  readonly onProgress: (progress: ReplayProgress & { readonly head: Position | undefined }) => void;
  /** Runs something again that failed because a store did not answer. */
  readonly patiently: <A, Failure extends { readonly _tag: string }>(
    attempt: () => Promise<E.Either<Failure, A>>,
  ) => Promise<E.Either<Failure, A>>;
}

export type RebuildError =
  | ReplayError
  /** Another rebuild was faster: its read model is live. */
  | { readonly _tag: 'Overtaken' };

export interface Rebuilt {
  readonly events: number;
  /** The name of the new read model. */
  readonly name: string;
}

/** Events that may be left: services apply them when they start. */
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

/** What failed before is what has to be reported. What stays behind is removed later. */
const abandonQuietly = (fresh: NewReadModel): Promise<void> => fresh.abandon().catch(() => undefined);

/**
 * Rebuilds the read model of a store. Reads and writes go on meanwhile, and running processes stay with the read model
 * that they opened. Where it fails or is interrupted, the old read model stays live.
 *
 * @throws Error where the store allows one rebuild at a time and another one is running.
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
    if (options.signal.aborted) return E.left({ _tag: 'Interrupted' });
    const live = await options.patiently(fresh.goLive);
    if (E.isLeft(live)) return live;
    return live.right ? E.right({ events: filled.right, name: fresh.name }) : E.left({ _tag: 'Overtaken' });
  };
  let rebuilt: E.Either<RebuildError, Rebuilt> | undefined;
  try {
    rebuilt = await run();
    return rebuilt;
  } finally {
    if (rebuilt === undefined || E.isLeft(rebuilt)) await abandonQuietly(fresh);
    else await fresh.close();
  }
};
