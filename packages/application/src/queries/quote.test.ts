import type { Currency, PriceBookId, ProductId, QuoteLine } from '@pricebook/domain';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { quote } from './quote';

const book = 'book' as PriceBookId;
const lineOf = (productId: string, at?: string): QuoteLine => ({
  productId: productId as ProductId,
  currency: 'USD' as Currency,
  parameters: new Map(),
  ...(at !== undefined && { at }),
});
const resolved = (price: number) => ({ price, effectiveDate: '2026-01-01T00:00:00.000Z', steps: [] });
const keep = (_line: QuoteLine, quoted: E.Either<{ readonly _tag: string }, { readonly price: number }>) =>
  E.isRight(quoted) ? quoted.right.price : quoted.left._tag;

type Ask = Parameters<typeof quote>[0];
type Answer = Awaited<ReturnType<ReturnType<Ask>>>;

/** A price query that knows how much it was asked at once. */
const watch = (answer: (line: QuoteLine) => Answer) => {
  const seen = { underWay: 0, most: 0, asked: 0 };
  const ask: Ask = (line) => async () => {
    seen.asked += 1;
    seen.underWay += 1;
    seen.most = Math.max(seen.most, seen.underWay);
    await new Promise((resolve) => setImmediate(resolve));
    seen.underWay -= 1;
    return answer(line);
  };
  return { ask, seen };
};

describe('a quote', () => {
  const lines = Array.from({ length: 1_050 }, (_, n) => lineOf(String(n)));

  it('asks for some lines at once, and answers all in their order', async () => {
    const { ask, seen } = watch(({ productId }) => E.right(resolved(Number(productId))));
    const answer = await quote(ask, book, lines, keep)();
    expect(answer).to.deep.equal(E.right(lines.map((_, n) => n)));
    expect(seen).to.deep.equal({ underWay: 0, most: 100, asked: 1_050 });
  });

  it('asks for fewer lines at once where they are about the past', async () => {
    const { ask, seen } = watch(() => E.right(resolved(1)));
    await quote(
      ask,
      book,
      lines.map(({ productId }) => lineOf(productId, '2026-01-01T00:00:00.000Z')),
      keep,
    )();
    expect(seen).to.deep.equal({ underWay: 0, most: 10, asked: 1_050 });
  });

  it('fails as a whole with the store, and asks it no more', async () => {
    const failure = { _tag: 'StoreUnavailable', reason: 'down' } as const;
    const { ask, seen } = watch(({ productId }) =>
      productId === '150' ? E.left(failure) : E.right(resolved(1)),
    );
    expect(await quote(ask, book, lines, keep)()).to.deep.equal(E.left(failure));
    expect(seen.asked).to.equal(200);
  });

  it('finds no book where no line does, and otherwise says so of the lines that do not', async () => {
    const unknown = { _tag: 'PriceBookNotFound' } as const;
    const nobody = watch(() => E.left(unknown));
    expect(await quote(nobody.ask, book, lines, keep)()).to.deep.equal(E.left(unknown));
    const some = watch(({ productId }) => E.left(productId === '7' ? { _tag: 'NoListPrice' } : unknown));
    const answer = await quote(some.ask, book, lines, keep)();
    const expected = lines.map(({ productId }) => (productId === '7' ? 'NoListPrice' : unknown._tag));
    expect(answer).to.deep.equal(E.right(expected));
  });
});
