/**
 * What happened to a price book, in the form in which it is kept now. Whoever changes a shape here adds what reads
 * the one before to upcasters.ts, and a golden file.
 */
import type * as t from 'io-ts';
import { adjustmentsCodec, allProductsAdjustmentsCodec } from '../adjustments/adjustments';
import { exactly, type JsonCodec, record, taggedBy, text } from '../codecs/codecs';
import { listOf } from '../codecs/lists';
import { priceBookIdCodec, productIdCodec } from '../identifiers';

const event = <Type extends string, Data>(type: Type, data: JsonCodec<Data>) =>
  record(type, { type: exactly(type), data });

// The lengths of names belong to requests: what has been accepted once stays readable.
const anyText = text('Text', { min: 0, max: Infinity });

const priceBookCreatedCodec = event(
  'PriceBookCreated',
  record('PriceBookCreatedData', {
    name: anyText,
    description: anyText,
    /** The chain of bases, nearest first; empty in a root book. */
    basePriceBookIds: listOf(priceBookIdCodec),
  }),
);

/** Only the fields that were given. */
const priceBookUpdatedCodec = event(
  'PriceBookUpdated',
  record('PriceBookUpdatedData', {}, { name: anyText, description: anyText }),
);

/** Every item has at least one adjustment. */
const productPricesSetCodec = event(
  'ProductPricesSet',
  record('ProductPricesSetData', {
    items: listOf(record('Item', { productId: productIdCodec, adjustments: adjustmentsCodec })),
  }),
);

const allProductsAdjustedCodec = event(
  'AllProductsAdjusted',
  record('AllProductsAdjustedData', { adjustments: allProductsAdjustmentsCodec }),
);

const priceBookEntriesDeletedCodec = event(
  'PriceBookEntriesDeleted',
  record('PriceBookEntriesDeletedData', { productIds: listOf(productIdCodec) }),
);

const priceBookDeletedCodec = event('PriceBookDeleted', record('PriceBookDeletedData', {}));

export type PriceBookCreated = t.TypeOf<typeof priceBookCreatedCodec>;
export type PriceBookUpdated = t.TypeOf<typeof priceBookUpdatedCodec>;
export type ProductPricesSet = t.TypeOf<typeof productPricesSetCodec>;
export type AllProductsAdjusted = t.TypeOf<typeof allProductsAdjustedCodec>;
export type PriceBookEntriesDeleted = t.TypeOf<typeof priceBookEntriesDeletedCodec>;
export type PriceBookDeleted = t.TypeOf<typeof priceBookDeletedCodec>;

export type PriceBookEvent =
  | PriceBookCreated
  | PriceBookUpdated
  | ProductPricesSet
  | AllProductsAdjusted
  | PriceBookEntriesDeleted
  | PriceBookDeleted;

/** Reads any event of a price book from `{ type, data }`, in the shape of now. */
export const priceBookEventReader = taggedBy<PriceBookEvent>('type', {
  PriceBookCreated: priceBookCreatedCodec,
  PriceBookUpdated: priceBookUpdatedCodec,
  ProductPricesSet: productPricesSetCodec,
  AllProductsAdjusted: allProductsAdjustedCodec,
  PriceBookEntriesDeleted: priceBookEntriesDeletedCodec,
  PriceBookDeleted: priceBookDeletedCodec,
});
