import type { PricePeriod } from '@pricebook/application';
import { adjustmentCodec, described, oneOf, orNull, priceBookIdCodec, record } from '@pricebook/domain';
import type * as t from 'io-ts';
import { priceCodec } from './product-price';
import { actorCodec, anyTextCodec, instantCodec, revisionCodec } from './values';

const causeCodec = described(
  record(
    'PriceCause',
    {
      type: oneOf<PricePeriod['cause']['type']>('CauseType', [
        'PriceBookCreated',
        'ProductPricesSet',
        'AllProductsAdjusted',
        'PriceBookEntriesDeleted',
        'PriceBookDeleted',
      ]),
      priceBookId: priceBookIdCodec,
      revision: revisionCodec,
      actor: actorCodec,
    },
    { adjustment: adjustmentCodec },
  ),
  {
    description:
      'The event that began the period, and the book in which it happened: the one that was asked, or one of its bases. ' +
      '`adjustment` is what was asked, where something was.',
  },
);

/** A time through which the price was the same. */
export const pricePeriodCodec = described(
  record(
    'PricePeriod',
    { from: instantCodec, to: orNull(instantCodec), price: orNull(priceCodec), cause: causeCodec },
    { problem: anyTextCodec },
  ),
  {
    description:
      '`from` is in the period and `to` is not; `to` is null in the last one. `price` is null where there was none, and ' +
      '`problem` says why.',
    examples: [
      {
        from: '2026-11-21T07:20:01.471Z',
        to: null,
        price: 49.99,
        cause: {
          type: 'ProductPricesSet',
          priceBookId: '01a1fcf9-f25b-75a0-80fb-5049634a2f84',
          revision: 1,
          actor: '4qFy2KdM',
          adjustment: { type: 'override', amount: 49.99 },
        },
      },
    ],
  },
);

export type PricePeriodBody = t.TypeOf<typeof pricePeriodCodec>;
