/** Prices by context: what a product costs, and which book answered. */
import {
  currencyCodec,
  described,
  type JsonCodec,
  listOf,
  productIdCodec,
  priceBookIdCodec,
  record,
  repeatedFields,
} from '@pricebook/domain';
import type * as t from 'io-ts';
import { lineProblemCodec } from './problem';
import { laterPriceFields, priceFields } from './product-price';
import { lineTotalCodec, pricedOrNot, totalsCodec } from './quoted-line';
import { ruleIdCodec, triedRuleCodec } from './selection-rule';

const chosenFields = { priceBookId: priceBookIdCodec, selectionRuleId: ruleIdCodec };
const triedCodec = described(listOf(triedRuleCodec), {
  description: 'The selection rules that were tried, in order; the last one answered.',
});
const laterFields = { ...laterPriceFields, triedRules: triedCodec };

const VALID_UNTIL =
  '`priceBookId` is the book that answered, and `selectionRuleId` the rule that chose it. `validUntil` is about the price in that book; it is absent where a rule ' +
  'that was tried before matches, whose book may have a price later.';

const example = {
  productId: 'lamp',
  price: 49.99,
  currency: 'USD',
  effectiveDate: '2026-11-21T07:20:01.486Z',
  priceBookId: '01a1fcf9-f25b-75a0-80fb-5049634a2f84',
  selectionRuleId: 'c2a1f0de-6f0b-4f5e-9a37-1f6f0f2b7c11',
};

export const chosenPriceCodec = described(
  record('ChosenPrice', { ...priceFields, ...chosenFields }, laterFields),
  {
    description: `What Get Product Price answers, and the book that answered. ${VALID_UNTIL}`,
    examples: [example],
  },
);

export type ChosenPriceBody = t.TypeOf<typeof chosenPriceCodec>;

const quotedChoiceCodec = described(
  record(
    'QuotedChoice',
    { ...priceFields, ...chosenFields },
    { ...repeatedFields, lineTotal: lineTotalCodec, ...laterFields },
  ),
  {
    description: `What Get Price by Context answers, with \`lineTotal\`. ${VALID_UNTIL}`,
    examples: [{ ...example, quantity: 10, lineTotal: 499.9 }],
  },
);

const unpricedCodec = described(
  record(
    'UnpricedChoice',
    { productId: productIdCodec, currency: currencyCodec, problem: lineProblemCodec },
    { ...repeatedFields, triedRules: triedCodec },
  ),
  { description: 'Why there is no price for the line.' },
);

export type QuotedChoiceBody = t.TypeOf<typeof quotedChoiceCodec> | t.TypeOf<typeof unpricedCodec>;

const lineCodec: JsonCodec<QuotedChoiceBody> = pricedOrNot(
  'QuotedChoiceLine',
  quotedChoiceCodec,
  unpricedCodec,
);

export const quoteByContextCodec = described(
  record('QuoteByContext', { lines: listOf(lineCodec), totals: totalsCodec }),
  { description: 'The lines in the order asked, and what they add up to.' },
);

export type QuoteByContextBody = t.TypeOf<typeof quoteByContextCodec>;
