/** Cuts what is written to MongoDB off in the middle, as the end of a process does. */
import { Collection, MongoError } from 'mongodb';

const WRITES = ['insertMany', 'bulkWrite', 'updateOne', 'deleteMany'] as const;

/**
 * Lets so many writes of this process succeed, and none after them.
 *
 * @returns lets all succeed again.
 */
export const cutWritesAfter = (count: number): (() => void) => {
  let left = count;
  const methods = Collection.prototype as unknown as Record<
    string,
    (...given: unknown[]) => Promise<unknown>
  >;
  const originals = WRITES.map((name) => [name, methods[name]] as const);
  for (const [name, original] of originals) {
    if (original === undefined) throw new Error(`the driver has no ${name}`);
    methods[name] = function (this: unknown, ...given) {
      left -= 1;
      return left < 0 ? Promise.reject(new MongoError('cut off')) : original.apply(this, given);
    };
  }
  return () => {
    for (const [name, original] of originals) if (original !== undefined) methods[name] = original;
  };
};
