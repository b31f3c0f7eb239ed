import { expect } from 'chai';
import { type Adjustment, absoluteAdjustmentCodec } from '../adjustments/adjustment';
import type { Currency } from '../currency';
import type { PriceBookId } from '../identifiers';
import { read } from '../testing/reading';
import type { Cell } from './cell';
import { comparePrices } from './compare-prices';
import { cellAfter } from './dated';
import type { ChainHoldings } from './resolve-price';

const USD = 'USD' as Currency;
const now = '2026-01-01T00:00:00.000Z';
const [march, april] = ['2026-03-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z'];
const stamp = { revision: 1, occurredAt: now, actor: 'a' };

const cellOf = (...adjustments: readonly Adjustment[]): Cell | undefined =>
  adjustments.length === 0 ? undefined : cellAfter(undefined, adjustments, stamp);
const rootOf = (...adjustments: readonly Adjustment[]): ChainHoldings<Cell> => [
  { priceBookId: 'root' as PriceBookId, product: cellOf(...adjustments), allProducts: undefined },
];
const price = (amount: number): Adjustment => ({ type: 'override', amount });
const tiers = (...firstUnits: readonly number[]): Adjustment =>
  read(absoluteAdjustmentCodec, {
    type: 'volume',
    tiers: firstUnits.map((firstUnit, n) => ({
      firstUnit,
      lastUnit: firstUnits[n + 1] === undefined ? null : (firstUnits[n + 1] ?? 0),
      unitPrice: 100 - firstUnit,
    })),
  });
const regions = (...values: readonly string[]): Adjustment => ({
  type: 'enum',
  property: 'region',
  values: values.map((value) => ({ value, unitPrice: value.length })),
});

/** Each change as `parameters @at: before -> after`. */
const changesOf = (before: ChainHoldings<Cell>, after: ChainHoldings<Cell>): readonly string[] =>
  [...comparePrices(before, after, USD, now)].flatMap((change) => {
    if (change === undefined) return [];
    const asked = change.choices.map(({ property, value }) => `${property}=${value}`).join('&');
    const at = change.at === undefined ? '' : ` @${change.at.slice(5, 7)}`;
    return [`${asked}${at}: ${String(change.before)} -> ${String(change.after)}`];
  });

describe('Prices before and after a change', () => {
  it('are told where they differ, none as null', () => {
    expect(changesOf(rootOf(price(1)), rootOf(price(2)))).to.deep.equal([': 1 -> 2']);
    expect(changesOf(rootOf(), rootOf(price(2)))).to.deep.equal([': null -> 2']);
    expect(changesOf(rootOf(price(1)), rootOf())).to.deep.equal([': 1 -> null']);
    expect(changesOf(rootOf(price(1)), rootOf(price(1)))).to.deep.equal([]);
    expect(changesOf(rootOf(), rootOf())).to.deep.equal([]);
  });

  it('are asked of every row of the tables before and after', () => {
    expect(changesOf(rootOf(tiers(1, 10)), rootOf(tiers(1, 5, 10)))).to.deep.equal(['quantity=5: 99 -> 95']);
    expect(changesOf(rootOf(price(95)), rootOf(tiers(0, 5, 10)))).to.deep.equal([
      'quantity=1: 95 -> 100',
      'quantity=10: 95 -> 90',
    ]);
    expect(changesOf(rootOf(regions('EU', 'CH')), rootOf(regions('EU')))).to.deep.equal([
      'region=CH: 2 -> null',
    ]);
  });

  it('are asked with both parameters where the tables read different ones', () => {
    expect(changesOf(rootOf(regions('EU', 'USA')), rootOf(tiers(1, 98)))).to.deep.equal([
      'quantity=1&region=EU: 2 -> 99',
      'quantity=1&region=USA: 3 -> 99',
    ]);
  });

  it('are told of each instant at which they come to differ in another way', () => {
    const sale: Adjustment = { type: 'percent', amount: -50, validFrom: march, validUntil: april };
    expect(changesOf(rootOf(price(10)), rootOf(price(10), sale))).to.deep.equal([' @03: 10 -> 5']);
    expect(changesOf(rootOf(price(10), sale), rootOf(price(20), sale))).to.deep.equal([
      ': 10 -> 20',
      ' @03: 5 -> 10',
      ' @04: 10 -> 20',
    ]);
    const rise: Adjustment = { type: 'override', amount: 30, validFrom: march };
    const later: Adjustment = { type: 'override', amount: 30, validFrom: april };
    expect(changesOf(rootOf(price(10), rise), rootOf(price(10), later))).to.deep.equal([' @03: 30 -> 10']);
  });
});
