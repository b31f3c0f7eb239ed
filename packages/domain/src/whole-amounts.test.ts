import Big from 'big.js';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { roundWhole, timesWhole, wholeInDigits, wholeOf } from './whole-amounts';

const numbers = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 1e9 }).map((cents) => cents / 100) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 1e12 }).map((parts) => parts / 1e6) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 1e15 }) },
  { weight: 1, arbitrary: fc.double({ min: 0, max: 1e16, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 0.1 + 0.2, 1.005, 5e-324, 1e15, 999999999.999999) },
);

describe('Whole amounts', () => {
  it('are numbers with all their digits, and no more of these than it takes', () => {
    expect([0, 12.5, -12.5, 0.000001, 1e15].map(wholeOf)).to.deep.equal([
      { parts: 0, digits: 0 },
      { parts: 125, digits: 1 },
      { parts: -125, digits: 1 },
      { parts: 1, digits: 6 },
      { parts: 1e15, digits: 0 },
    ]);
    expect([0.1 + 0.2, 1e-7, 1e15 + 1, 0.049999999999999996].map(wholeOf)).to.deep.equal([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('are written without an exponent, however small they are', () => {
    const written = [
      { parts: 120, digits: 9 },
      { parts: 1, digits: 12 },
      { parts: 0, digits: 12 },
      { parts: 1e15, digits: 0 },
    ].map(wholeInDigits);
    expect(written).to.deep.equal(['0.00000012', '0.000000000001', '0', '1000000000000000']);
  });

  it('multiply, round and read as decimals do, wherever they are there', () => {
    fc.assert(
      fc.property(numbers, numbers, fc.integer({ min: 0, max: 14 }), (a, b, to) => {
        const [first, second] = [wholeOf(a), wholeOf(b)];
        if (first !== undefined) expect(wholeInDigits(first)).to.equal(new Big(a).toFixed());
        const product = first && second && timesWhole(first, second);
        if (product === undefined) return;
        const exact = new Big(a).times(b);
        expect(wholeInDigits(product)).to.equal(exact.toFixed());
        expect(roundWhole(product, to)).to.equal(Number(exact.round(to, Big.roundHalfUp).toString()));
      }),
      { numRuns: 2_000 },
    );
  });
});
