/** What happened to a price book, in words that fit on a line. */
import {
  adjustmentInWords,
  type Adjustments,
  type AllProductsAdjustments,
  listed,
  type Metadata,
  type OneOrMore,
  type PriceBookEvent,
  type ProductId,
  type RequestedAdjustment,
  word,
} from '@pricebook/domain';
import { count } from '../command-line/sentences';

const adjustmentsInWords = (adjustments: Adjustments | AllProductsAdjustments): string =>
  Object.entries(adjustments as Readonly<Record<string, OneOrMore<RequestedAdjustment>>>)
    .map(([currency, asked]) => `${currency} ${listed(asked).map(adjustmentInWords).join(' and ')}`)
    .join(', ');

/** How many there are of what is listed; of one it goes without saying. */
const countOf = <A>(all: readonly A[], shown: readonly A[]): string => {
  if (shown.length < all.length) return ` (${String(shown.length)} of ${count(all.length, 'product')})`;
  return all.length === 1 ? '' : ` (${count(all.length, 'product')})`;
};

interface Details {
  readonly name?: string;
  readonly description?: string;
  readonly key?: string | null;
  readonly metadata?: Metadata;
}

const detailsInWords = ({ name, description, key, metadata }: Details): string =>
  [
    ...(name === undefined ? [] : [`name ${JSON.stringify(name)}`]),
    ...(description === undefined ? [] : [`description ${JSON.stringify(description)}`]),
    ...(key === undefined ? [] : [key === null ? 'key taken away' : `key ${key}`]),
    ...(metadata === undefined ? [] : [`metadata ${JSON.stringify(metadata)}`]),
  ].join(', ');

/**
 * Everything that an event changed.
 *
 * @param productId of an event about many products, only what is about this one.
 */
export const eventInWords = ({ type, data }: PriceBookEvent, productId?: ProductId): string => {
  switch (type) {
    case 'PriceBookCreated': {
      const [base] = data.basePriceBookIds;
      return `created: ${detailsInWords(data)}${base === undefined ? '' : `, base ${base}`}`;
    }
    case 'PriceBookCloned': {
      const { priceBookId, revision } = data.clonedFrom;
      const flattened = data.flattenedBases?.map(
        (base) => `${base.priceBookId} (revision ${String(base.revision)})`,
      );
      const bases = flattened === undefined ? '' : `, flattened with its bases ${flattened.join(', ')}`;
      return `cloned: ${detailsInWords(data)}, from ${priceBookId} (revision ${String(revision)})${bases}`;
    }
    case 'PriceBookUpdated':
      return `details changed: ${detailsInWords(data)}`;
    case 'ProductPricesSet': {
      const shown = data.items.filter((item) => productId === undefined || item.productId === productId);
      const items = shown.map((item) => `${word(item.productId)} ${adjustmentsInWords(item.adjustments)}`);
      return `prices set${countOf(data.items, shown)}: ${items.join('; ')}`;
    }
    case 'AllProductsAdjusted':
      return `all products: ${adjustmentsInWords(data.adjustments)}`;
    case 'PriceBookEntriesDeleted': {
      const shown = data.productIds.filter((id) => productId === undefined || id === productId);
      return `entries deleted${countOf(data.productIds, shown)}: ${shown.map(word).join(', ')}`;
    }
    case 'PriceBookDeleted':
      return 'deleted';
    case 'PriceBookRestored':
      return `restored${data.key === undefined ? '' : `: ${detailsInWords(data)}`}`;
  }
};
