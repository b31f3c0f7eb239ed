/** What a book says itself, read from its cells: in the shape in which it can be set again. */
import type { AbsoluteAdjustment, RelativeAdjustment } from '../adjustments/adjustment';
import type { Currency } from '../currency';
import type { Cell, Standing } from './cell';

/** What a product has, or a book for all products, by currency. */
export type Cells = Readonly<Partial<Record<Currency, Cell>>>;

type ByCurrency<A> = Readonly<Partial<Record<Currency, A>>>;

/**
 * What a product has of its own in a book. Set again, first the adjustments and then the percents, it gives the same
 * prices.
 */
export interface OwnPrices {
  /** What says its price; in a book with a base, where the latest decides alone, also what changes it. */
  readonly adjustments: ByCurrency<AbsoluteAdjustment | RelativeAdjustment>;
  /** What changes its list price; only in a root book, where it stands beside that. */
  readonly percents: ByCurrency<RelativeAdjustment>;
}

/** What a book has for all products in a currency. */
export interface BookPercent {
  readonly percent: number;
  /** The time of the event that set it: ISO 8601, UTC. */
  readonly since: string;
  /** The revision of that event. */
  readonly revision: number;
}

const currenciesIn = (cells: Cells): readonly Currency[] => (Object.keys(cells) as Currency[]).sort();

/**
 * The currencies come in the order of their codes.
 *
 * @param isRoot whether the book stands alone.
 * @param only a currency, to leave out all others.
 * @returns undefined where nothing is left, as after a removal.
 */
export const ownPricesOf = (cells: Cells, isRoot: boolean, only?: Currency): OwnPrices | undefined => {
  const adjustments: Partial<Record<Currency, AbsoluteAdjustment | RelativeAdjustment>> = {};
  const percents: Partial<Record<Currency, RelativeAdjustment>> = {};
  let isEmpty = true;
  for (const currency of only === undefined ? currenciesIn(cells) : [only]) {
    const { absolute, relative } = cells[currency] ?? {};
    if (absolute === undefined && relative === undefined) continue;
    isEmpty = false;
    if (isRoot) {
      if (absolute !== undefined) adjustments[currency] = absolute.adjustment;
      if (relative !== undefined) percents[currency] = relative.adjustment;
    } else {
      // A relative adjustment is the newer one, and the absolute one beside it is no longer looked at.
      const last: Standing<AbsoluteAdjustment | RelativeAdjustment> | undefined = relative ?? absolute;
      if (last !== undefined) adjustments[currency] = last.adjustment;
    }
  }
  return isEmpty ? undefined : { adjustments, percents };
};

/** What a book has for all products, in the order of the codes of the currencies. */
export const bookPercentsOf = (cells: Cells): ByCurrency<BookPercent> => {
  const percents: Partial<Record<Currency, BookPercent>> = {};
  for (const currency of currenciesIn(cells)) {
    const relative = cells[currency]?.relative;
    if (relative === undefined) continue;
    const { adjustment, occurredAt, revision } = relative;
    percents[currency] = { percent: adjustment.amount, since: occurredAt, revision };
  }
  return percents;
};
