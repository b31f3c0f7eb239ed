import { expect } from 'chai';

import { absoluteAdjustmentCodec } from '../adjustments/adjustment';
import { currency, instant, read } from '../testing/reading';
import type { Cell } from './cell';
import { bookPercentsOf, type Cells, ownPricesOf } from './own-prices';

const stamp = (revision: number) => ({ revision, occurredAt: instant(revision), actor: 'tester' });
const override = (amount: number) => ({ type: 'override', amount }) as const;
const percent = (amount: number) => ({ type: 'percent', amount }) as const;
const volume = read(absoluteAdjustmentCodec, { type: 'volume', tiers: [{ firstUnit: 1, unitPrice: 2 }] });

const cells = (entries: Readonly<Record<string, Cell>>): Cells =>
  Object.fromEntries(Object.entries(entries).map(([code, cell]) => [currency(code), cell]));

const NOW = instant(100);

const held = cells({
  USD: {
    absolute: { adjustment: override(1), ...stamp(1) },
    relative: { adjustment: percent(5), ...stamp(2) },
  },
  JPY: { relative: { adjustment: percent(-7), ...stamp(3) } },
  EUR: { absolute: { adjustment: volume, ...stamp(4) } },
  BHD: { removed: stamp(5) },
});

describe('What a product has of its own', () => {
  it('is, in a root book, what says its price and the percents beside that', () => {
    expect(ownPricesOf(held, true, NOW)).to.deep.equal({
      adjustments: { EUR: volume, USD: override(1) },
      percents: { JPY: percent(-7), USD: percent(5) },
      dated: {},
    });
  });

  it('is, in a book with a base, what decides alone, percents too', () => {
    expect(ownPricesOf(held, false, NOW)).to.deep.equal({
      adjustments: { EUR: volume, JPY: percent(-7), USD: percent(5) },
      percents: {},
      dated: {},
    });
  });

  it('comes in the order of the currencies', () => {
    const { adjustments, percents } = ownPricesOf(held, true, NOW) ?? {};
    expect(Object.keys(adjustments ?? {})).to.deep.equal(['EUR', 'USD']);
    expect(Object.keys(percents ?? {})).to.deep.equal(['JPY', 'USD']);
    expect(Object.keys(ownPricesOf(held, false, NOW)?.adjustments ?? {})).to.deep.equal([
      'EUR',
      'JPY',
      'USD',
    ]);
  });

  it('is that in one currency alone where one is named', () => {
    expect(ownPricesOf(held, true, NOW, currency('USD'))).to.deep.equal({
      adjustments: { USD: override(1) },
      percents: { USD: percent(5) },
      dated: {},
    });
    expect(ownPricesOf(held, true, NOW, currency('GBP'))).to.equal(undefined);
  });

  it('is nothing where all was taken away', () => {
    expect(ownPricesOf({}, true, NOW)).to.equal(undefined);
    expect(ownPricesOf(cells({ USD: { removed: stamp(1) } }), false, NOW)).to.equal(undefined);
    expect(ownPricesOf(held, true, NOW, currency('BHD'))).to.equal(undefined);
  });
});

describe('The percents of a book', () => {
  it('come in the order of the currencies, each with when it was set, without those taken away', () => {
    const percents = bookPercentsOf(
      cells({
        USD: { relative: { adjustment: percent(5), ...stamp(2) } },
        BHD: { removed: stamp(5) },
        EUR: { relative: { adjustment: percent(0), ...stamp(3) } },
      }),
      NOW,
    );
    expect(percents).to.deep.equal({
      EUR: { adjustment: percent(0), since: instant(3), revision: 3 },
      USD: { adjustment: percent(5), since: instant(2), revision: 2 },
    });
    expect(Object.keys(percents)).to.deep.equal(['EUR', 'USD']);
  });
});
