import { expect } from 'chai';
import { faultsIn, pointersIn, read } from '../testing/reading';
import { adjustmentCodec } from './adjustment';

const row = (firstUnit: unknown, lastUnit: unknown, unitPrice: unknown = 1) => ({
  firstUnit,
  lastUnit,
  unitPrice,
});
const open = (firstUnit: number) => ({ firstUnit, unitPrice: 1 });
const volume = (...tiers: readonly unknown[]) => ({ type: 'volume', tiers });
const range = (...values: readonly unknown[]) => ({ type: 'range', property: 'seats', values });
const enumeration = (...values: readonly unknown[]) => ({ type: 'enum', property: 'region', values });
const value = (text: unknown, unitPrice: unknown = 1) => ({ value: text, unitPrice });
const many = <A>(count: number, make: (index: number) => A): readonly A[] =>
  Array.from({ length: count }, (_, index) => make(index));

interface Refusal {
  readonly title: string;
  readonly adjustment: unknown;
  /** Of every fault, in order. */
  readonly pointers: readonly string[];
}

const refusals: readonly Refusal[] = [
  // Rows that do not fit together.
  {
    title: 'ranges that overlap',
    adjustment: range(row(0, 10), row(9, 20)),
    pointers: ['/values/1/firstUnit'],
  },
  {
    title: 'ranges that overlap by a hair',
    adjustment: range(row(0, 0.3), row(0.1 + 0.1, 20)),
    pointers: ['/values/1/firstUnit'],
  },
  {
    title: 'a range inside another, which stands after it',
    adjustment: range(row(3, 4), row(0, 10)),
    pointers: ['/values/0/firstUnit'],
  },
  { title: 'tiers that overlap', adjustment: volume(row(5, 9), row(1, 6)), pointers: ['/tiers/0/firstUnit'] },
  {
    title: 'equal firstUnits of ranges',
    adjustment: range(row(1, 1), row(1, 5)),
    pointers: ['/values/1/firstUnit'],
  },
  {
    title: 'equal firstUnits of open tiers',
    adjustment: volume(open(1), open(1)),
    pointers: ['/tiers/1/firstUnit'],
  },
  {
    title: 'three equal firstUnits',
    adjustment: range(row(1, 1), row(1, 1), row(1, 1)),
    pointers: ['/values/1/firstUnit', '/values/2/firstUnit'],
  },
  {
    title: 'an open tier that is not the last',
    adjustment: volume(open(1), row(10, 20)),
    pointers: ['/tiers/0/lastUnit'],
  },
  {
    title: 'an open tier, by null, that is last in the list but not by firstUnit',
    adjustment: volume(row(10, 20), row(1, null)),
    pointers: ['/tiers/1/lastUnit'],
  },
  {
    title: 'two open tiers',
    adjustment: volume(open(1), open(10), row(20, 30)),
    pointers: ['/tiers/0/lastUnit', '/tiers/1/lastUnit'],
  },
  {
    title: 'a lastUnit below firstUnit',
    adjustment: range(row(10, 9.999999)),
    pointers: ['/values/0/lastUnit'],
  },
  {
    title: 'a tier with lastUnit below firstUnit',
    adjustment: volume(row(0, 1), row(10, 2)),
    pointers: ['/tiers/1/lastUnit'],
  },
  {
    title: 'an enum value twice',
    adjustment: enumeration(value('EU'), value('US'), value('EU', 2)),
    pointers: ['/values/2/value'],
  },
  {
    title: 'an enum value three times',
    adjustment: enumeration(value('EU'), value('EU'), value('EU')),
    pointers: ['/values/1/value', '/values/2/value'],
  },
  {
    title: 'several rows that do not fit, all at once',
    adjustment: range(row(5, 1), row(10, 30), row(20, 40), row(20, 50)),
    pointers: ['/values/0/lastUnit', '/values/2/firstUnit', '/values/3/firstUnit'],
  },

  // Tables without rows or with too many.
  { title: 'ranges without a row', adjustment: range(), pointers: ['/values'] },
  { title: 'tiers without a row', adjustment: volume(), pointers: ['/tiers'] },
  { title: 'an enum without a row', adjustment: enumeration(), pointers: ['/values'] },
  {
    title: 'ranges of 1,001 rows',
    adjustment: range(...many(1_001, (index) => row(index * 2, index * 2 + 1))),
    pointers: ['/values'],
  },
  {
    title: 'tiers of 1,001 rows',
    adjustment: volume(...many(1_001, (index) => row(index * 2, index * 2 + 1))),
    pointers: ['/tiers'],
  },
  {
    title: 'an enum of 1,001 rows',
    adjustment: enumeration(...many(1_001, (index) => value(String(index)))),
    pointers: ['/values'],
  },
  { title: 'rows that are an object', adjustment: { type: 'volume', tiers: {} }, pointers: ['/tiers'] },
  { title: 'a row that is a list', adjustment: volume([1, 2, 3]), pointers: ['/tiers/0'] },
  { title: 'a row that is null', adjustment: range(null), pointers: ['/values/0'] },

  // Properties.
  ...['at', 'explain'].flatMap((property): readonly Refusal[] => [
    {
      title: `the property ${property} of a range table`,
      adjustment: { type: 'range', property, values: [row(0, 1)] },
      pointers: ['/property'],
    },
    {
      title: `the property ${property} of an enum table`,
      adjustment: { type: 'enum', property, values: [value('x')] },
      pointers: ['/property'],
    },
  ]),
  ...['', 'x'.repeat(257), '\ud800', null, 5].map((property): Refusal => ({
    title: `the property ${JSON.stringify(property).slice(0, 12)}`,
    adjustment: { type: 'enum', property, values: [value('x')] },
    pointers: ['/property'],
  })),
  {
    title: 'volume tiers with a property',
    adjustment: { ...volume(row(0, 1)), property: 'seats' },
    pointers: ['/property'],
  },

  // Fields.
  {
    title: 'a range without its fields',
    adjustment: range({}),
    pointers: ['/values/0/firstUnit', '/values/0/unitPrice', '/values/0/lastUnit'],
  },
  {
    title: 'a tier without firstUnit and unitPrice',
    adjustment: volume({ lastUnit: 3 }),
    pointers: ['/tiers/0/firstUnit', '/tiers/0/unitPrice'],
  },
  { title: 'an open range', adjustment: range(row(0, null)), pointers: ['/values/0/lastUnit'] },
  { title: 'a range without lastUnit', adjustment: range(open(0)), pointers: ['/values/0/lastUnit'] },
  {
    title: 'an unknown field in a row',
    adjustment: volume({ ...row(0, 1), price: 1 }),
    pointers: ['/tiers/0/price'],
  },
  {
    title: 'a field whose name needs escapes in a pointer',
    adjustment: { type: 'override', amount: 1, 'a/b~c': 1 },
    pointers: ['/a~1b~0c'],
  },
  {
    title: 'a field __proto__',
    adjustment: JSON.parse('{"type":"override","amount":1,"__proto__":{}}') as unknown,
    pointers: ['/__proto__'],
  },
  {
    title: 'enum values that are not texts of 1 to 256 characters',
    adjustment: enumeration(value(''), value(1), value('x'.repeat(257)), value('\udc00')),
    pointers: ['/values/0/value', '/values/1/value', '/values/2/value', '/values/3/value'],
  },
  {
    title: 'faults in several rows at once',
    adjustment: { type: 'range', property: 'at', values: [row(-1, 2, 'x'), 5, row(0, 1, -0.01)] },
    pointers: ['/property', '/values/0/firstUnit', '/values/0/unitPrice', '/values/1', '/values/2/unitPrice'],
  },

  // Kinds.
  { title: 'an unknown kind', adjustment: { type: 'discount', amount: 1 }, pointers: ['/type'] },
  {
    title: 'the kind of another letter case',
    adjustment: { type: 'Override', amount: 1 },
    pointers: ['/type'],
  },
  { title: 'a kind named as what objects have', adjustment: { type: 'toString' }, pointers: ['/type'] },
  { title: 'no kind', adjustment: { amount: 1 }, pointers: ['/type'] },
  { title: 'JSON null as a kind', adjustment: { type: null, amount: null }, pointers: ['/type'] },
  { title: 'JSON null', adjustment: null, pointers: [''] },
  { title: 'a bare number', adjustment: 5, pointers: [''] },
  { title: 'a list', adjustment: [{ type: 'null', amount: null }], pointers: [''] },
  { title: 'a null adjustment without amount', adjustment: { type: 'null' }, pointers: ['/amount'] },
  { title: 'a null adjustment of 0', adjustment: { type: 'null', amount: 0 }, pointers: ['/amount'] },
  { title: 'an override without amount', adjustment: { type: 'override' }, pointers: ['/amount'] },
  { title: 'an override of null', adjustment: { type: 'override', amount: null }, pointers: ['/amount'] },
  { title: 'a percent without amount', adjustment: { type: 'percent' }, pointers: ['/amount'] },
];

