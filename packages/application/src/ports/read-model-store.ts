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
   * Makes it the live one, and takes the old one away once nobody can be reading that any more.
   *
   * @returns false where it was told to stop before; then everything is as it was.
   */
  readonly goLive: (signal: AbortSignal) => TaskEither<StoreError, boolean>;
  /** Takes it away. */
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

  /** Told that this process answers from the read model of this name. */
  readonly adopted: (name: string) => TaskEither<StoreError, void>;

  /**
   * Begins a new read model. One that was begun before and not finished is taken away.
   *
   * @throws Error where another process is at it.
   */
  readonly begin: () => Promise<NewReadModel>;
}
