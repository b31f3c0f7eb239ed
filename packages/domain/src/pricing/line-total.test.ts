import Big from 'big.js';
import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Currency } from '../currency';
import { lineTotalOf, totalsOf } from './line-total';

const [USD, JPY, BHD] = ['USD', 'JPY', 'BHD'] as [Currency, Currency, Currency];
const digits = { [USD]: 2, [JPY]: 0, [BHD]: 3 };

const amounts = fc.oneof(
  fc.integer({ min: 0, max: 1e9 }).map((cents) => cents / 100),
  fc.integer({ min: 0, max: 1e9 }).map((units) => units / 1e5),
  fc.double({ min: 0, max: 1e15, noNaN: true }),
  fc.constantFrom(0, 5e-324, 0.049999999999999996, 0.1 + 0.2, 1.005, 1e15, 1e35),
);
const quantities = fc.oneof(
  fc.integer({ min: 1, max: 1e6 }),
  fc.integer({ min: 1, max: 1e6 }).map((tenths) => tenths / 10),
  fc.double({ min: 5e-324, max: 1e21, noNaN: true }),
  fc.constantFrom(1, 1e15, 9007199254740993, 5e-324),
);

describe('A line total', () => {
  it('is the unit price times the quantity, exact, rounded once, half up, to the minor unit', () => {
    expect(lineTotalOf(54.99, 10, USD)).to.equal(549.9);
    expect(lineTotalOf(0.1, 3, USD)).to.equal(0.3);
    expect(lineTotalOf(1.005, 1, USD)).to.equal(1.01);
    expect(lineTotalOf(1.005, 3, USD)).to.equal(3.02);
    expect(lineTotalOf(33, 1.5, JPY)).to.equal(50);
    expect(lineTotalOf(0.1234, 5, BHD)).to.equal(0.617);
    // A price of a token is not rounded before.
    expect(lineTotalOf(0.00035, 1_000_000, USD)).to.equal(350);
    expect(lineTotalOf(0.00035, 1, USD)).to.equal(0);
  });

  it('is what decimals give, whatever the price and the quantity', () => {
    fc.assert(
      fc.property(fc.constantFrom(USD, JPY, BHD), amounts, quantities, (currency, price, quantity) => {
        const exact = new Big(price).times(quantity).round(digits[currency], Big.roundHalfUp);
        expect(lineTotalOf(price, quantity, currency)).to.equal(Number(exact.toString()));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is not there where it is more than totals can add up', () => {
    expect(lineTotalOf(1, 1e300, USD)).to.equal(1e300);
    expect(lineTotalOf(1e15, 1e300, USD)).to.equal(undefined);
  });
});

describe('Totals', () => {
  it('are exact sums by currency, and count the lines that are not in them', () => {
    const of = (currency: Currency, lineTotal?: number) => ({ currency, lineTotal });
    const lines = [of(USD, 0.1), of(JPY, 5), of(USD, 0.2), of(USD), of(BHD)];
    expect(totalsOf(lines)).to.deep.equal({
      USD: { amount: 0.3, lines: 2, linesWithoutTotal: 1 },
      JPY: { amount: 5, lines: 1, linesWithoutTotal: 0 },
      BHD: { amount: 0, lines: 0, linesWithoutTotal: 1 },
    });
    expect(totalsOf([])).to.deep.equal({});
  });

  it('stay numbers, however large the line totals are', () => {
    const lines = Array.from({ length: 10_000 }, () => ({ currency: USD, lineTotal: 1e300 }));
    expect(totalsOf(lines)[USD]?.amount).to.equal(1e304);
  });
});
