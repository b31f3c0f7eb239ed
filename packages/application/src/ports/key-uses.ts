import type { TaskEither } from 'fp-ts/TaskEither';
import type { StoreError } from './store-error';

/** By the id of a key, the minute in which it was last used: ISO 8601, UTC, such as 2026-01-31T12:34:00.000Z. */
export type LastUses = ReadonlyMap<string, string>;

/** Remembers when keys were last used. It is no part of the history: a use is no event, and some may be lost. */
export interface KeyUses {
  /** Remembers uses; one that is not later than what is known of its key changes nothing. */
  readonly record: (uses: LastUses) => TaskEither<StoreError, void>;
  readonly readAll: TaskEither<StoreError, LastUses>;
}
