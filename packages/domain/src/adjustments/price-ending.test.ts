import Big from 'big.js';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import * as fc from 'fast-check';
import { faultsOf } from '../codecs/faults';
import { adjustmentCodec } from './adjustment';
import { endedPrice } from './price-ending';

/** As text, so that no digit is lost. */
const ended = (exact: string | number, roundTo: number, ending?: number): string | undefined =>
  endedPrice({ roundTo, ...(ending !== undefined && { ending }) }, new Big(exact))?.price.toFixed();

const faults = (u: unknown): readonly string[] => {
  const read = adjustmentCodec.decode(u);
  return E.isRight(read) ? [] : faultsOf(read.left).map(({ pointer, detail }) => `${pointer} ${detail}`);
};

describe('The ending of a price', () => {
  it('is that of the nearest price that has it, of two as near the greater', () => {
    const rows: readonly (readonly [string | number, number, number | undefined, string])[] = [
      ['19.2', 1, 0.99, '18.99'],
      ['19.49', 1, 0.99, '19.99'],
      ['19.48', 1, 0.99, '18.99'],
      [19.99, 1, 0.99, '19.99'],
      ['12.02', 0.05, undefined, '12'],
      ['12.025', 0.05, undefined, '12.05'],
      ['23', 10, 9.99, '19.99'],
      ['25', 10, 9.99, '29.99'],
      ['1.5937', 0.01, 0.009, '1.589'],
      ['1.5941', 0.01, 0.009, '1.599'],
      ['1000', 3, 1, '1000'],
      ['1000', 7, 0, '1001'],
    ];
    for (const [exact, roundTo, ending, expected] of rows) {
      expect(ended(exact, roundTo, ending), String(exact)).to.equal(expected);
    }
  });

  it('leaves 0 as it is, and makes nothing else 0', () => {
    expect(ended(0, 1, 0.99)).to.equal('0');
    expect(ended('0.01', 1, 0.99)).to.equal('0.99');
    expect(ended('0.01', 0.05)).to.equal('0.05');
  });

  it('is at most half a step away above the least price, and stays when it is computed again', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1e9 }),
        fc.integer({ min: 1, max: 5_000 }),
        fc.nat({ max: 4_999 }),
        (cents, step, end) => {
          const exact = new Big(cents).div(100);
          const [roundTo, ending] = [step / 100, (end % step) / 100];
          const found = endedPrice({ roundTo, ending }, exact);
          if (found === undefined) throw new Error('an ending was asked for');
          const { price, digits } = found;
          expect(price.minus(ending).div(roundTo).toFixed()).to.match(/^\d+$/);
          expect(price.round(digits).eq(price)).to.equal(true);
          expect(endedPrice({ roundTo, ending }, price)?.price.eq(price)).to.equal(true);
          const isLeast = price.lte(ending) || price.eq(roundTo);
          expect(isLeast || price.minus(exact).abs().times(2).lte(roundTo)).to.equal(true);
        },
      ),
    );
  });

  it('needs a step above 0, and is below it', () => {
    const percent = { type: 'percent', amount: 10 };
    expect(faults({ ...percent, roundTo: 1, ending: 0.99 })).to.deep.equal([]);
    expect(faults({ ...percent, roundTo: 0 })).to.deep.equal(['/roundTo must be above 0']);
    expect(faults({ ...percent, ending: 0.99 })).to.deep.equal(['/ending needs roundTo']);
    expect(faults({ ...percent, roundTo: 1, ending: 1, validFrom: '2026-01-01T00:00:00Z' })).to.deep.equal([
      '/ending must be below roundTo, 1',
    ]);
    expect(faults({ type: 'override', amount: 1, roundTo: 1 })[0]).to.include(
      '/roundTo is not a known field',
    );
  });
});
