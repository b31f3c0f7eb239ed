/** What a quote answers to its lines, and what they add up to. */
import {
  currencyCodec,
  described,
  isJsonObject,
  type JsonCodec,
  listOf,
  makeCodec,
  mapOf,
  numberBetween,
  productIdCodec,
  record,
  repeatedFields,
} from '@pricebook/domain';
import type * as t from 'io-ts';
import { lineProblemCodec } from './problem';
import { laterPriceFields, priceFields } from './product-price';
import { countCodec } from './values';

const LINE_TOTAL =
  "The price times the quantity, in exact decimals, rounded once, half up, to the currency's minor unit.";

export const lineTotalCodec = described(numberBetween('LineTotal', 0, Infinity), {
  description: `${LINE_TOTAL} Absent only where it is above 1e300.`,
  examples: [549.9],
});

const quotedPriceCodec = described(
  record('QuotedPrice', priceFields, { ...repeatedFields, lineTotal: lineTotalCodec, ...laterPriceFields }),
  {
    description:
      'What Get Product Price answers, with `lineTotal`. `id`, `quantity` and `properties` are those of the line.',
    examples: [
      {
        id: 'position-1',
        productId: 'lamp',
        price: 54.99,
        currency: 'USD',
        effectiveDate: '2026-11-21T07:20:01.486Z',
        quantity: 10,
        lineTotal: 549.9,
      },
    ],
  },
);

const unpricedCodec = described(
  record(
    'UnpricedLine',
    { productId: productIdCodec, currency: currencyCodec, problem: lineProblemCodec },
    repeatedFields,
  ),
  { description: 'Why there is no price for the line.' },
);

export type QuotedLineBody = t.TypeOf<typeof quotedPriceCodec> | t.TypeOf<typeof unpricedCodec>;

/** A line that has a `problem` has no price. */
export const pricedOrNot = <A, B>(
  name: string,
  priced: JsonCodec<A>,
  unpriced: JsonCodec<B>,
): JsonCodec<A | B> =>
  makeCodec<A | B>(
    name,
    (u, c) =>
      isJsonObject(u) && Object.hasOwn(u, 'problem') ? unpriced.validate(u, c) : priced.validate(u, c),
    { oneOf: [priced.schema, unpriced.schema] },
  );

export const quotedLineCodec: JsonCodec<QuotedLineBody> = pricedOrNot(
  'QuotedLine',
  quotedPriceCodec,
  unpricedCodec,
);

const totalCodec = described(
  record('QuoteTotal', {
    amount: described(numberBetween('TotalAmount', 0, Infinity), {
      description: 'The exact sum of the line totals.',
      examples: [549.9],
    }),
    lines: countCodec('lines', 'The lines that are in the amount.', 1),
    linesWithoutTotal: countCodec(
      'linesWithoutTotal',
      'The lines in the currency that are not in the amount, since they have no price.',
      0,
    ),
  }),
  { description: 'What the lines in one currency add up to.' },
);

export const totalsCodec = described(mapOf(currencyCodec, totalCodec, Infinity), {
  description: 'By currency: each currency that a line names is there.',
});

export const quoteWithTotalsCodec = described(
  record('QuoteWithTotals', {
    lines: listOf(quotedLineCodec),
    totals: totalsCodec,
  }),
  { description: 'The lines in the order asked, and what they add up to.' },
);

export type QuoteWithTotalsBody = t.TypeOf<typeof quoteWithTotalsCodec>;