/** Numbers that no amount and no bound of a table can be. */
const badAmounts: readonly unknown[] = [
  -0.01,
  -5e-324,
  1e15 + 1,
  1e16,
  NaN,
  Infinity,
  -Infinity,
  '1',
  null,
  [1],
];
const badPercents: readonly unknown[] = [-100.00000000000001, -101, 1_000_001, NaN, Infinity, -Infinity, '1'];

describe('An adjustment is refused, by pointer, when it has', () => {
  for (const { title, adjustment, pointers } of refusals) {
    it(title, () => {
      expect(pointersIn(adjustmentCodec, adjustment)).to.deep.equal(pointers);
    });
  }

  for (const bad of badAmounts) {
    it(`the amount, price or unit ${typeof bad === 'number' ? String(bad) : JSON.stringify(bad)}`, () => {
      const pointers = (adjustment: unknown) => pointersIn(adjustmentCodec, adjustment);
      expect(pointers({ type: 'override', amount: bad })).to.deep.equal(['/amount']);
      expect(pointers(enumeration(value('EU', bad)))).to.deep.equal(['/values/0/unitPrice']);
      expect(pointers(range(row(bad, 9)))).to.deep.equal(['/values/0/firstUnit']);
      expect(pointers(range(row(0, bad)))).to.deep.equal(['/values/0/lastUnit']);
      expect(pointers(volume(row(0, 1, bad)))).to.deep.equal(['/tiers/0/unitPrice']);
      expect(pointers(volume(row(bad, 9)))).to.deep.equal(['/tiers/0/firstUnit']);
      // Null is how a tier is left open.
      expect(pointers(volume(row(0, bad)))).to.deep.equal(bad === null ? [] : ['/tiers/0/lastUnit']);
    });
  }

  for (const bad of badPercents) {
    it(`the percent ${JSON.stringify(bad)} (${String(bad)})`, () => {
      expect(pointersIn(adjustmentCodec, { type: 'percent', amount: bad })).to.deep.equal(['/amount']);
    });
  }
});

