/**
 * What happened to a price book, in the form in which it is kept now. Whoever changes a shape here adds what reads
 * the one before to upcasters.ts, and a golden file.
 */
import type * as t from 'io-ts';
import { adjustmentsCodec, allProductsAdjustmentsCodec } from '../adjustments/adjustments';
import {
  described,
  exactly,
  type JsonCodec,
  orNull,
  record,
  taggedBy,
  text,
  wholeNumber,
} from '../codecs/codecs';
import { listOf } from '../codecs/lists';
import { priceBookIdCodec, productIdCodec } from '../identifiers';
import { textsByName } from './details';

const event = <Type extends string, Data>(type: Type, data: JsonCodec<Data>) =>
  record(type, { type: exactly(type), data });

// The lengths of names belong to requests: what has been accepted once stays readable.
const anyText = text('text', { min: 0, max: Infinity });
const anyMetadata = textsByName(anyText, anyText, Infinity);

/** A book as one of its revisions left it. */
const bookAtRevisionCodec = described(
  record('BookAtRevision', {
    priceBookId: priceBookIdCodec,
    revision: wholeNumber('BookRevision', { description: 'The revision of the book.', examples: [3] }),
    updatedAt: described(text('UpdatedAt', { min: 0, max: Infinity }), {
      description: 'When the book came to the revision, in UTC.',
      examples: ['2026-11-21T07:20:01.471Z'],
    }),
  }),
  { description: 'A book as one of its revisions left it.' },
);

export type BookAtRevision = t.TypeOf<typeof bookAtRevisionCodec>;

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

  /** Everything that the source held is in the new book: one event, however many products there are. */
  PriceBookCloned: record(
    'PriceBookClonedData',
    {
      name: anyText,
      description: anyText,
      basePriceBookIds: described(listOf(priceBookIdCodec), {
        description:
          'The chain of bases, nearest first: that of the source, or empty where it was flattened.',
      }),
      clonedFrom: bookAtRevisionCodec,
    },
    {
      key: anyText,
      metadata: anyMetadata,
      flattenedBases: described(listOf(bookAtRevisionCodec), {
        description: 'Where the chain of bases was flattened into the clone: the bases, nearest first.',
      }),
    },
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
const priceBookClonedCodec = event('PriceBookCloned', priceBookEventDataCodecs.PriceBookCloned);
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
export type PriceBookCloned = t.TypeOf<typeof priceBookClonedCodec>;
export type PriceBookUpdated = t.TypeOf<typeof priceBookUpdatedCodec>;
export type ProductPricesSet = t.TypeOf<typeof productPricesSetCodec>;
export type AllProductsAdjusted = t.TypeOf<typeof allProductsAdjustedCodec>;
export type PriceBookEntriesDeleted = t.TypeOf<typeof priceBookEntriesDeletedCodec>;
export type PriceBookDeleted = t.TypeOf<typeof priceBookDeletedCodec>;
export type PriceBookRestored = t.TypeOf<typeof priceBookRestoredCodec>;

export type PriceBookEvent =
  | PriceBookCreated
  | PriceBookCloned
  | PriceBookUpdated
  | ProductPricesSet
  | AllProductsAdjusted
  | PriceBookEntriesDeleted
  | PriceBookDeleted
  | PriceBookRestored;

/** Reads any event of a price book from `{ type, data }`, in the shape of now. */
export const priceBookEventReader = taggedBy<PriceBookEvent>('PriceBookEvent', 'type', {
  PriceBookCreated: priceBookCreatedCodec,
  PriceBookCloned: priceBookClonedCodec,
  PriceBookUpdated: priceBookUpdatedCodec,
  ProductPricesSet: productPricesSetCodec,
  AllProductsAdjusted: allProductsAdjustedCodec,
  PriceBookEntriesDeleted: priceBookEntriesDeletedCodec,
  PriceBookDeleted: priceBookDeletedCodec,
  PriceBookRestored: priceBookRestoredCodec,
});
