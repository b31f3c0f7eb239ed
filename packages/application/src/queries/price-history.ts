/** Reads the timeline of a price a page at a time. */
import { setImmediate } from 'node:timers/promises';
import {
  type Currency,
  later,
  type PriceBookId,
  type PriceParameters,
  type ProductId,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { Clock } from '../ports/clock';
import type { ChainHistory, ReadModel } from '../ports/read-model';
import type { StoreError } from '../ports/store-error';
import { type PricePeriod, tellFrom, tellOn, type Told } from './price-timeline';

/** Changes of each book and holder read at once: first few, since tables make them large; more where they are small. */
const FIRST_ROWS = 10;
const MAX_ROWS = 100;
/** A change alone tells nothing: as much may have happened at its instant. */
const MIN_ROWS = 2;
/** As many characters of JSON make a read a large one. */
const LARGE_READ = 1024 * 1024;

/** A page ends with the period by which the adjustments in it come to so many characters of JSON. */
const PAGE_SIZE = 4 * 1024 * 1024;

export interface PriceHistoryQuestion {
  readonly priceBookId: PriceBookId;
  readonly productId: ProductId;
  readonly currency: Currency;
  readonly parameters: PriceParameters;
  /** ISO 8601, UTC: periods that begin then or later; absent for all. */
  readonly from?: string | undefined;
  /** ISO 8601, UTC: periods that begin before it, what is planned among them; absent for those up to now. */
  readonly to?: string | undefined;
  /** The most periods that are wanted. */
  readonly limit: number;
}

/** Some periods of a timeline, oldest first. */
export interface PriceHistoryPage {
  readonly periods: readonly PricePeriod[];
  /** Where the next page begins; undefined where this is the last. */
  readonly next: string | undefined;
}

const justBefore = (instant: string): string => new Date(Date.parse(instant) - 1).toISOString();

const justAfter = (instant: string): string => new Date(Date.parse(instant) + 1).toISOString();

/** The instant from which on rows may be missing: that of the last row of a series that may go on. */
const horizonOf = (history: ChainHistory, limit: number): string | undefined =>
  history
    .flatMap(({ product, allProducts }) => [product.rows, allProducts.rows])
    .filter((rows) => rows.length >= limit)
    .map((rows) => rows.at(-1)?.stamp.occurredAt)
    .reduce((a, b) => (a === undefined || (b !== undefined && b < a) ? b : a), undefined);

/** How many of the periods make a page; undefined where they do not fill one. */
const fullPage = (periods: readonly PricePeriod[], limit: number): number | undefined => {
  let size = 0;
  for (const [place, { cause }] of periods.entries()) {
    size += JSON.stringify(cause.adjustment ?? null).length;
    if (place + 1 === limit || size >= PAGE_SIZE) return place + 1;
  }
  return undefined;
};

const pageOf = ({ ended, open }: Told, limit: number): PriceHistoryPage => {
  const periods = open === undefined ? ended : [...ended, open];
  const length = fullPage(periods, limit) ?? periods.length;
  return { periods: periods.slice(0, length), next: periods[length]?.from };
};

/** Reads until the page is full or the timeline is told, with turns of the event loop in between. */
export const readPriceHistory =
  (
    readModel: Pick<ReadModel, 'findHoldingsHistory'>,
    clock: Clock,
    { priceBookId, productId, currency, from, to, limit, parameters }: PriceHistoryQuestion,
  ): TaskEither<StoreError | { readonly _tag: 'PriceBookNotFound' }, PriceHistoryPage> =>
  async () => {
    const terms = { currency, parameters };
    let rows = Math.min(FIRST_ROWS, limit + 1);
    let after = from === undefined ? undefined : justBefore(from);
    let told: Told | undefined;
    const plannedBefore = to ?? justAfter(clock.now());
    for (;;) {
      const found = await readModel.findHoldingsHistory(priceBookId, productId, currency, after, rows)();
      if (E.isLeft(found)) return found;
      const history = found.right;
      if (history === undefined) return E.left({ _tag: 'PriceBookNotFound' });
      const [{ created, lifecycle }] = history;
      const end = lifecycle?.at(-1);
      const horizon = horizonOf(history, rows);
      const before = horizon === undefined || (to !== undefined && to < horizon) ? to : horizon;
      const span = { after, before, plannedBefore };
      told = tellOn(told ?? tellFrom(history, after, terms), history, span, terms);
      const isTold =
        horizon === undefined ||
        before !== horizon ||
        // Nothing follows a deletion that is the last.
        (end?.type === 'PriceBookDeleted' && end.occurredAt < horizon);
      if (isTold || fullPage(told.ended, limit) !== undefined) return E.right(pageOf(told, limit));
      // What the bases held before the book was there is passed over.
      const next = later(justBefore(horizon), created && justBefore(created.occurredAt));
      if (next === after) {
        // So much happened in one instant that it has to be read at once.
        rows *= 2;
      } else {
        const isLarge = JSON.stringify(history).length > LARGE_READ;
        rows = Math.min(MAX_ROWS, isLarge ? Math.max(MIN_ROWS, Math.ceil(rows / 2)) : rows * 2);
      }
      after = next;
      await setImmediate();
    }
  };
