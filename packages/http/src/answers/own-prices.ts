/** What a book says itself, of its products and for all of them. */
import type { BookPercents } from '@pricebook/application';
import {
  adjustmentCodec,
  type BookPercent,
  type Currency,
  currencyCodec,
  described,
  listOf,
  mapOf,
  orNull,
  percentCodec,
  productIdCodec,
  record,
  relativeAdjustmentCodec,
  standingAdjustmentCodec,
} from '@pricebook/domain';
import type * as t from 'io-ts';
import { instantCodec, revisionCodec } from './values';

/** What is going to begin or to end, in the shape that Set Product Prices takes. */
const datedCodec = listOf(adjustmentCodec);

/** What a product has of its own, by currency. */
export const ownPricesFields = {
  adjustments: mapOf(currencyCodec, standingAdjustmentCodec, Infinity),
  percents: mapOf(currencyCodec, relativeAdjustmentCodec, Infinity),
};
export const datedField = { dated: mapOf(currencyCodec, datedCodec, Infinity) };

export const productOwnPricesCodec = described(
  record('ProductOwnPrices', { productId: productIdCodec, ...ownPricesFields }, datedField),
  {
    description:
      'By currency. `adjustments` sets the prices; in a book with a base it is whatever stands, percents too. `percents` is ' +
      'what a product of a root book has beside that. `dated` is what is going to begin or end; it is absent where nothing is.',
    examples: [
      {
        productId: 'lamp',
        adjustments: { USD: { type: 'override', amount: 49.99 } },
        percents: { USD: { type: 'percent', amount: -20 } },
      },
      {
        productId: 'lamp',
        adjustments: { USD: { type: 'override', amount: 49.99 } },
        percents: {},
        dated: {
          USD: [
            {
              type: 'percent',
              amount: -20,
              validFrom: '2026-11-27T00:00:00.000Z',
              validUntil: '2026-11-30T00:00:00.000Z',
            },
          ],
        },
      },
    ],
  },
);

export const bookPercentsCodec = described(
  mapOf(
    currencyCodec,
    record(
      'BookPercent',
      {
        percent: orNull(percentCodec),
        adjustment: orNull(relativeAdjustmentCodec),
        since: orNull(instantCodec),
        revision: orNull(revisionCodec),
      },
      { dated: datedCodec },
    ),
    Infinity,
  ),
  {
    description:
      '`adjustment` is the change of all prices in force, and `percent` its percent, null where it is of another kind. ' +
      '`since` is when it began, and `revision` that of the event that set it; all are null ' +
      'where no change is in force. `dated` is what is going to begin or end; it is absent where nothing is.',
    examples: [
      {
        USD: {
          percent: 10,
          adjustment: { type: 'percent', amount: 10 },
          since: '2026-11-21T07:20:01.486Z',
          revision: 2,
        },
      },
    ],
  },
);

export type ProductOwnPricesBody = t.TypeOf<typeof productOwnPricesCodec>;
export type BookPercentsBody = t.TypeOf<typeof bookPercentsCodec>;

export const bookPercentsBody = (percents: BookPercents['percents']): BookPercentsBody => {
  const body: Partial<Record<Currency, BookPercentsBody[Currency]>> = {};
  for (const [currency, own] of Object.entries(percents) as [Currency, BookPercent][]) {
    const { adjustment } = own;
    body[currency] = { percent: adjustment?.type === 'percent' ? adjustment.amount : null, ...own };
  }
  return body;
};
