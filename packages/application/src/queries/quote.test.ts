import type { Cell, ChainHoldings, Currency, PriceBookId, ProductId, QuoteLine } from '@pricebook/domain';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import type { HoldingsQuestion } from '../ports/read-model';
import type { StoreError } from '../ports/store-error';
import { quote } from './quote';

const book = 'book' as PriceBookId;
const clock = { now: () => '2026-06-01T00:00:00.000Z' };
const lineOf = (productId: string, at?: string): QuoteLine => ({
  productId: productId as ProductId,
  currency: 'USD' as Currency,
  parameters: new Map(),
  ...(at !== undefined && { at }),
});
const chainOf = (amount: number): ChainHoldings<Cell> => {
  const stamp = { revision: 1, occurredAt: '2026-01-01T00:00:00.000Z', actor: 'key' };
  const product = { absolute: { adjustment: { type: 'override', amount } as const, ...stamp } };
  return [{ priceBookId: book, product, allProducts: undefined }];
};
const keep = (_line: QuoteLine, quoted: E.Either<{ readonly _tag: string }, { readonly price: number }>) =>
  E.isRight(quoted) ? quoted.right.price : quoted.left._tag;

/** A read model that knows how much it was asked at once. */
const watch = (
  answer: (question: HoldingsQuestion) => ChainHoldings<Cell> | undefined,
  failure?: { readonly after: number; readonly error: StoreError },
) => {
  const asked: number[] = [];
  return {
    asked,
    findManyHoldings: (_id: PriceBookId, questions: readonly HoldingsQuestion[]) => () => {
      asked.push(questions.length);
      return Promise.resolve(
        failure !== undefined && asked.length > failure.after
          ? E.left(failure.error)
          : E.right(questions.map(answer)),
      );
    },
  };
};

describe('a quote', () => {
  const lines = Array.from({ length: 2_050 }, (_, n) => lineOf(String(n)));

  it('asks once for most quotes, some lines at once for long ones, and answers all in their order', async () => {
    const readModel = watch(({ productId }) => chainOf(Number(productId)));
    const answer = await quote(readModel, clock, book, lines, keep)();
    expect(answer).to.deep.equal(E.right(lines.map((_, n) => n)));
    expect(readModel.asked).to.deep.equal([1_000, 1_000, 50]);
  });

  it('asks for fewer lines at once where they are about the past', async () => {
    const readModel = watch(() => chainOf(1));
    const past = lines.slice(0, 250).map(({ productId }) => lineOf(productId, '2026-01-01T00:00:00.000Z'));
    await quote(readModel, clock, book, past, keep)();
    expect(readModel.asked).to.deep.equal([100, 100, 50]);
  });

  it('asks what was known at the time of which that is asked', async () => {
    const at = '2026-05-01T00:00:00.000Z';
    const knownAt = '2026-02-01T00:00:00.000Z';
    const times: (string | undefined)[] = [];
    const readModel = watch((question) => {
      times.push(question.at);
      return chainOf(1);
    });
    await quote(
      readModel,
      clock,
      book,
      [lineOf('a'), lineOf('b', at), { ...lineOf('c', at), knownAt }],
      keep,
    )();
    expect(times).to.deep.equal([undefined, at, knownAt]);
  });

  it('fails as a whole with the store, and asks it no more', async () => {
    const error = { _tag: 'StoreUnavailable', reason: 'down' } as const;
    const readModel = watch(() => chainOf(1), { after: 1, error });
    expect(await quote(readModel, clock, book, lines, keep)()).to.deep.equal(E.left(error));
    expect(readModel.asked).to.deep.equal([1_000, 1_000]);
  });

  it('finds no book where no line does, and otherwise says so of the lines that do not', async () => {
    const unknown = { _tag: 'PriceBookNotFound' } as const;
    const none = watch(() => undefined);
    expect(await quote(none, clock, book, lines, keep)()).to.deep.equal(E.left(unknown));
    const empty: ChainHoldings<Cell> = [{ priceBookId: book, product: undefined, allProducts: undefined }];
    const some = watch(({ productId }) => (productId === '7' ? empty : undefined));
    const answer = await quote(some, clock, book, lines, keep)();
    const expected = lines.map(({ productId }) => (productId === '7' ? 'NoListPrice' : unknown._tag));
    expect(answer).to.deep.equal(E.right(expected));
  });
});
