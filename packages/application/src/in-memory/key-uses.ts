/** Uses of keys in memory, for tests. */
import * as TE from 'fp-ts/TaskEither';
import { latestOf } from '../api-keys/key-use-recorder';
import type { KeyUses, LastUses } from '../ports/key-uses';

export const createInMemoryKeyUses = (): KeyUses => {
  let kept: LastUses = new Map();
  return {
    record: (uses) =>
      TE.fromIO(() => {
        kept = latestOf(kept, uses);
      }),
    readAll: TE.fromIO(() => kept),
  };
};