describe('The faults of an adjustment', () => {
  it('say what is wrong in words that need no pointer', () => {
    const details = (adjustment: unknown) =>
      faultsIn(adjustmentCodec, adjustment).map(({ detail }) => detail);
    expect(details(range(row(0, 10), row(9, 20)))).to.deep.equal(['overlaps row 0, which ends at 10']);
    expect(details(range(row(1, 1), row(1, 5)))).to.deep.equal(['is the same as that of row 0']);
    expect(details(range(row(2, 1)))).to.deep.equal(['is below firstUnit, 2']);
    expect(details(volume(open(1), row(10, 20)))).to.deep.equal([
      'may only be open in the row with the greatest firstUnit; row 1 begins later',
    ]);
    expect(details({ type: 'override', amount: 1e16 })).to.deep.equal([
      'must be a number from 0 to 1000000000000000, not 10000000000000000',
    ]);
    expect(details({ type: 'discount' })).to.deep.equal([
      'must be one of: null, override, enum, range, volume, graduated, percent, fixedAmount; not "discount"',
    ]);
  });

  it('name what was given, and what may have been meant', () => {
    const details = (adjustment: unknown) =>
      faultsIn(adjustmentCodec, adjustment).map(({ detail }) => detail);
    expect(details({ type: 'override', amount: '12' })).to.deep.equal([
      'must be a number from 0 to 1000000000000000, not "12"; numbers stand without quotes, such as 49.99',
    ]);
    expect(details({ type: 'override', amount: '49,99' })).to.deep.equal([
      'must be a number from 0 to 1000000000000000, not "49,99"; numbers stand without quotes, such as 49.99',
    ]);
    expect(details({ type: 'override', amount: 'x' })).to.deep.equal([
      'must be a number from 0 to 1000000000000000, not "x"',
    ]);
    expect(details({ type: 'precent', amount: 1 })).to.deep.equal([
      'must be one of: null, override, enum, range, volume, graduated, percent, fixedAmount; not "precent"; did you mean "percent"?',
    ]);
    expect(details({ amount: 1 })).to.deep.equal([
      'is required and must be one of: null, override, enum, range, volume, graduated, percent, fixedAmount',
    ]);
    expect(details(volume({ firstUnit: 1, unit_price: 2 }))).to.deep.equal([
      'is required',
      'is not a known field; known are: firstUnit, unitPrice, lastUnit; did you mean "unitPrice"?',
    ]);
    expect(details(volume([1, 2, 3], null))).to.deep.equal([
      'must be an object, not an array of 3',
      'must be an object, not null',
    ]);
    expect(details(enumeration(value(5), value('x'.repeat(257))))).to.deep.equal([
      'must be a text, not 5',
      'must have 1 to 256 characters; it has 257',
    ]);
    expect(details({ type: 'null', amount: 0 })).to.deep.equal(['must be null, not 0']);
    expect(details({ type: 'volume', tiers: {} })).to.deep.equal(['must be an array, not an object']);
  });

  it('are all told, those of rows and those among rows alike', () => {
    expect(pointersIn(adjustmentCodec, range(row(0, 100), row(10, 20), row(30, 40), {}))).to.have.members([
      '/values/1/firstUnit',
      '/values/2/firstUnit',
      '/values/3/firstUnit',
      '/values/3/lastUnit',
      '/values/3/unitPrice',
    ]);
  });

  it('are all told up to 50, past that the last one counts the rest', () => {
    const faulty = (count: number) =>
      faultsIn(adjustmentCodec, enumeration(...many(count, (index) => value(`x${String(index)}`, -1))));
    expect(faulty(50)).to.have.length(50);
    expect(faulty(50).at(-1)?.pointer).to.equal('/values/49/unitPrice');
    const faults = faulty(51);
    expect(faults).to.have.length(50);
    expect(faults.at(-2)?.pointer).to.equal('/values/48/unitPrice');
    expect(faults.at(-1)).to.deep.equal({ pointer: '', detail: 'holds 2 more faults' });
    expect(faulty(1_000).at(-1)?.detail).to.equal('holds 951 more faults');
  });
});

