/**
 * What happened to a price book, in the form in which it is kept now. Whoever changes a shape here adds what reads
 * the one before to upcasters.ts, and a golden file.
 */
import type * as t from 'io-ts';
import { adjustmentsCodec, allProductsAdjustmentsCodec } from '../adjustments/adjustments';
import { described, exactly, type JsonCodec, orNull, record, taggedBy, text } from '../codecs/codecs';
import { listOf } from '../codecs/lists';
import { priceBookIdCodec, productIdCodec } from '../identifiers';
import { textsByName } from './details';

const event = <Type extends string, Data>(type: Type, data: JsonCodec<Data>) =>
  record(type, { type: exactly(type), data });

// The lengths of names belong to requests: what has been accepted once stays readable.
const anyText = text('text', { min: 0, max: Infinity });
const anyMetadata = textsByName(anyText, anyText, Infinity);

/** By type, what is kept of an event beside its type. */
export const priceBookEventDataCodecs = {
  PriceBookCreated: record(
    'PriceBookCreatedData',
    {
      name: anyText,
      description: anyText,
      basePriceBookIds: described(listOf(priceBookIdCodec), {
        description: 'The chain of bases, nearest first; empty in a root book.',
      }),
    },
    { key: anyText, metadata: anyMetadata },
  ),

  PriceBookUpdated: described(
    record(
      'PriceBookUpdatedData',
      {},
      { name: anyText, description: anyText, key: orNull(anyText), metadata: anyMetadata },
    ),
    {
      description: 'Only the fields that were given; `key` is null where it was taken away.',
    },
  ),

  /** Every item has at least one adjustment. */
  ProductPricesSet: record('ProductPricesSetData', {
    items: listOf(
      record('ProductPricesSetItem', { productId: productIdCodec, adjustments: adjustmentsCodec }),
    ),
  }),

  AllProductsAdjusted: record('AllProductsAdjustedData', { adjustments: allProductsAdjustmentsCodec }),

  PriceBookEntriesDeleted: record('PriceBookEntriesDeletedData', { productIds: listOf(productIdCodec) }),

  PriceBookDeleted: record('PriceBookDeletedData', {}),

  PriceBookRestored: described(record('PriceBookRestoredData', {}, { key: orNull(anyText) }), {
    description:
      'A deleted book is as it was again. `key` is there only where another one was given, or null for none.',
  }),
};

const priceBookCreatedCodec = event('PriceBookCreated', priceBookEventDataCodecs.PriceBookCreated);
const priceBookUpdatedCodec = event('PriceBookUpdated', priceBookEventDataCodecs.PriceBookUpdated);
const productPricesSetCodec = event('ProductPricesSet', priceBookEventDataCodecs.ProductPricesSet);
const allProductsAdjustedCodec = event('AllProductsAdjusted', priceBookEventDataCodecs.AllProductsAdjusted);
const priceBookEntriesDeletedCodec = event(
  'PriceBookEntriesDeleted',
  priceBookEventDataCodecs.PriceBookEntriesDeleted,
);
const priceBookDeletedCodec = event('PriceBookDeleted', priceBookEventDataCodecs.PriceBookDeleted);
const priceBookRestoredCodec = event('PriceBookRestored', priceBookEventDataCodecs.PriceBookRestored);

export type PriceBookCreated = t.TypeOf<typeof priceBookCreatedCodec>;
export type PriceBookUpdated = t.TypeOf<typeof priceBookUpdatedCodec>;
export type ProductPricesSet = t.TypeOf<typeof productPricesSetCodec>;
export type AllProductsAdjusted = t.TypeOf<typeof allProductsAdjustedCodec>;
export type PriceBookEntriesDeleted = t.TypeOf<typeof priceBookEntriesDeletedCodec>;
export type PriceBookDeleted = t.TypeOf<typeof priceBookDeletedCodec>;
export type PriceBookRestored = t.TypeOf<typeof priceBookRestoredCodec>;

export type PriceBookEvent =
  | PriceBookCreated
  | PriceBookUpdated
  | ProductPricesSet
  | AllProductsAdjusted
  | PriceBookEntriesDeleted
  | PriceBookDeleted
  | PriceBookRestored;

/** Reads any event of a price book from `{ type, data }`, in the shape of now. */
export const priceBookEventReader = taggedBy<PriceBookEvent>('PriceBookEvent', 'type', {
  PriceBookCreated: priceBookCreatedCodec,
  PriceBookUpdated: priceBookUpdatedCodec,
  ProductPricesSet: productPricesSetCodec,
  AllProductsAdjusted: allProductsAdjustedCodec,
  PriceBookEntriesDeleted: priceBookEntriesDeletedCodec,
  PriceBookDeleted: priceBookDeletedCodec,
  PriceBookRestored: priceBookRestoredCodec,
});
