/** What happened to a price book, in words that fit on a line. */
import type { Adjustment, PriceBookEvent, ProductId } from '@pricebook/domain';
import { count } from '../command-line/sentences';

/** A text as it is where it cannot be mistaken for anything else, and in quotes otherwise. */
const word = (text: string): string => (/^[\p{L}\p{N}_./-]+$/u.test(text) ? text : JSON.stringify(text));

interface UnitRow {
  readonly firstUnit: number;
  readonly lastUnit: number | null;
  readonly unitPrice: number;
}

const rowsInWords = (rows: readonly UnitRow[]): string =>
  rows
    .map(
      ({ firstUnit, lastUnit, unitPrice }) =>
        `${String(firstUnit)}-${lastUnit === null ? '' : String(lastUnit)}: ${String(unitPrice)}`,
    )
    .join(', ');

const adjustmentInWords = (adjustment: Adjustment): string => {
  switch (adjustment.type) {
    case 'override':
      return `override ${String(adjustment.amount)}`;
    case 'percent':
      return `percent ${adjustment.amount > 0 ? '+' : ''}${String(adjustment.amount)}`;
    case 'null':
      return 'removed';
    case 'volume':
      return `volume (${rowsInWords(adjustment.tiers)})`;
    case 'range':
      return `range of ${word(adjustment.property)} (${rowsInWords(adjustment.values)})`;
    case 'enum': {
      const values = adjustment.values.map(({ value, unitPrice }) => `${word(value)}: ${String(unitPrice)}`);
      return `enum of ${word(adjustment.property)} (${values.join(', ')})`;
    }
  }
};

const adjustmentsInWords = (adjustments: Readonly<Partial<Record<string, Adjustment>>>): string =>
  Object.entries(adjustments)
    .map(([currency, adjustment]) =>
      adjustment === undefined ? '' : `${currency} ${adjustmentInWords(adjustment)}`,
    )
    .join(', ');

/** How many there are of what is listed; of one it goes without saying. */
const countOf = <A>(all: readonly A[], shown: readonly A[]): string => {
  if (shown.length < all.length) return ` (${String(shown.length)} of ${count(all.length, 'product')})`;
  return all.length === 1 ? '' : ` (${count(all.length, 'product')})`;
};

const detailsInWords = ({
  name,
  description,
}: {
  readonly name?: string;
  readonly description?: string;
}): string =>
  [
    ...(name === undefined ? [] : [`name ${JSON.stringify(name)}`]),
    ...(description === undefined ? [] : [`description ${JSON.stringify(description)}`]),
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
  }
};
