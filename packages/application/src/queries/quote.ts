/** Many prices of one book at once. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { PriceBookId, PriceError, QuoteLine } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { Clock } from '../ports/clock';
import type { ReadModel } from '../ports/read-model';
import type { StoreError } from '../ports/store-error';
import { asOf, type CurrentPrice, type PriceBookNotFound, priceIn } from './price';

/** What the price query answers to a line, a failure of a store apart. */
export type QuotedLine = E.Either<PriceError | PriceBookNotFound, CurrentPrice>;

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

/**
 * How much is asked of the read model and answered at once, in some milliseconds: most quotes are one part. A current
 * price is one look-up, one of the past some for each book.
 */
const COST_TOGETHER = 1_000;
const COST_OF_PAST = 10;

const partsOf = (lines: readonly QuoteLine[]): readonly (readonly QuoteLine[])[] => {
  const parts: QuoteLine[][] = [];
  let room = 0;
  for (const line of lines) {
    const cost = line.at === undefined ? 1 : COST_OF_PAST;
    if (room < cost) {
      parts.push([]);
      room = COST_TOGETHER;
    }
    parts.at(-1)?.push(line);
    room -= cost;
  }
  return parts;
};

/**
 * Answers lines in their order, a part at a time, with turns of the event loop in between.
 *
 * @param keep what is kept of each answer: whole ones, with the tables that their steps name, would take much memory.
 * @returns PriceBookNotFound where no line finds the book. Where some do, as lines about the past of a deleted book,
 *   it is the answer of the lines that do not.
 */
export const quote =
  <A>(
    readModel: Pick<ReadModel, 'findManyHoldings'>,
    clock: Clock,
    priceBookId: PriceBookId,
    lines: readonly QuoteLine[],
    keep: (line: QuoteLine, quoted: QuotedLine) => A,
  ): TaskEither<StoreError | PriceBookNotFound, readonly A[]> =>
  async () => {
    const kept: A[] = [];
    let findsBook = false;
    for (const part of partsOf(lines)) {
      if (kept.length > 0) await nextTurn();
      const questions = part.map((line) => ({
        productId: line.productId,
        currency: line.currency,
        at: asOf(line),
      }));
      const found = await readModel.findManyHoldings(priceBookId, questions)();
      if (E.isLeft(found)) return found;
      const instant = clock.now();
      const now = (): string => instant;
      for (const [place, line] of part.entries()) {
        const chain = found.right[place];
        findsBook ||= chain !== undefined;
        kept.push(keep(line, priceIn(chain, line, now)));
      }
    }
    return findsBook ? E.right(kept) : E.left({ _tag: 'PriceBookNotFound' });
  };
