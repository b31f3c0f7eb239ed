/**
 * Finds documents by their names for many who ask at once: what is asked while a command is under way goes into the
 * next one, and what several ask for is found once. Nobody gets what was found before they asked.
 */
import type { Collection } from 'mongodb';
import { findByNames, type Named } from './server';

export type LookUp<D> = (names: readonly string[]) => Promise<ReadonlyMap<string, D>>;

/** Commands under way at once. */
const COMMANDS = 4;

interface Batch<D> {
  readonly names: Set<string>;
  readonly found: Promise<ReadonlyMap<string, D>>;
  readonly start: () => void;
}

export const createLookUp = <D extends Named>(collection: Collection<D>): LookUp<D> => {
  let next: Batch<D> | undefined;
  let underWay = 0;

  const newBatch = (): Batch<D> => {
    const names = new Set<string>();
    let start: () => void = () => undefined;
    const started = new Promise<undefined>((resolve) => {
      start = () => {
        resolve(undefined);
      };
    });
    return { names, start, found: started.then(() => findByNames(collection, [...names])) };
  };

  const startNext = (): void => {
    if (next === undefined || underWay >= COMMANDS) return;
    const batch = next;
    next = undefined;
    underWay += 1;
    const end = (): void => {
      underWay -= 1;
      startNext();
    };
    batch.found.then(end, end);
    batch.start();
  };

  return (names) => {
    if (next === undefined) {
      next = newBatch();
      // Whatever else is asked in this turn of the event loop comes along.
      setImmediate(startNext);
    }
    for (const name of names) next.names.add(name);
    return next.found;
  };
};
