import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import * as fc from 'fast-check';
import { adjustmentCodec } from '../adjustments/adjustment';
import { adjustmentsCodec, requestedForAllProductsCodec } from '../adjustments/adjustments';
import { amountCodec, percentCodec, unitCodec } from '../amounts';
import { currencyCodec } from '../currency';
import { priceBookIdCodec, productIdCodec } from '../identifiers';
import { priceBookEventReader } from '../price-book/events';
import {
  createPriceBookCodec,
  deleteEntriesCodec,
  nameCodec,
  setProductPricesReader,
  updatePriceBookCodec,
} from '../price-book/requests';
import { quoteLinesCodec } from '../pricing/quote-lines';
import { conditionCodec } from '../selection/condition';
import { contextQuoteCodec } from '../selection/context-quote';
import { ruleContentCodec } from '../selection/rule';
import { adjustmentJson } from '../testing/arbitraries';
import { mutationsOf } from '../testing/mutations';
import { faultsIn } from '../testing/reading';
import { arbitraryOf, validatorOf } from '../testing/schema-arbitrary';
import { exactly, mapOf, oneOf, orNull, type Reader, record, taggedBy, text } from './codecs';
import { dateTimeCodec } from './date-time';
import type { Json, JsonSchema } from './json-schema';
import { listOf } from './lists';

const shapes = taggedBy<unknown>('Shape', 'type', {
  a: record(
    'A',
    { type: exactly('a'), size: orNull(amountCodec) },
    { colour: oneOf('Colour', ['red', 'blue']) },
  ),
  b: record('B', { type: exactly('b'), ids: listOf(productIdCodec, 3) }),
});

/** All that the schemas of these ask for is all that they ask for, but for half surrogate pairs. */
const exact: readonly Reader<unknown>[] = [
  amountCodec,
  percentCodec,
  unitCodec,
  productIdCodec,
  text('Description', { min: 0, max: 200 }),
  text('Code', { min: 2, max: 4 }),
  deleteEntriesCodec,
  shapes,
  mapOf(oneOf('Key', ['x', 'y', 'z']), percentCodec, 2),
];

/** These ask for more than a schema can say: an input of each that only the codec refuses. */
const looser: readonly (readonly [Reader<unknown>, Json])[] = [
  [nameCodec, 'x'.repeat(201)],
  [createPriceBookCodec, { name: 'x'.repeat(201) }],
  [updatePriceBookCodec, { name: 'x'.repeat(201) }],
  [currencyCodec, 'XAU'],
  [dateTimeCodec, '2026-02-28T23:59:60Z'],
  [priceBookIdCodec, '7893674f-750a-43f3-aea8-a36167380ccb'],
  [
    adjustmentCodec,
    {
      type: 'volume',
      tiers: [
        { firstUnit: 1, unitPrice: 1 },
        { firstUnit: 2, unitPrice: 1 },
      ],
    },
  ],
  [adjustmentsCodec, { USD: { type: 'percent', amount: 1 }, usd: { type: 'percent', amount: 2 } }],
  [requestedForAllProductsCodec, { XAU: null }],
  [setProductPricesReader, [{ productId: 'P' }, { productId: 'P' }]],
  [quoteLinesCodec, [{ productId: 'P', currency: 'USD', quantity: 1, properties: { quantity: 2 } }]],
  [conditionCodec, { attribute: 'a', operator: 'gt', values: ['x'] }],
  [
    ruleContentCodec,
    {
      name: 'A',
      priority: 1,
      priceBookId: '01a1fcf9-f25b-75a0-80fb-5049634a2f84',
      conditions: [{ attribute: 'a', operator: 'eq', values: ['x', 'y'] }],
    },
  ],
  [
    contextQuoteCodec,
    {
      context: { a: ['x'] },
      lines: [{ productId: 'P', currency: 'USD', quantity: 1, properties: { quantity: 2 } }],
    },
  ],
  [
    priceBookEventReader,
    { type: 'AllProductsAdjusted', data: { adjustments: { XAU: { type: 'null', amount: null } } } },
  ],
];

const accepts = (reader: Reader<unknown>, json: Json): boolean => E.isRight(reader.decode(json));

/** What is as the schema says, and what is so but for one thing. */
const nearlyOf = (schema: JsonSchema): fc.Arbitrary<Json> =>
  arbitraryOf(schema).chain((json) => fc.oneof(fc.constant(json), mutationsOf(json)));

describe('The schema of a codec', () => {
  for (const reader of exact) {
    it(`says of ${reader.name} just what it accepts`, () => {
      const isValid = validatorOf(reader.schema);
      fc.assert(
        fc.property(nearlyOf(reader.schema), (json) => {
          expect(isValid(json)).to.equal(accepts(reader, json));
        }),
        { numRuns: 300 },
      );
    });
  }

  for (const [reader, refused] of looser) {
    it(`allows whatever ${reader.name} accepts`, () => {
      const isValid = validatorOf(reader.schema);
      fc.assert(
        fc.property(nearlyOf(reader.schema), (json) => {
          if (accepts(reader, json)) expect(isValid(json), JSON.stringify(isValid.errors)).to.equal(true);
        }),
        { numRuns: 300 },
      );
      expect(isValid(refused), JSON.stringify(isValid.errors)).to.equal(true);
      expect(faultsIn(reader, refused)).to.not.be.empty;
    });
  }

  it('allows every adjustment that there can be', () => {
    const isValid = validatorOf(adjustmentCodec.schema);
    fc.assert(
      fc.property(adjustmentJson, (json) => {
        expect(accepts(adjustmentCodec, json as unknown as Json)).to.equal(true);
        expect(isValid(json), JSON.stringify(isValid.errors)).to.equal(true);
      }),
    );
  });

  it('has the name of the codec where that stands by itself', () => {
    expect(productIdCodec.schema.title).to.equal('ProductId');
    expect(deleteEntriesCodec.schema).to.not.have.property('title');
    expect(orNull(amountCodec).schema).to.not.have.property('title');
  });
});

describe('Every kind of adjustment', () => {
  const kinds = adjustmentCodec.schema.oneOf ?? [];

  it('is in the schema of adjustments, by its type', () => {
    expect(kinds.map(({ properties }) => properties?.['type']?.const)).to.have.members([
      'null',
      'override',
      'enum',
      'range',
      'volume',
      'graduated',
      'percent',
      'fixedAmount',
    ]);
  });

  for (const { title = '', description, examples = [] } of kinds) {
    it(`is described, with examples that are accepted: ${title}`, () => {
      expect(description).to.match(/[.]$/);
      expect(examples).to.not.be.empty;
      for (const example of examples) expect(faultsIn(adjustmentCodec, example)).to.deep.equal([]);
    });
  }
});
