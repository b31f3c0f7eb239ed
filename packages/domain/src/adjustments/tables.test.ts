import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/Either';
import { type PriceError, resolvePrice } from '../pricing/resolve-price';
import { ascendingRows, enumValue, shuffled, type UnitRowJson } from '../testing/arbitraries';
import { book, currency, instant, read } from '../testing/reading';
import { adjustmentCodec, isAbsolute } from './adjustment';

type Query = Readonly<Record<string, readonly string[]>>;

/** What a root book answers for a product that has just this table. */
const ask = (table: unknown, query: Query): number | PriceError => {
  const adjustment = read(adjustmentCodec, table);
  if (!isAbsolute(adjustment)) throw new Error('not a table');
  const stamp = { revision: 1, occurredAt: instant(1), actor: 'tester' };
  const holdings = {
    priceBookId: book(1),
    product: { absolute: { adjustment, ...stamp } },
    allProducts: undefined,
  };
  const answer = resolvePrice([holdings], currency('USD'), new Map(Object.entries(query)));
  return E.isRight(answer) ? answer.right.price : answer.left;
};

const tagOf = (answer: number | PriceError): number | string =>
  typeof answer === 'number' ? answer : answer._tag;

const volume = (tiers: readonly unknown[]) => ({ type: 'volume', tiers });
const range = (name: string, values: readonly unknown[]) => ({ type: 'range', property: name, values });
const enumeration = (name: string, values: readonly unknown[]) => ({ type: 'enum', property: name, values });
const row = (firstUnit: number, lastUnit: number, unitPrice: number) => ({ firstUnit, lastUnit, unitPrice });

/** Every multiple of 0.05 around the rows: bounds, insides, gaps and both outsides. */
const valuesAround = (ascending: readonly UnitRowJson[]): readonly number[] => {
  const end = Math.round((ascending.at(-1)?.lastUnit ?? 0) * 20) + 30;
  return Array.from({ length: end + 1 }, (_, twentieths) => twentieths / 20);
};

/** The rule, in whole hundredths: from the end, the first row that has begun, if it still holds. */
const expectedAt = (ascending: readonly UnitRowJson[], value: number, openEnd: boolean): number | string => {
  const hundredths = (units: number): number => Math.round(units * 100);
  const place = ascending.findLastIndex(({ firstUnit }) => hundredths(firstUnit) <= hundredths(value));
  const found = ascending[place];
  if (found === undefined) return 'NoMatchingRow';
  const next = ascending[place + 1];
  const holds =
    hundredths(value) <= hundredths(found.lastUnit) ||
    (next === undefined ? openEnd : hundredths(next.firstUnit) - hundredths(found.lastUnit) <= 100);
  return holds ? found.unitPrice : 'NoMatchingRow';
};

const ascendingAndShuffled = ascendingRows.chain((ascending) =>
  shuffled(ascending).map((rows) => ({ ascending, rows })),
);

