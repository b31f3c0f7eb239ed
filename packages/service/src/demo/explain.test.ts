import { absoluteAdjustmentCodec, type Currency, type PriceBookId, type PriceStep } from '@pricebook/domain';
import { read } from '@pricebook/domain/testing';
import { expect } from 'chai';
import { explain } from './explain';

const root = 'root' as PriceBookId;
const derived = 'derived' as PriceBookId;
const stamp = { revision: 1, occurredAt: '2026-01-01T00:00:00.000Z', actor: 'key' };

const explained = (currency: string, ...steps: readonly PriceStep[]): readonly string[] =>
  explain(currency as Currency, steps, (id) => ({
    name: id === root ? 'List' : 'Mine',
    isRoot: id === root,
  }));

const entered = (amount: number): PriceStep['entered'] => ({
  adjustment: { type: 'override', amount },
  ...stamp,
});

const percent = (
  amount: number,
  of: 'product' | 'allProducts',
  exact: string,
  roundedTo: number | null,
): PriceStep['change'] => ({ adjustment: { type: 'percent', amount }, ...stamp, of, exact, roundedTo });

const list = (price: number): PriceStep => ({
  priceBookId: root,
  entered: entered(price),
  listPrice: price,
  price,
});

describe('the explanation of a price in words', () => {
  it('says that a price stands as entered, with the digits of the minor unit', () => {
    expect(explained('USD', list(1249))).to.deep.equal(['1,249.00 USD = list price']);
    expect(explained('JPY', list(1249))).to.deep.equal(['1,249 JPY = list price']);
    expect(explained('BHD', list(24.95))).to.deep.equal(['24.950 BHD = list price']);
  });

  it('keeps every digit of a price finer than the minor unit', () => {
    expect(explained('USD', list(4e-7))).to.deep.equal(['0.0000004 USD = list price']);
    expect(explained('USD', list(0.049999999999999996))).to.deep.equal([
      '0.049999999999999996 USD = list price',
    ]);
  });

  it('names the value that chose a row of an enum table', () => {
    const row = { value: 'gold', unitPrice: 812 };
    const step: PriceStep = {
      priceBookId: root,
      entered: {
        adjustment: { type: 'enum', property: 'level', values: [row] },
        ...stamp,
        chosen: { property: 'level', value: 'gold', row },
      },
      listPrice: 812,
      price: 812,
    };
    expect(explained('USD', step)).to.deep.equal(['812.00 USD = list price for level gold']);
  });

  it('names the bounds of the chosen range, and a tier without an end', () => {
    const tier = (lastUnit: number | null): PriceStep => {
      const row = { firstUnit: 1000, lastUnit, unitPrice: 5 };
      return {
        priceBookId: root,
        entered: {
          adjustment: read(absoluteAdjustmentCodec, { type: 'volume', tiers: [row] }),
          ...stamp,
          chosen: { property: 'quantity', value: 1200, row },
        },
        listPrice: 5,
        change: percent(10, 'allProducts', '5.5', 2),
        price: 5.5,
      };
    };
    expect(explained('USD', tier(1999))).to.deep.equal([
      '5.50 USD = 5.00 USD list price for quantity 1200 (1,000 to 1,999) + 10 % of the book',
    ]);
    expect(explained('USD', tier(null))).to.deep.equal([
      '5.50 USD = 5.00 USD list price for quantity 1200 (1,000 and more) + 10 % of the book',
    ]);
  });

  it('says whose percent changed the price', () => {
    const step = { ...list(10_000), change: percent(10, 'allProducts', '11000', 0), price: 11_000 };
    expect(explained('JPY', step)).to.deep.equal(['11,000 JPY = 10,000 JPY list price + 10 % of the book']);
    const own = { ...list(100), change: percent(-12.5, 'product', '87.5', 2), price: 87.5 };
    expect(explained('USD', own)).to.deep.equal([
      '87.50 USD = 100.00 USD list price - 12.5 % of the product',
    ]);
    const held = { ...list(100), change: percent(0, 'product', '100', null), price: 100 };
    expect(explained('USD', held)).to.deep.equal(['100.00 USD = 100.00 USD list price + 0 % of the product']);
  });

  it('shows what was rounded, digit by digit', () => {
    const step = { ...list(24.95), change: percent(5, 'allProducts', '26.1975', 3), price: 26.198 };
    expect(explained('BHD', step)).to.deep.equal([
      '26.198 BHD = 24.950 BHD list price + 5 % of the book, rounded from 26.1975 BHD',
    ]);
    const long = {
      ...list(900_000_000_000_000),
      change: percent(0.001, 'allProducts', '900009000000000.0001', 2),
      price: 900_009_000_000_000,
    };
    expect(explained('USD', long)[0]).to.match(/rounded from 900,009,000,000,000\.0001 USD$/);
  });

  it('goes from the book that was asked to the one where the price was entered', () => {
    const step: PriceStep = {
      priceBookId: derived,
      listPrice: 100,
      change: percent(-15, 'allProducts', '85', 2),
      price: 85,
    };
    expect(explained('USD', list(100), step)).to.deep.equal([
      '85.00 USD = 100.00 USD in "List" - 15 % of the book',
      '100.00 USD = list price',
    ]);
  });

  it('says that a derived book passes a price on, and when that follows a removal', () => {
    const step: PriceStep = { priceBookId: derived, listPrice: 100, price: 100 };
    expect(explained('USD', list(100), step)[0]).to.equal('100.00 USD = in "List"');
    expect(explained('USD', list(100), { ...step, removed: stamp })[0]).to.equal(
      '100.00 USD = in "List", after a removal',
    );
  });

  it('calls what a derived book says itself a special price', () => {
    expect(explained('USD', { ...list(7), priceBookId: derived })).to.deep.equal([
      '7.00 USD = special price',
    ]);
  });
});
