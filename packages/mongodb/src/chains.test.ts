import { ALL_PRODUCTS, type HoldingsQuestion } from '@pricebook/application';
import type { Currency, PriceBookId, ProductId } from '@pricebook/domain';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { createChains, rememberChains } from './chains';
import { bookName } from './documents';

const BOOK = 'book' as PriceBookId;
const BASE = 'base' as PriceBookId;
const USD = 'USD' as Currency;
const EUR = 'EUR' as Currency;
const AT = '2026-01-01T00:00:00.000Z';

describe('past holdings of many products', () => {
  it('are found with what a book has for all products asked for once', async () => {
    const asked: string[] = [];
    const history = {
      find: ({ book, holder, currency, occurredAt: { $lte: at } }: never) => {
        asked.push([book, holder, currency, at].join(' '));
        const cursor = { sort: () => cursor, limit: () => cursor, toArray: () => Promise.resolve([]) };
        return cursor;
      },
    };
    const created = { basePriceBookIds: [BASE], stamp: { occurredAt: AT } };
    const books = new Map([
      [bookName(BOOK), { state: { created } }],
      [bookName(BASE), { state: { created: { ...created, basePriceBookIds: [] } } }],
    ]);
    const chains = createChains(
      { query: (ask: () => Promise<unknown>) => () => ask().then(E.right) } as never,
      { history, lookUp: () => Promise.resolve(books), chains: rememberChains() } as never,
    );
    const questions = ['P', 'Q', 'P', 'R'].flatMap((product): readonly HoldingsQuestion[] =>
      [USD, EUR].map((currency) => ({ productId: product as ProductId, currency, at: AT })),
    );
    expect(E.isRight(await chains.findManyHoldings(BOOK, questions)())).to.equal(true);
    expect(asked).to.include(`${BASE} ${ALL_PRODUCTS} EUR ${AT}`);
    expect(asked).to.deep.equal([...new Set(asked)]);
    // For each book and currency: three products, and all products.
    expect(asked).to.have.length(2 * 2 * 4);
  });
});