describe('An adjustment is accepted', () => {
  const accepted = (adjustment: unknown) => read(adjustmentCodec, adjustment);

  it('at the ends of the allowed numbers', () => {
    for (const amount of [0, 5e-324, 0.049999999999999996, 1e15]) {
      expect(accepted({ type: 'override', amount })).to.deep.equal({ type: 'override', amount });
    }
    for (const amount of [-100, -99.99999999999999, 0, 1e6]) {
      expect(accepted({ type: 'percent', amount })).to.deep.equal({ type: 'percent', amount });
    }
    expect(pointersIn(adjustmentCodec, range(row(0, 1e15, 1e15)))).to.deep.equal([]);
  });

  it('with minus zero, which becomes zero', () => {
    const amountOf = (type: string) => (accepted({ type, amount: -0 }) as { amount: number }).amount;
    expect(Object.is(amountOf('override'), 0)).to.equal(true);
    expect(Object.is(amountOf('percent'), 0)).to.equal(true);
    const table = accepted(volume(row(-0, -0, -0)));
    const numbers =
      table.type === 'volume' ? table.tiers.flatMap((tier): unknown[] => Object.values(tier)) : [];
    expect(numbers).to.have.length(3);
    expect(numbers.every((number) => Object.is(number, 0))).to.equal(true);
  });

  it('with rows in any order, which are kept in ascending order, and an absent lastUnit, kept as null', () => {
    expect(accepted(volume(open(10), row(1, 9), row(0.5, 0.9)))).to.deep.equal(
      volume(row(0.5, 0.9), row(1, 9), row(10, null)),
    );
    expect(accepted(range(row(10, 20), row(1, 9)))).to.deep.equal(range(row(1, 9), row(10, 20)));
  });

  it('with enum values in the order given', () => {
    const table = enumeration(value('b'), value('a'), value('B'));
    expect(accepted(table)).to.deep.equal(table);
  });

  it('with 1,000 rows', () => {
    expect(
      pointersIn(adjustmentCodec, range(...many(1_000, (index) => row(index, index + 1)))),
    ).to.deep.equal([]);
    expect(
      pointersIn(adjustmentCodec, volume(...many(1_000, (index) => row(index, index + 1)))),
    ).to.deep.equal([]);
    expect(
      pointersIn(adjustmentCodec, enumeration(...many(1_000, (index) => value(String(index))))),
    ).to.deep.equal([]);
  });

  it('with a property called quantity, At or explained', () => {
    for (const property of ['quantity', 'At', 'AT', 'explained', 'p'.repeat(256), '😀'.repeat(256)]) {
      const table = { type: 'range', property, values: [row(0, 1)] };
      expect(pointersIn(adjustmentCodec, table), property).to.deep.equal([]);
    }
  });

  it('with enum values of 256 characters, however many units each has', () => {
    expect(pointersIn(adjustmentCodec, enumeration(value('😀'.repeat(256))))).to.deep.equal([]);
    expect(pointersIn(adjustmentCodec, enumeration(value('😀'.repeat(257))))).to.deep.equal([
      '/values/0/value',
    ]);
  });

  it('and what it became is accepted as it is', () => {
    for (const adjustment of [
      volume(open(10), row(1, 9)),
      range(row(10, 20), row(1, 9)),
      enumeration(value('x')),
    ]) {
      expect(accepted(accepted(adjustment))).to.deep.equal(accepted(adjustment));
    }
  });
});
