import type { PriceBookId } from '@pricebook/domain';

/** Makes ids that nobody has made before. */
export interface Ids {
  /** Later ids of one process are greater as text. */
  readonly newPriceBookId: () => PriceBookId;
  /** A UUID. */
  readonly newCommandId: () => string;
  /** Uniform, unpredictable bytes. */
  readonly randomBytes: (count: number) => Uint8Array;
}
