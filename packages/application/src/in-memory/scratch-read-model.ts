/** A scratch read model in memory, for tests. */
import * as TE from 'fp-ts/TaskEither';
import type { ScratchReadModel } from '../audit/verification';
import { createInMemoryReadModel } from './read-model';

export const createInMemoryScratch = (): ScratchReadModel => {
  const marks = new Set<string>();
  return {
    ...createInMemoryReadModel(),
    mark: (names) =>
      TE.fromIO(() => {
        for (const name of names) marks.add(name);
      }),
    unmarked: (names) => TE.fromIO(() => names.filter((name) => !marks.has(name))),
  };
};
