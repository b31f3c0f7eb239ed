import type { TaskEither } from 'fp-ts/TaskEither';
import type { ReadModel } from './read-model';
import type { StoreError } from './store-error';

/** A read model of a store that has room for several. */
export interface KeptReadModel extends ReadModel {
  /** Unique in its store, and never used again. */
  readonly name: string;
  readonly close: () => Promise<void>;
}

/** A read model that is being built. */
export interface NewReadModel extends KeptReadModel {
  /**
   * Names it the live one. Processes that start from now on open it; those that run stay with theirs. After an error
   * it may be called again.
   *
   * @returns false where another one has become live since this one was begun.
   */
  readonly goLive: TaskEither<StoreError, boolean>;
  /** Removes it, unless it is live or may have become live. */
  readonly abandon: () => Promise<void>;
}

/** Keeps the live read model, and others beside it: those that are being built, and those that processes still use. */
export interface ReadModelStore {
  /**
   * Opens the live read model. The process stays with it, whichever becomes live later.
   *
   * @throws Error where it is of other events, or ahead of them.
   */
  readonly openLive: () => Promise<KeptReadModel>;

  /**
   * Begins a new read model, beside the live one.
   *
   * @throws Error where the store allows one at a time and another process builds one.
   */
  readonly begin: () => Promise<NewReadModel>;
}
