import { expect } from 'chai';
import { setProductPricesReader } from '../price-book/requests';
import { faultsIn, read } from '../testing/reading';

const FROM = '2026-11-27T00:00:00Z';
const UNTIL = '2026-11-30T00:00:00Z';
const override = { type: 'override', amount: 1 };

const ofProduct = (USD: unknown) => [{ productId: 'P', adjustments: { USD } }];
const forAll = (USD: unknown) => ({ productId: 'all', adjustments: { USD } });
const pointers = (body: unknown) => faultsIn(setProductPricesReader, body).map(({ pointer }) => pointer);
const details = (body: unknown) => faultsIn(setProductPricesReader, body).map(({ detail }) => detail);

describe('Dates of adjustments', () => {
  it('are taken with every kind, in UTC', () => {
    const kinds = [
      override,
      { type: 'percent', amount: 1 },
      { type: 'null', amount: null },
      { type: 'enum', property: 'region', values: [{ value: 'EU', unitPrice: 1 }] },
      { type: 'range', property: 'seats', values: [{ firstUnit: 1, lastUnit: 2, unitPrice: 1 }] },
      { type: 'volume', tiers: [{ firstUnit: 1, lastUnit: null, unitPrice: 1 }] },
      { type: 'cancel' },
    ];
    for (const kind of kinds) {
      const body = ofProduct({ ...kind, validFrom: '2026-11-27T01:00:00+01:00', validUntil: UNTIL });
      expect(read(setProductPricesReader, body)).to.deep.equal({
        _tag: 'SetProductPrices',
        items: ofProduct({
          ...kind,
          validFrom: '2026-11-27T00:00:00.000Z',
          validUntil: '2026-11-30T00:00:00.000Z',
        }),
      });
    }
  });

  it('are taken for all products, in which null itself is undated', () => {
    const body = forAll([
      null,
      { type: 'percent', amount: 1, validFrom: FROM },
      { type: 'cancel', validUntil: UNTIL },
    ]);
    expect(pointers(body)).to.deep.equal([]);
    expect(pointers(forAll({ type: 'null', amount: null, validFrom: FROM }))).to.deep.equal([]);
    expect(details(forAll({ type: 'null', amount: null }))).to.deep.equal([
      'must be null itself, not an object, to take away what all products have',
    ]);
    expect(pointers(forAll({ ...override, validFrom: FROM }))).to.deep.equal(['/adjustments/USD/type']);
  });

  it('are refused where they are faulty, all faults at once', () => {
    expect(
      pointers(ofProduct({ type: 'override', amount: -1, validFrom: 'today', validUntil: 5 })),
    ).to.deep.equal([
      '/0/adjustments/USD/validFrom',
      '/0/adjustments/USD/validUntil',
      '/0/adjustments/USD/amount',
    ]);
    for (const validUntil of [FROM, '2026-11-26T00:00:00Z']) {
      const body = ofProduct({ ...override, validFrom: FROM, validUntil });
      expect(faultsIn(setProductPricesReader, body)).to.deep.equal([
        {
          pointer: '/0/adjustments/USD/validUntil',
          detail: 'must be after validFrom, 2026-11-27T00:00:00.000Z',
        },
      ]);
    }
  });

  it('are what a similar field is taken for', () => {
    expect(details(ofProduct({ ...override, validfrom: FROM }))).to.deep.equal([
      'is not a known field; known are: type, amount, validFrom, validUntil; did you mean "validFrom"?',
    ]);
  });

  it('are needed to cancel', () => {
    expect(details(ofProduct({ type: 'cancel' }))).to.deep.equal(['must have validFrom, validUntil or both']);
  });
});

describe('Several adjustments of a currency', () => {
  const at = (day: number) => ({ validFrom: `2026-12-${String(day).padStart(2, '0')}T00:00:00Z` });

  it('are one undated of each role, and dated ones with different bounds', () => {
    expect(
      pointers(
        ofProduct([
          { type: 'null', amount: null },
          override,
          { type: 'percent', amount: 1 },
          { ...override, ...at(1) },
        ]),
      ),
    ).to.deep.equal([]);
    expect(
      faultsIn(
        setProductPricesReader,
        ofProduct([
          override,
          { ...override, ...at(1) },
          { type: 'cancel', validFrom: '2026-12-01T01:00:00+01:00' },
          override,
        ]),
      ),
    ).to.deep.equal([
      { pointer: '/0/adjustments/USD/2', detail: 'has the same validFrom and validUntil as item 1' },
      { pointer: '/0/adjustments/USD/3', detail: 'is undated like item 0, and only one of the two can hold' },
    ]);
  });

  it('are 1 to 100', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ ...override, validFrom: new Date(n).toISOString() }));
    expect(pointers(ofProduct(many(100)))).to.deep.equal([]);
    expect(pointers(ofProduct(many(101)))).to.deep.equal(['/0/adjustments/USD']);
    expect(details(ofProduct([]))).to.deep.equal(['must have at least one adjustment']);
  });

  it('are the same as one where there is one', () => {
    expect(read(setProductPricesReader, ofProduct([override]))).to.deep.equal(
      read(setProductPricesReader, ofProduct(override)),
    );
  });
});