describe('Tables', () => {
  describe('with any valid rows in any order', () => {
    it('volume tiers price every quantity inside the tiers and none outside', () => {
      fc.assert(
        fc.property(ascendingAndShuffled, fc.constantFrom('closed', 'null', 'absent'), (table, end) => {
          const last = table.ascending.at(-1);
          const tiers = table.rows.map((tier) => {
            if (tier !== last || end === 'closed') return tier;
            const { firstUnit, unitPrice } = tier;
            return end === 'null' ? { firstUnit, lastUnit: null, unitPrice } : { firstUnit, unitPrice };
          });
          for (const quantity of valuesAround(table.ascending).slice(1)) {
            const answer = ask(volume(tiers), { quantity: [String(quantity)] });
            expect(tagOf(answer), String(quantity)).to.equal(
              expectedAt(table.ascending, quantity, end !== 'closed'),
            );
          }
        }),
        { numRuns: 60 },
      );
    });

    it('range tables price every value inside the ranges and none outside', () => {
      fc.assert(
        fc.property(ascendingAndShuffled, ({ ascending, rows }) => {
          for (const seats of valuesAround(ascending)) {
            const answer = ask(range('seats', rows), { seats: [String(seats)] });
            expect(tagOf(answer), String(seats)).to.equal(expectedAt(ascending, seats, false));
          }
        }),
        { numRuns: 60 },
      );
    });

    it('enum tables price every value that they list and no other', () => {
      const lists = fc.uniqueArray(fc.oneof(enumValue, fc.string({ minLength: 1, unit: 'grapheme' })), {
        minLength: 1,
        maxLength: 10,
      });
      fc.assert(
        fc.property(fc.constantFrom('region', 'seats'), lists, fc.string(), (name, listed, other) => {
          const table = enumeration(
            name,
            listed.map((value, index) => ({ value, unitPrice: index + 0.5 })),
          );
          listed.forEach((value, index) => {
            expect(ask(table, { [name]: [value] })).to.equal(index + 0.5);
          });
          if (!listed.includes(other))
            expect(tagOf(ask(table, { [name]: [other] }))).to.equal('NoMatchingRow');
        }),
        { numRuns: 200 },
      );
    });
  });

  describe('by example', () => {
    it('a value between 1-10 and 11-20 falls in the first', () => {
      const table = range('seats', [row(11, 20, 2), row(1, 10, 1)]);
      expect(ask(table, { seats: ['10.5'] })).to.equal(1);
      expect(ask(table, { seats: ['10.999999'] })).to.equal(1);
      expect(ask(table, { seats: ['11'] })).to.equal(2);
    });

    it('the distance of 1 between rows is reckoned in decimals', () => {
      // 1.1 - 0.1 is 1.0000000000000002 above in doubles: 0.3 and 1.3 are such a pair the other way round.
      for (const [last, next] of [
        [0.1, 1.1],
        [0.3, 1.3],
        [4.35, 5.35],
        [1.005, 2.005],
      ] as const) {
        const table = range('seats', [row(0, last, 1), row(next, 9, 2)]);
        expect(ask(table, { seats: [String(last + 0.5)] }), `${String(last)} to ${String(next)}`).to.equal(1);
      }
      const apart = range('seats', [row(0, 0.1, 1), row(1.1000001, 9, 2)]);
      expect(tagOf(ask(apart, { seats: ['0.6'] }))).to.equal('NoMatchingRow');
    });

    it('the later of two rows that touch has the bound that they share', () => {
      const table = range('seats', [row(0, 10, 1), row(10, 20, 2), row(20, 20.5, 3)]);
      expect(['0', '10', '19.99', '20', '20.5'].map((value) => ask(table, { seats: [value] }))).to.deep.equal(
        [1, 2, 2, 3, 3],
      );
    });

    it('a table of one point has a price just there', () => {
      const table = range('seats', [row(5, 5, 1)]);
      expect(['4.9', '5', '5.1'].map((seats) => tagOf(ask(table, { seats: [seats] })))).to.deep.equal([
        'NoMatchingRow',
        1,
        'NoMatchingRow',
      ]);
    });

    it('an open tier holds for any quantity, a closed one up to the limit of units', () => {
      expect(ask(volume([{ firstUnit: 1, unitPrice: 3 }]), { quantity: ['1e300'] })).to.equal(3);
      expect(ask(volume([row(1, 1e15, 3)]), { quantity: ['1000000000000000'] })).to.equal(3);
      expect(tagOf(ask(volume([row(1, 1e15, 3)]), { quantity: ['1000000000000001'] }))).to.equal(
        'NoMatchingRow',
      );
    });

    it('an error about a value in no row says which rows exist, in ascending order', () => {
      expect(
        ask(volume([{ firstUnit: 30, unitPrice: 1 }, row(1, 9, 2)]), { quantity: ['20'] }),
      ).to.deep.equal({
        _tag: 'NoMatchingRow',
        name: 'quantity',
        value: '20',
        rows: ['1 to 9', '30 and more'],
      });
      expect(ask(enumeration('region', [{ value: 'EU', unitPrice: 1 }]), { region: ['eu'] })).to.deep.equal({
        _tag: 'NoMatchingRow',
        name: 'region',
        value: 'eu',
        rows: ['EU'],
      });
    });

    it('errors list at most 20 rows or values', () => {
      const many = Array.from({ length: 1_000 }, (_, index) => index);
      const ranges = range(
        'seats',
        many.map((index) => row(index * 3, index * 3 + 1, 1)),
      );
      expect(ask(ranges, { seats: ['5000'] }))
        .to.have.property('rows')
        .with.length(20);
      const texts = enumeration(
        'region',
        many.map((index) => ({ value: String(index), unitPrice: 1 })),
      );
      expect(ask(texts, { region: ['x'] }))
        .to.have.property('rows')
        .with.length(20);
      expect(ask(texts, {})).to.have.property('allowed').with.length(20);
    });
  });

  describe('read query parameters', () => {
    const tiers = volume([row(1, 9, 20), row(10, 20, 15)]);
    const seats = range('seats', [row(0, 10, 1)]);
    const region = enumeration('region', [
      { value: 'EU', unitPrice: 1 },
      { value: 'US', unitPrice: 2 },
    ]);

    it('quantity is 1 where it is not given', () => {
      expect(ask(tiers, {})).to.equal(20);
      expect(ask(range('quantity', [row(1, 1, 7)]), {})).to.equal(7);
      expect(ask(enumeration('quantity', [{ value: '1', unitPrice: 8 }]), {})).to.equal(8);
    });

    it('a quantity is a number in an enum as well, however it is written', () => {
      const table = enumeration('quantity', [
        { value: '2', unitPrice: 1 },
        { value: '3.0', unitPrice: 2 },
        { value: 'few', unitPrice: 3 },
      ]);
      for (const two of ['2', '2.0', '2e0', '0.2e1'])
        expect(ask(table, { quantity: [two] }), two).to.equal(1);
      for (const three of ['3', '3.0']) expect(ask(table, { quantity: [three] }), three).to.equal(2);
      expect(ask(table, { quantity: ['4.00'] })).to.deep.equal({
        _tag: 'NoMatchingRow',
        name: 'quantity',
        value: '4',
        rows: ['2', '3.0', 'few'],
      });
      for (const given of ['few', '0', '-2', '', '02']) {
        expect(tagOf(ask(table, { quantity: [given] })), given).to.equal('ParameterMalformed');
      }
      expect(tagOf(ask(enumeration('seats', [{ value: '2', unitPrice: 1 }]), { seats: ['2.0'] }))).to.equal(
        'NoMatchingRow',
      );
    });

    it('a missing property is named, with the values of an enum', () => {
      expect(ask(seats, { quantity: ['3'] })).to.deep.equal({
        _tag: 'ParameterMissing',
        name: 'seats',
        allowed: [],
      });
      expect(ask(region, {})).to.deep.equal({
        _tag: 'ParameterMissing',
        name: 'region',
        allowed: ['EU', 'US'],
      });
    });

    it('a parameter that is needed must not be given twice, others may be anything', () => {
      expect(ask(tiers, { quantity: ['1', '1'] })).to.deep.equal({
        _tag: 'ParameterRepeated',
        name: 'quantity',
      });
      expect(ask(region, { region: ['EU', 'US'] })).to.deep.equal({
        _tag: 'ParameterRepeated',
        name: 'region',
      });
      expect(ask(region, { region: ['EU'], quantity: ['-1', 'x'], seats: [''] })).to.equal(1);
    });

    it('an override needs none', () => {
      expect(ask({ type: 'override', amount: 5 }, { quantity: ['0', 'x'] })).to.equal(5);
    });

    for (const malformed of [
      '',
      ' 1',
      '1 ',
      'ten',
      '1,5',
      '0x10',
      'NaN',
      'Infinity',
      '.5',
      '5.',
      '+5',
      '١',
    ]) {
      it(`${JSON.stringify(malformed)} is not a number`, () => {
        expect(ask(seats, { seats: [malformed] })).to.deep.equal({
          _tag: 'ParameterMalformed',
          name: 'seats',
          expected: 'a number',
          given: malformed,
        });
      });
    }

    it('a quantity is above 0', () => {
      for (const quantity of ['0', '-1', '0.0', '-0', '0e5']) {
        expect(ask(tiers, { quantity: [quantity] }), quantity).to.deep.equal({
          _tag: 'ParameterMalformed',
          name: 'quantity',
          expected: 'a number above 0',
          given: quantity,
        });
      }
      expect(tagOf(ask(tiers, { quantity: ['0.5'] }))).to.equal('NoMatchingRow');
    });

    it('a number may be too large to be read', () => {
      const expected = (name: string, given: string) => {
        const answer: unknown = ask(name === 'quantity' ? tiers : seats, { [name]: [given] });
        return (answer as { readonly expected: string }).expected;
      };
      expect(expected('quantity', '1e400')).to.equal('a number up to 1e308');
      expect(expected('quantity', '-1e400')).to.equal('a number above 0');
      expect(expected('seats', '1e400')).to.equal('a number up to 1e308');
      expect(expected('seats', '-1e400')).to.equal('a number from -1e308 up');
    });

    it('other properties may be 0, negative or in scientific notation', () => {
      expect(ask(seats, { seats: ['0'] })).to.equal(1);
      expect(tagOf(ask(seats, { seats: ['-1'] }))).to.equal('NoMatchingRow');
      expect(ask(seats, { seats: ['1e1'] })).to.equal(1);
      expect(ask(seats, { seats: ['25E-1'] })).to.equal(1);
    });

    it('enum values match exactly: case, white space and Unicode form count', () => {
      const table = enumeration('name', [
        { value: '\u00e9', unitPrice: 1 },
        { value: 'e\u0301', unitPrice: 2 },
      ]);
      expect(ask(table, { name: ['\u00e9'] })).to.equal(1);
      expect(ask(table, { name: ['e\u0301'] })).to.equal(2);
      for (const other of ['\u00c9', ' \u00e9', 'e', '']) {
        expect(tagOf(ask(table, { name: [other] })), other).to.equal('NoMatchingRow');
      }
    });

    it('a property may have the name of something that every object has', () => {
      for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
        const table = enumeration(name, [{ value: 'x', unitPrice: 1 }]);
        expect(tagOf(ask(table, {})), name).to.equal('ParameterMissing');
        const adjustment = read(adjustmentCodec, JSON.parse(JSON.stringify(table)));
        expect(adjustment).to.have.property('property', name);
      }
    });
  });
});
