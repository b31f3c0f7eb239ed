import { expect } from 'chai';
import * as fc from 'fast-check';
import { currencyCodes } from '../currency';
import { adjustmentJson, percentAdjustment } from '../testing/arbitraries';
import { book, instant, pointersIn, read } from '../testing/reading';
import { type PriceBookEvent, priceBookEventReader } from './events';
import { setProductPricesReader } from './requests';

const wellFormed = fc.string({ unit: 'grapheme', maxLength: 20 });
const productId = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .filter((id) => !/[\u0000-\u001f\u007f-\u009f]/.test(id) && !['all', '.', '..'].includes(id.toLowerCase()));
/** As it is kept: minus zero has become zero. */
const keptPercent = percentAdjustment.map(({ type, amount }) => ({ type, amount: amount + 0 }));
const ids = fc.array(fc.nat({ max: 1_000 }).map(book), { maxLength: 4 });
const mapOf = <A>(value: fc.Arbitrary<A>): fc.Arbitrary<Readonly<Record<string, A>>> =>
  fc.dictionary(fc.constantFrom(...currencyCodes), value, { minKeys: 1, maxKeys: 4, noNullPrototype: true });

const metadata = fc.dictionary(
  wellFormed.filter((name) => name !== '__proto__'),
  wellFormed,
  { noNullPrototype: true },
);

const bookAtRevision = fc.record({
  priceBookId: fc.nat({ max: 1_000 }).map(book),
  revision: fc.nat(),
  updatedAt: fc.nat().map(instant),
});

/** Any event, as it is kept. Items and adjustments are those that the request's codec makes. */
const events: Readonly<Record<PriceBookEvent['type'], fc.Arbitrary<unknown>>> = {
  PriceBookCreated: fc.record(
    { name: wellFormed, description: wellFormed, basePriceBookIds: ids, key: wellFormed, metadata },
    { requiredKeys: ['name', 'description', 'basePriceBookIds'] },
  ),
  PriceBookCloned: fc.record(
    {
      name: wellFormed,
      description: wellFormed,
      basePriceBookIds: ids,
      clonedFrom: bookAtRevision,
      key: wellFormed,
      metadata,
      flattenedBases: fc.array(bookAtRevision, { maxLength: 4 }),
    },
    { requiredKeys: ['name', 'description', 'basePriceBookIds', 'clonedFrom'] },
  ),
  PriceBookUpdated: fc.record(
    { name: wellFormed, description: wellFormed, key: fc.option(wellFormed), metadata },
    { requiredKeys: [] },
  ),
  ProductPricesSet: fc
    .uniqueArray(fc.record({ productId, adjustments: mapOf(adjustmentJson) }), {
      minLength: 1,
      maxLength: 5,
      selector: (item) => item.productId,
    })
    .map((items) => {
      const command = read(setProductPricesReader, items);
      return command._tag === 'SetProductPrices' ? { items: command.items } : {};
    }),
  AllProductsAdjusted: fc.record({
    adjustments: mapOf(fc.oneof(keptPercent, fc.constant({ type: 'null', amount: null }))),
  }),
  PriceBookEntriesDeleted: fc.record({ productIds: fc.array(productId, { minLength: 1 }) }),
  PriceBookDeleted: fc.constant({}),
  PriceBookRestored: fc.record({ key: fc.option(wellFormed) }, { requiredKeys: [] }),
};

describe('Events', () => {
  for (const [type, data] of Object.entries(events)) {
    it(`of the type ${type} come back from JSON as they were`, () => {
      fc.assert(
        fc.property(data, (datum) => {
          const event = { type, data: datum };
          const text = JSON.stringify(event);
          const back = read(priceBookEventReader, JSON.parse(text));
          expect(back).to.deep.equal(event);
          expect(JSON.stringify(priceBookEventReader.encode(back))).to.equal(text);
        }),
        { numRuns: 200 },
      );
    });
  }

  it('keep names that a later rule of requests would refuse', () => {
    const event = {
      type: 'PriceBookCreated',
      data: { name: ' '.repeat(500), description: 'x'.repeat(5_000), basePriceBookIds: [] },
    };
    expect(read(priceBookEventReader, event)).to.deep.equal(event);
  });

  const unreadable: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['of an unknown type', { type: 'PriceBookArchived', data: {} }, ['/type']],
    ['without data', { type: 'PriceBookDeleted' }, ['/data']],
    [
      'with more than is known',
      { type: 'PriceBookDeleted', data: { reason: '' }, by: 'x' },
      ['/data/reason', '/by'],
    ],
    [
      'without the chain of bases',
      { type: 'PriceBookCreated', data: { name: '', description: '' } },
      ['/data/basePriceBookIds'],
    ],
    [
      'with an adjustment of an unknown kind',
      {
        type: 'ProductPricesSet',
        data: { items: [{ productId: 'P', adjustments: { USD: { type: 'discount' } } }] },
      },
      ['/data/items/0/adjustments/USD/type'],
    ],
    ['that are none', null, ['']],
  ];
  for (const [title, event, pointers] of unreadable) {
    it(`${title} are refused`, () => {
      expect(pointersIn(priceBookEventReader, event)).to.deep.equal(pointers);
    });
  }
});
