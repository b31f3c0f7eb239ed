import type { Cell, Currency, PriceBookId, ProductId } from '@pricebook/domain';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import type { ReadModel } from '../ports/read-model';
import { readEffectivePrices } from './effective-prices';
import { quote } from './quote';

const USD = 'USD' as Currency;
const BOOK = '01890000-0000-7000-8000-000000000000' as PriceBookId;
const clock = { now: () => '2026-01-02T00:00:00.000Z' };
const stamp = { revision: 1, occurredAt: '2026-01-01T00:00:00.000Z', actor: 'a' };
const cell: Cell = { absolute: { adjustment: { type: 'override', amount: 1 }, ...stamp } };

const idOf = (number: number): ProductId => String(number).padStart(8, '0') as ProductId;

/** A root book with so many products, some of which have a price. */
const given = (count: number, isPriced: (number: number) => boolean) => {
  const looked = { products: 0, lists: 0 };
  const readModel: Pick<ReadModel, 'findHoldings' | 'findManyHoldings' | 'listProducts'> = {
    findHoldings: (priceBookId) => TE.right([{ priceBookId, product: undefined, allProducts: undefined }]),
    findManyHoldings: (priceBookId, questions) => {
      looked.products += questions.length;
      return TE.right(
        questions.map(({ productId }) => {
          const product = isPriced(Number(productId)) ? cell : undefined;
          return [{ priceBookId, product, allProducts: undefined }] as const;
        }),
      );
    },
    listProducts: (_, __, limit, from = idOf(0)) => {
      looked.lists += 1;
      // A list may also begin at part of an id.
      const start = Number(from.padEnd(8, '0'));
      const end = Math.min(start + limit, count);
      return TE.right({
        items: Array.from({ length: end - start }, (___, index) => idOf(start + index)),
        next: end < count ? idOf(end) : undefined,
      });
    },
  };
  return async (limit: number, from?: number, productIdPrefix?: string) => {
    Object.assign(looked, { products: 0, lists: 0 });
    const page = await readEffectivePrices(
      readModel,
      (id, lines, keep) => quote(readModel, clock, id, lines, keep),
      {
        priceBookId: BOOK,
        currency: USD,
        parameters: new Map(),
        limit,
        productIdPrefix,
        from: from === undefined ? undefined : idOf(from),
      },
      ({ productId }) => Number(productId),
    )();
    if (E.isLeft(page)) throw new Error(page.left._tag);
    return { ...page.right, ...looked };
  };
};

describe('The list of effective prices', () => {
  it('looks at as many products as it answers, where all have a price', async () => {
    const read = given(1_000_000, () => true);
    for (const [limit, from] of [
      [1, 0],
      [1_000, 500_000],
    ] as const) {
      const page = await read(limit, from);
      expect([page.prices.length, page.prices[0], page.next]).to.deep.equal([
        limit,
        from,
        idOf(from + limit),
      ]);
      expect(page.products).to.equal(limit);
    }
    expect((await read(10, 999_990)).next).to.equal(undefined);
  });

  it('looks at 10,000 products a page, whatever it finds, in few reads', async () => {
    const read = given(25_000, (number) => number === 24_000);
    for (const limit of [1, 100]) {
      const first = await read(limit);
      expect([first.prices, first.next]).to.deep.equal([[], idOf(10_000)]);
      expect(first.lists).to.be.at.most(60);
      const last = await read(limit, 20_000);
      expect(last.prices).to.deep.equal([24_000]);
    }
  });

  it('looks at the products of a prefix alone', async () => {
    const read = given(1_000_000, () => true);
    const page = await read(100, undefined, '0054321');
    expect(page).to.deep.include({
      prices: Array.from({ length: 10 }, (_, n) => 543_210 + n),
      next: undefined,
      products: 10,
    });
    expect(await read(4, 543_218, '0054321')).to.deep.include({
      prices: [543_218, 543_219],
      next: undefined,
    });
    expect(await read(10, undefined, '0054321')).to.deep.include({ next: undefined });
  });

  it('goes on at the first product that has no room', async () => {
    const read = given(100, (number) => number > 40);
    const page = await read(2);
    expect([page.prices, page.next]).to.deep.equal([[41, 42], idOf(43)]);
  });
});
