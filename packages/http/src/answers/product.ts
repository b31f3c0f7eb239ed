/** One product: the books that hold something of it, and what it has and costs in one of them. */
import { described, listOf, priceBookIdCodec, productIdCodec, record, text } from '@pricebook/domain';
import type * as t from 'io-ts';
import { datedField, ownPricesFields } from './own-prices';
import { listedPriceCodec } from './listed-price';

const lamp = { USD: { type: 'override', amount: 49.99 } } as const;
const book = '01a1fcf9-f25b-75a0-80fb-5049634a2f84';

export const productBookCodec = described(
  record(
    'ProductBook',
    {
      priceBookId: priceBookIdCodec,
      name: described(text('name', { min: 0, max: Infinity }), { examples: ['Retail'] }),
      ...ownPricesFields,
    },
    datedField,
  ),
  {
    description:
      'A book, and what the product has of its own in it: as List Product Prices has it, by currency.',
    examples: [{ priceBookId: book, name: 'Retail', adjustments: lamp, percents: {} }],
  },
);

export const productCodec = described(
  record(
    'Product',
    {
      productId: productIdCodec,
      priceBookId: priceBookIdCodec,
      ...ownPricesFields,
      prices: listOf(listedPriceCodec),
    },
    datedField,
  ),
  {
    description:
      'What the product has of its own in the book, by currency, and its price in each currency in which it has one.',
    examples: [
      {
        productId: 'lamp',
        priceBookId: book,
        adjustments: lamp,
        percents: {},
        prices: [
          { productId: 'lamp', price: 54.99, currency: 'USD', effectiveDate: '2026-11-21T07:20:01.486Z' },
        ],
      },
    ],
  },
);

export type ProductBookBody = t.TypeOf<typeof productBookCodec>;
export type ProductBody = t.TypeOf<typeof productCodec>;
