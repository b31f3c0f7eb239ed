import {
  type Adjustment,
  type Cell,
  type Currency,
  type PriceBookId,
  type PriceBookState,
  type ProductId,
  type SetPrices,
} from '@pricebook/domain';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import type { PriceBookView, ReadModel } from '../ports/read-model';
import { decidePreview, previewPrices } from './preview';

const USD = 'USD' as Currency;
const BOOK = '01890000-0000-7000-8000-000000000000' as PriceBookId;
const now = '2026-01-02T00:00:00.000Z';
const state: PriceBookState = { _tag: 'Active', revision: 3, updatedAt: '2026-01-01T00:00:00.000Z' };
const stamp = { revision: 1, occurredAt: '2026-01-01T00:00:00.000Z', actor: 'a' };

const override = (amount: number): Adjustment => ({ type: 'override', amount });
const idOf = (number: number): ProductId => String(number).padStart(8, '0') as ProductId;
const setting = (count: number, amount: number): SetPrices => ({
  _tag: 'SetProductPrices',
  items: Array.from({ length: count }, (_, n) => ({
    productId: idOf(n),
    adjustments: { [USD]: override(amount) },
  })),
});

/** A root book in which so many products cost 1; it knows how many were looked up. */
const given = (count: number) => {
  const looked = { up: 0 };
  const cell: Cell = { absolute: { adjustment: { type: 'override', amount: 1 }, ...stamp } };
  const readModel: Pick<ReadModel, 'findManyHoldings' | 'findPriceBook' | 'findProduct' | 'listProducts'> = {
    findManyHoldings: (priceBookId, questions) => {
      looked.up += questions.length;
      return TE.right(questions.map(() => [{ priceBookId, product: cell, allProducts: undefined }] as const));
    },
    findPriceBook: () => TE.right({ basePriceBookIds: [] } as unknown as PriceBookView),
    findProduct: (ids) => TE.right(ids.map(() => ({ [USD]: cell }))),
    listProducts: (_, __, limit, from = idOf(0)) => {
      const start = Number(from);
      const end = Math.min(start + limit, count);
      const items = Array.from({ length: end - start }, (___, n) => idOf(start + n));
      return TE.right({ items, next: end < count ? idOf(end) : undefined });
    },
  };
  return async (command: Parameters<typeof decidePreview>[2]) => {
    const changes = decidePreview(BOOK, state, command, undefined, 'me', now);
    if (E.isLeft(changes)) throw new Error(changes.left._tag);
    const shown = await previewPrices(readModel, BOOK, changes.right, now)();
    if (E.isLeft(shown)) throw new Error(shown.left._tag);
    return { ...shown.right, ...looked };
  };
};

describe('A preview', () => {
  it('shows 100 changes, and looks no further than it has to', async () => {
    const whole = await given(0)(setting(100, 2));
    expect([whole.changes.length, whole.hasMore]).to.deep.equal([100, false]);
    const cut = await given(0)(setting(10_000, 2));
    expect([cut.changes.length, cut.hasMore, cut.up]).to.deep.equal([100, true, 200]);
    const all: SetPrices = {
      _tag: 'AdjustAllProducts',
      adjustments: { [USD]: { type: 'percent', amount: 100 } },
    };
    const ofAll = await given(1_000_000)(all);
    expect([ofAll.changes.length, ofAll.hasMore, ofAll.up]).to.deep.equal([100, true, 200]);
    expect(ofAll.changes[99]).to.deep.include({ productId: idOf(99), before: 1, after: 2 });
  });

  it('looks at 10,000 prices, whatever it finds', async () => {
    const same = await given(0)(setting(10_000, 1));
    expect([same.changes.length, same.hasMore]).to.deep.equal([0, false]);
    const idle: SetPrices = {
      _tag: 'AdjustAllProducts',
      adjustments: { [USD]: { type: 'percent', amount: 0 } },
    };
    const more = await given(20_000)(idle);
    expect([more.changes.length, more.hasMore]).to.deep.equal([0, true]);
    expect(more.up).to.be.at.most(10_100);
  });

  it('looks at a product once that is named and has a percent for all as well', async () => {
    const sheet: SetPrices = {
      _tag: 'SetPriceSheet',
      items: [{ productId: idOf(1), adjustments: { [USD]: override(5) } }],
      allProducts: { [USD]: { type: 'percent', amount: 100 } },
    };
    const { changes } = await given(3)(sheet);
    expect(changes.map(({ productId, after }) => [productId, after])).to.deep.equal([
      [idOf(1), 10],
      [idOf(0), 2],
      [idOf(2), 2],
    ]);
  });

  it('is refused as the command is', () => {
    const decided = (book: PriceBookState, command: SetPrices, expected?: readonly number[]) =>
      decidePreview(BOOK, book, command, expected, 'me', now);
    expect(decided({ _tag: 'Absent' }, setting(1, 1))).to.deep.equal(E.left({ _tag: 'PriceBookNotFound' }));
    expect(decided(state, setting(1, 1), [2])).to.deep.equal(E.left({ _tag: 'RevisionMismatch', actual: 3 }));
    const crowded = { holder: 'P', currency: USD };
    expect(decided(state, { ...setting(1, 1), crowded })).to.deep.equal(
      E.left({ _tag: 'TooManyDatedAdjustments', ...crowded, max: 1_000 }),
    );
  });
});
