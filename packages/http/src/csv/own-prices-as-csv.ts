/** The list of own prices as CSV: the whole book, unless the request says how much of it. */
import type { BookPercents, OwnPricesPage, OwnPricesQuestion, PriceBooks } from '@pricebook/application';
import {
  type Adjustment,
  ALL,
  type BookPercent,
  CSV_HEAD,
  csvLine,
  type Currency,
  holderRows,
  type RelativeAdjustment,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { ApiError } from '../api-error';
import type { StreamedBody } from '../streams';
import { csvAnswer, pagesAfter } from './csv-answer';

/** Products that are read at once of a book that is sent whole. */
const PAGE = 1_000;

interface OwnPricesAsCsv {
  readonly stream: StreamedBody;
  /** All that was set up to this revision shows, and perhaps what was set since. */
  readonly revision: number;
  /** When something dated in the book is going to begin or end; undefined where nothing is. */
  readonly nextChange: string | undefined;
  /** Where the next page begins; undefined where all is sent. */
  readonly next: OwnPricesPage['next'];
}

/** The rows of a product, or of all products. */
const rowsAsCsv = (...of: Parameters<typeof holderRows>): string =>
  holderRows(...of)
    .map(csvLine)
    .join('');

const linesOf = function* ({ products }: OwnPricesPage): Iterable<string> {
  for (const { productId, ...own } of products) yield rowsAsCsv(productId, own);
};

/** What the book has for all products, as far as it is asked for. */
const percentRows = ({ percents }: BookPercents, only: Currency | undefined): string => {
  const adjustments: Partial<Record<Currency, RelativeAdjustment>> = {};
  const dated: Partial<Record<Currency, readonly Adjustment[]>> = {};
  for (const [currency, own] of Object.entries(percents) as [Currency, BookPercent][]) {
    if (only !== undefined && currency !== only) continue;
    if (own.adjustment !== null) adjustments[currency] = own.adjustment;
    if (own.dated !== undefined) dated[currency] = own.dated;
  }
  return rowsAsCsv(ALL, { adjustments, percents: {}, dated });
};

/**
 * The percents of the book come first; a page that goes on from another one has them no more, nor has a list of some
 * products. It begins when the first
 * products are read, so that what fails until then has its status.
 *
 * @param question without a limit for all of the book.
 */
export const ownPricesAsCsv =
  (
    priceBooks: PriceBooks,
    { limit, ...question }: Omit<OwnPricesQuestion, 'limit'> & { readonly limit: number | undefined },
  ): TaskEither<ApiError, OwnPricesAsCsv> =>
  async () => {
    // Before the rest is read: where it comes meanwhile, the next question about the answer finds it changed.
    const upcoming = await priceBooks.upcoming({ priceBookId: question.priceBookId, limit: 1 })();
    if (E.isLeft(upcoming)) return upcoming;
    const percents = await priceBooks.percents(question.priceBookId)();
    if (E.isLeft(percents)) return percents;
    const read = (from: OwnPricesPage['next']) =>
      priceBooks.ownPrices({ ...question, from, limit: limit ?? PAGE })();
    const page = await read(question.from);
    if (E.isLeft(page)) return page;
    const isOfAll = question.from === undefined && question.productIdPrefix === undefined;
    const ofAll = isOfAll ? percentRows(percents.right, question.currency) : '';
    return E.right({
      stream: csvAnswer({
        head: CSV_HEAD + ofAll,
        first: page.right,
        linesOf,
        next: pagesAfter(limit, read),
      }),
      revision: percents.right.revision,
      nextChange: upcoming.right.changes[0]?.at ?? upcoming.right.next?.at,
      next: limit === undefined ? undefined : page.right.next,
    });
  };
