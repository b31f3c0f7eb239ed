/** Many prices of one book at once. */
import { setImmediate } from 'node:timers/promises';
import type { PriceBookId, PriceError, QuoteLine } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { CurrentPrice } from './price';
import { isStoreError, type StoreError } from '../ports/store-error';

interface PriceBookNotFound {
  readonly _tag: 'PriceBookNotFound';
}

/** What the price query answers to a line, a failure of a store apart. */
export type QuotedLine = E.Either<PriceError | PriceBookNotFound, CurrentPrice>;

/** The price query, of which a quote is many. */
type AskPrice = (
  question: QuoteLine & { readonly priceBookId: PriceBookId },
) => TaskEither<PriceError | PriceBookNotFound | StoreError, CurrentPrice>;

/** Answers lines of one book, in their order; see `quote`. */
export type Quote = <A>(
  priceBookId: PriceBookId,
  lines: readonly QuoteLine[],
  keep: (line: QuoteLine, quoted: QuotedLine) => A,
) => TaskEither<StoreError | PriceBookNotFound, readonly A[]>;

/** What lists of prices keep of an answer: nothing where the product has no list price. */
export const whereListed =
  <A>(keep: (line: QuoteLine, quoted: QuotedLine) => A) =>
  (line: QuoteLine, quoted: QuotedLine): readonly A[] =>
    E.isLeft(quoted) && quoted.left._tag === 'NoListPrice' ? [] : [keep(line, quoted)];

/** How much is asked of the read model at once: a price of now is one look-up, one of the past some for each book. */
const COST_TOGETHER = 100;
const COST_OF_PAST = 10;

const slicesOf = (lines: readonly QuoteLine[]): readonly (readonly QuoteLine[])[] => {
  const slices: QuoteLine[][] = [];
  let room = 0;
  for (const line of lines) {
    const cost = line.at === undefined ? 1 : COST_OF_PAST;
    if (room < cost) {
      slices.push([]);
      room = COST_TOGETHER;
    }
    slices.at(-1)?.push(line);
    room -= cost;
  }
  return slices;
};

const lineOf = (
  answer: E.Either<PriceError | PriceBookNotFound | StoreError, CurrentPrice>,
): E.Either<StoreError, QuotedLine> => {
  if (E.isRight(answer)) return E.right(answer);
  const error = answer.left;
  return isStoreError(error) ? E.left(error) : E.right(E.left(error));
};

/**
 * Answers lines in their order, a slice at a time, with turns of the event loop in between.
 *
 * @param keep what is kept of each answer: whole ones, with the tables that their steps name, would take much memory.
 * @returns PriceBookNotFound where no line finds the book. Where some do, as lines about the past of a deleted book,
 *   it is the answer of the lines that do not.
 */
export const quote =
  <A>(
    askPrice: AskPrice,
    priceBookId: PriceBookId,
    lines: readonly QuoteLine[],
    keep: (line: QuoteLine, quoted: QuotedLine) => A,
  ): TaskEither<StoreError | PriceBookNotFound, readonly A[]> =>
  async () => {
    const kept: A[] = [];
    let findsBook = false;
    for (const slice of slicesOf(lines)) {
      const answers = await Promise.all(
        slice.map(async (line) => ({ line, answer: lineOf(await askPrice({ ...line, priceBookId })()) })),
      );
      for (const { line, answer } of answers) {
        if (E.isLeft(answer)) return answer;
        const quoted = answer.right;
        findsBook ||= E.isRight(quoted) || quoted.left._tag !== 'PriceBookNotFound';
        kept.push(keep(line, quoted));
      }
      await setImmediate();
    }
    return findsBook ? E.right(kept) : E.left({ _tag: 'PriceBookNotFound' });
  };
