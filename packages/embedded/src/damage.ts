import type { StoreError } from '@pricebook/application';

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

/** What LMDB or this package threw, as an error of the ports. */
export const toStoreError = (failure: unknown): StoreError =>
  failure instanceof Damage
    ? { _tag: 'StoreDamaged', where: failure.file, reason: failure.reason }
    : { _tag: 'StoreUnavailable', reason: failure instanceof Error ? failure.message : String(failure) };
