import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { faultsOf } from '../codecs/faults';
import { roundedTotal } from '../pricing/line-total';
import { resolvePrice } from '../pricing/resolve-price';
import { book, currency, instant, read } from '../testing/reading';
import { adjustmentCodec, isAbsolute, type RelativeAdjustment } from './adjustment';

const USD = currency('USD');
const stamp = { revision: 1, occurredAt: instant(1), actor: 'a' };
const tiers = [
  { firstUnit: 1, lastUnit: 10, unitPrice: 20 },
  { firstUnit: 11, lastUnit: 20, unitPrice: 15 },
  { firstUnit: 21, unitPrice: 10 },
];

const ask = (rows: unknown, quantity: string, relative?: unknown) => {
  const absolute = read(adjustmentCodec, { type: 'graduated', tiers: rows });
  if (!isAbsolute(absolute)) throw new Error('it sets a price');
  const change = relative === undefined ? undefined : (read(adjustmentCodec, relative) as RelativeAdjustment);
  const product = {
    absolute: { adjustment: absolute, ...stamp },
    ...(change !== undefined && { relative: { adjustment: change, ...stamp } }),
  };
  const chain = [{ priceBookId: book(1), product, allProducts: undefined }] as const;
  const found = resolvePrice(chain, USD, new Map([['quantity', [quantity]]]));
  if (E.isLeft(found)) return found.left._tag;
  const { price, total } = found.right;
  return [price, total === undefined ? undefined : roundedTotal(total, USD)];
};

const faults = (rows: unknown): readonly string[] => {
  const decoded = adjustmentCodec.decode({ type: 'graduated', tiers: rows });
  return E.isRight(decoded)
    ? []
    : faultsOf(decoded.left).map(({ pointer, detail }) => `${pointer} ${detail}`);
};

describe('Graduated tiers', () => {
  it('give each unit the price of its tier: the price is the average, and the total is exact', () => {
    expect(ask(tiers, '1')).to.deep.equal([20, 20]);
    expect(ask(tiers, '10')).to.deep.equal([20, 200]);
    expect(ask(tiers, '15')).to.deep.equal([18.33, 275]);
    expect(ask(tiers, '20')).to.deep.equal([17.5, 350]);
    expect(ask(tiers, '23')).to.deep.equal([16.52, 380]);
    // Half a unit of the second tier.
    expect(ask(tiers, '10.5')).to.deep.equal([19.76, 207.5]);
  });

  it('have tiers that touch, begin at 0, or end', () => {
    const touching = [
      { firstUnit: 0, lastUnit: 1.5, unitPrice: 4 },
      { firstUnit: 1.5, lastUnit: 3, unitPrice: 2 },
    ];
    expect(ask(touching, '0.5')).to.deep.equal([4, 2]);
    expect(ask(touching, '2.5')).to.deep.equal([3.2, 8]);
    expect(ask(touching, '3.5')).to.equal('NoMatchingRow');
  });

  it('keep the digits of prices that are finer than the minor unit', () => {
    const tokens = [
      { firstUnit: 1, lastUnit: 1_000, unitPrice: 0.00035 },
      { firstUnit: 1_001, unitPrice: 0.0002 },
    ];
    expect(ask(tokens, '3000')).to.deep.equal([0.00025, 0.75]);
    expect(ask(tokens, '1001')).to.deep.equal([0.00034985015, 0.35]);
  });

  it('are changed by the unit, which leaves no other total than price times quantity', () => {
    expect(ask(tiers, '15', { type: 'percent', amount: 10 })).to.deep.equal([20.16, undefined]);
    expect(ask(tiers, '15', { type: 'percent', amount: 0 })).to.deep.equal([18.33, 275]);
    expect(ask(tiers, '15', { type: 'fixedAmount', amount: -3 })).to.deep.equal([15.33, undefined]);
  });

  it('have a tier for each unit', () => {
    expect(faults(tiers)).to.deep.equal([]);
    expect(faults([{ firstUnit: 2, unitPrice: 1 }])).to.deep.equal([
      '/tiers must begin with a tier from unit 0 or 1',
    ]);
    expect(
      faults([
        { firstUnit: 1, lastUnit: 5, unitPrice: 1 },
        { firstUnit: 7, unitPrice: 2 },
      ]),
    ).to.deep.equal(['/tiers has no tier for the units before 7: tiers must not leave a gap']);
  });
});
