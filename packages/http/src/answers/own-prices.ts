/** What a book says itself, of its products and for all of them. */
import {
  currencyCodec,
  described,
  mapOf,
  percentCodec,
  productIdCodec,
  record,
  relativeAdjustmentCodec,
  standingAdjustmentCodec,
} from '@pricebook/domain';
import type * as t from 'io-ts';
import { instantCodec, revisionCodec } from './values';

export const productOwnPricesCodec = described(
  record('ProductOwnPrices', {
    productId: productIdCodec,
    adjustments: mapOf(currencyCodec, standingAdjustmentCodec, Infinity),
    percents: mapOf(currencyCodec, relativeAdjustmentCodec, Infinity),
  }),
  {
    description:
      'By currency. `adjustments` says the prices; in a book with a base it is whatever stands, percents too. `percents` is ' +
      'what a product of a root book has beside that.',
    examples: [
      {
        productId: 'lamp',
        adjustments: { USD: { type: 'override', amount: 49.99 } },
        percents: { USD: { type: 'percent', amount: -20 } },
      },
    ],
  },
);

export const bookPercentsCodec = described(
  mapOf(
    currencyCodec,
    record('BookPercent', { percent: percentCodec, since: instantCodec, revision: revisionCodec }),
    Infinity,
  ),
  {
    description: '`since` is the time of the event that set the percent, and `revision` that of the event.',
    examples: [{ USD: { percent: 10, since: '2026-11-21T07:20:01.486Z', revision: 2 } }],
  },
);

export type ProductOwnPricesBody = t.TypeOf<typeof productOwnPricesCodec>;
export type BookPercentsBody = t.TypeOf<typeof bookPercentsCodec>;
