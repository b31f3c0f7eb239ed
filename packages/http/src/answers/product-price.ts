/** What a product costs, and how that came about. */
import {
  absoluteAdjustmentCodec,
  type AppliedChange,
  currencyCodec,
  described,
  isJsonObject,
  type JsonCodec,
  listOf,
  makeCodec,
  numberBetween,
  oneOf,
  orNull,
  priceBookIdCodec,
  productIdCodec,
  record,
  relativeAdjustmentCodec,
  text,
} from '@pricebook/domain';
import * as t from 'io-ts';
import { actorCodec, countCodec, instantCodec, reasonCodec, revisionCodec } from './values';

/** The event that something goes back to. */
const stampFields = { revision: revisionCodec, occurredAt: instantCodec, actor: actorCodec };
const reasonField = { reason: reasonCodec };

/** A computed price may be above what can be entered. */
export const priceCodec = described(numberBetween('Price', 0, Infinity), {
  description: "A price in the currency's major unit.",
  examples: [54.99],
});

const rowCodec: JsonCodec<unknown> = makeCodec(
  'Row',
  (u, c) => (isJsonObject(u) ? t.success(u) : t.failure(u, c, 'must be an object')),
  {
    type: 'object',
    description: 'The row of the table, as entered.',
    examples: [{ value: 'EU', unitPrice: 19 }],
  },
);

const chosenValueCodec: JsonCodec<string | number> = makeCodec(
  'ChosenValue',
  (u, c) =>
    typeof u === 'string' || typeof u === 'number' ? t.success(u) : t.failure(u, c, 'must be a value'),
  {
    oneOf: [{ type: 'string' }, { type: 'number', format: 'double' }],
    description: 'What the parameter said.',
    examples: ['EU'],
  },
);

const chosenRowCodec = described(
  record('ChosenRow', {
    property: text('property', { min: 1, max: 256 }),
    value: chosenValueCodec,
    row: rowCodec,
  }),
  { description: 'The row of a table that gave the price, and the parameter that chose it.' },
);

const changeCodec = described(
  record(
    'AppliedChange',
    {
      ...stampFields,
      adjustment: relativeAdjustmentCodec,
      of: oneOf<AppliedChange['of']>('holder', ['product', 'allProducts']),
      exact: text('decimal', { min: 1, max: Infinity }),
      roundedTo: orNull(countCodec('digits', 'Digits after the point.', 2)),
    },
    reasonField,
  ),
  {
    description:
      '`of` says whose it is: of the product itself, or of the book for all products. `exact` is the changed price before ' +
      'rounding, as an exact decimal; `roundedTo` the digits that it was rounded to, null where it came out unchanged, ' +
      'which is not rounded.',
  },
);

const coveredCodec = record(
  'CoveredAdjustments',
  {},
  {
    absolute: record('CoveredPrice', { ...stampFields, adjustment: absoluteAdjustmentCodec }, reasonField),
    relative: record('CoveredChange', { ...stampFields, adjustment: relativeAdjustmentCodec }, reasonField),
  },
);

const stepCodec = described(
  record(
    'PriceStep',
    { priceBookId: priceBookIdCodec, listPrice: priceCodec, price: priceCodec },
    {
      entered: described(
        record(
          'EnteredPrice',
          { ...stampFields, adjustment: absoluteAdjustmentCodec },
          { ...reasonField, chosen: chosenRowCodec },
        ),
        { description: 'The adjustment that said the price, and the event that set it.' },
      ),
      change: changeCodec,
      removed: described(
        record('RemovedAdjustment', stampFields, {
          ...reasonField,
          validFrom: instantCodec,
          validUntil: instantCodec,
        }),
        {
          description: "A removal that this book's part in the price goes back to, with its dates.",
        },
      ),
      ended: instantCodec,
      over: described(record('CoveredByBook', {}, { product: coveredCodec, allProducts: coveredCodec }), {
        description: 'What temporary adjustments that decide lie over, and what shows again when they end.',
      }),
    },
  ),
  {
    description:
      'What one book did to the price. `entered` is absent where the list price is what the base book answers. ' +
      "`listPrice` is the price before this book's change, and `price` the one that it answers. `ended` is when something " +
      "that lay over this book's part in the price ended or was cancelled.",
  },
);

const explanationCodec = described(record('Explanation', { steps: listOf(stepCodec) }), {
  description: 'From the book that said a price to the book that was asked.',
});

export const priceFields = {
  productId: productIdCodec,
  price: priceCodec,
  currency: currencyCodec,
  effectiveDate: instantCodec,
};

export const laterPriceFields = { validUntil: orNull(instantCodec), explanation: explanationCodec };

export const productPriceCodec = described(record('ProductPrice', priceFields, laterPriceFields), {
  description:
    '`effectiveDate` is the instant since which this price has been in force: the latest among what set, began, ended or ' +
    'removed it. `validUntil` is the next instant at which what is planned makes it another price, null where nothing does; it ' +
    'is there with an explanation, and where the books hold anything dated for this price. `explanation` is there where it ' +
    'is asked for.',
  examples: [
    { productId: 'lamp', price: 54.99, currency: 'USD', effectiveDate: '2026-11-21T07:20:01.486Z' },
    {
      productId: 'lamp',
      price: 54.99,
      currency: 'USD',
      effectiveDate: '2026-11-21T07:20:01.486Z',
      validUntil: null,
      explanation: {
        steps: [
          {
            priceBookId: '01a1fcf9-f25b-75a0-80fb-5049634a2f84',
            entered: {
              adjustment: { type: 'override', amount: 49.99 },
              revision: 1,
              occurredAt: '2026-11-21T07:20:01.471Z',
              actor: '4qFy2KdM',
            },
            listPrice: 49.99,
            change: {
              of: 'allProducts',
              adjustment: { type: 'percent', amount: 10 },
              revision: 2,
              occurredAt: '2026-11-21T07:20:01.486Z',
              actor: '4qFy2KdM',
              exact: '54.989',
              roundedTo: 2,
            },
            price: 54.99,
          },
        ],
      },
    },
  ],
});

export type ProductPriceBody = t.TypeOf<typeof productPriceCodec>;
