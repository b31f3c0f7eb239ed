/** What lists of prices hold: the price of a product, or why there is none. */
import { currencyCodec, described, productIdCodec, record } from '@pricebook/domain';
import type * as t from 'io-ts';
import { lineProblemCodec } from './problem';
import { laterPriceFields, priceFields } from './product-price';

const { price, effectiveDate } = priceFields;

/** One shape for both, since clients that are generated have no use for a choice of shapes. */
export const listedPriceCodec = described(
  record(
    'ListedPrice',
    { productId: productIdCodec, currency: currencyCodec },
    { price, effectiveDate, ...laterPriceFields, problem: lineProblemCodec },
  ),
  {
    description: 'What Get Product Price answers: `price` and what goes with it, or `problem`.',
    examples: [
      { productId: 'lamp', price: 54.99, currency: 'USD', effectiveDate: '2026-11-21T07:20:01.486Z' },
    ],
  },
);

export type ListedPriceBody = t.TypeOf<typeof listedPriceCodec>;
