/** The single changes that an entry is made of. */
import type { AnyAdjustment } from '../../ui/adjustment-words';
import type { Entry } from './follow';

export interface Change {
  /** Undefined for all products. */
  readonly productId: string | undefined;
  readonly currency: string | undefined;
  /** Undefined where all of the product's own prices were removed. */
  readonly adjustment: AnyAdjustment | undefined;
}

type Requested = AnyAdjustment | null | readonly (AnyAdjustment | null)[];

const REMOVED: AnyAdjustment = { type: 'null', amount: null };

const changesIn = (
  productId: string | undefined,
  adjustments: Readonly<Record<string, Requested>>,
): readonly Change[] =>
  Object.entries(adjustments).flatMap(([currency, requested]) =>
    [requested].flat().map((one) => ({ productId, currency, adjustment: one ?? REMOVED })),
  );

export const changesOf = (entry: Entry): readonly Change[] => {
  switch (entry.type) {
    case 'ProductPricesSet':
      return entry.data.items.flatMap(({ productId, adjustments }) => changesIn(productId, adjustments));
    case 'AllProductsAdjusted':
      return changesIn(undefined, entry.data.adjustments);
    case 'PriceBookEntriesDeleted':
      return entry.data.productIds.map((productId) => ({
        productId,
        currency: undefined,
        adjustment: undefined,
      }));
    case 'PriceBookCreated':
    case 'PriceBookCloned':
    case 'PriceBookUpdated':
    case 'PriceBookDeleted':
    case 'PriceBookRestored':
      return [];
  }
};

/** The product that all changes are about; undefined where there are several, or all. */
export const onlyProductIn = (changes: readonly Change[]): string | undefined => {
  const productId = changes[0]?.productId;
  return changes.every((change) => change.productId === productId) ? productId : undefined;
};

/** Groups that people know, not the types of events. */
export const KINDS = [
  ['', 'All changes'],
  ['products', 'Prices of products'],
  ['all', 'All products'],
  ['removed', 'Removed prices'],
  ['book', 'The book itself'],
] as const;
export type Kind = (typeof KINDS)[number][0];

export const kindOf = ({ type }: Entry): Kind =>
  type === 'ProductPricesSet'
    ? 'products'
    : type === 'AllProductsAdjusted'
      ? 'all'
      : type === 'PriceBookEntriesDeleted'
        ? 'removed'
        : 'book';
