import type { TaskEither } from 'fp-ts/TaskEither';
import type { ReadModel } from './read-model';
import type { StoreError } from './store-error';

/** A read model of a store that has room for several. */
export interface KeptReadModel extends ReadModel {
  /** Tells it from the others of its store; none ever has the name of another. */
  readonly name: string;
  readonly close: () => Promise<void>;
}

/** What is to be read. */
export interface ReadModelNames {
  readonly live: string;
  /** The one that is to be live soon: whoever writes has to wait for it as well. */
  readonly next?: string;
}

/** A read model that is being made. */
export interface NewReadModel extends KeptReadModel {
  /**
   * Makes it the live one, and takes the old one away once nobody can be reading that any more. Where it has failed
   * it may be called again. Nothing is applied to it here afterwards: those who serve do that.
   *
   * @returns false where it was told to stop before it was live; then `look` says what it said before.
   */
  readonly goLive: (signal: AbortSignal) => TaskEither<StoreError, boolean>;
  /** Takes it away, unless it is live. */
  readonly abandon: () => Promise<void>;
}

/** Keeps the live read model, and another one beside it while that is made. */
export interface ReadModelStore {
  /** Which read model is live. */
  readonly look: () => TaskEither<StoreError, ReadModelNames>;

  /** For how long after a look what it said may be relied on; absent for as long as one likes. */
  readonly leaseMs?: number;

  /** Opens a read model that `look` has named. */
  readonly open: (name: string) => Promise<KeptReadModel>;

  /**
   * Told that this process is about to answer from the read model that `look` has named as the live one.
   *
   * @returns false where that has been taken back meanwhile: look again.
   */
  readonly adopt: (name: string) => TaskEither<StoreError, boolean>;

  /**
   * Begins a new read model. One that was begun before and not finished is taken away.
   *
   * @throws Error where another process is at it.
   */
  readonly begin: () => Promise<NewReadModel>;
}
