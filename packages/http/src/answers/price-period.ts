import type { PricePeriod } from '@pricebook/application';
import {
  described,
  exactly,
  oneOf,
  orNull,
  priceBookIdCodec,
  record,
  requestedAdjustmentCodec,
} from '@pricebook/domain';
import type * as t from 'io-ts';
import { plannedChangeCodec } from './planned-change';
import { priceCodec } from './product-price';
import { actorCodec, anyTextCodec, reasonCodec, instantCodec, revisionCodec } from './values';

const causeCodec = described(
  record(
    'PriceCause',
    {
      type: oneOf<PricePeriod['cause']['type']>('CauseType', [
        'PriceBookCreated',
        'PriceBookCloned',
        'ProductPricesSet',
        'AllProductsAdjusted',
        'PriceBookEntriesDeleted',
        'PriceBookDeleted',
        'PriceBookRestored',
      ]),
      priceBookId: priceBookIdCodec,
      revision: revisionCodec,
      actor: actorCodec,
    },
    {
      reason: reasonCodec,
      adjustment: requestedAdjustmentCodec,
      planned: plannedChangeCodec,
    },
  ),
  {
    description:
      'The event that began the period, and the book in which it happened: the one that was asked, or one of its bases. ' +
      '`adjustment` is what was asked, where something was. `planned` is there where nothing happened but that the ' +
      '`adjustment` began or ended, as it was planned; the event is the one that set it then.',
  },
);

/** A time through which the price was the same. */
export const pricePeriodCodec = described(
  record(
    'PricePeriod',
    { from: instantCodec, to: orNull(instantCodec), price: orNull(priceCodec), cause: causeCodec },
    { planned: exactly(true), problem: anyTextCodec },
  ),
  {
    description:
      '`from` is in the period and `to` is not; `to` is null in the last one, as far as was asked. `price` is null where there ' +
      'was none, and `problem` says why. `planned` is there where the period is still to begin.',
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
