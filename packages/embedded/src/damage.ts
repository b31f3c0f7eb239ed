import type { StoreError } from '@pricebook/application';
import * as E from 'fp-ts/Either';

/** A file that holds what it cannot have been given. */
export class Damage extends Error {
  override readonly name = 'Damage';
  constructor(
    readonly file: string,
    readonly reason: string,
  ) {
    super(`${file} is damaged: ${reason}`);
  }
}

/**
 * What lies behind a commit that failed. lmdb gives it as a promise of its own, whose rejection ends the process
 * where nobody takes it.
 */
const causeOf = (failure: unknown): Promise<unknown> => {
  const hasCause = typeof failure === 'object' && failure !== null && 'commitError' in failure;
  return Promise.resolve(hasCause ? failure.commitError : failure).catch((cause: unknown) => cause);
};

/** LMDB's codes for: page not found, corrupted, version mismatch, invalid. */
const DAMAGE_CODES: readonly unknown[] = [-30797, -30796, -30794, -30793];

/** What LMDB threw over a file, as damage to it where it is that; as it is otherwise. */
export const asDamage = (file: string, failure: unknown): unknown =>
  failure instanceof Error && 'code' in failure && DAMAGE_CODES.includes(failure.code)
    ? new Damage(file, failure.message)
    : failure;

/** What LMDB or this package threw over a file, as an error of the ports. */
export const toStoreError = (file: string, failure: unknown): StoreError => {
  const error = asDamage(file, failure);
  return error instanceof Damage
    ? { _tag: 'StoreDamaged', where: error.file, reason: error.reason }
    : { _tag: 'StoreUnavailable', reason: error instanceof Error ? error.message : String(error) };
};

/** What comes of a commit: its failure as an error of the ports. */
export const committed = <A>(file: string, commit: Promise<A>): Promise<E.Either<StoreError, A>> =>
  commit.then(E.right, async (failure: unknown) => E.left(toStoreError(file, await causeOf(failure))));
