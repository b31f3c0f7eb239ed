/** What a book says itself, read from its cells: in the shape in which it can be set again. */
import type { AbsoluteAdjustment, Adjustment, RelativeAdjustment } from '../adjustments/adjustment';
import { isDated } from '../adjustments/bounds';
import type { Currency } from '../currency';
import { type Cell, sinceOf, type Standing } from './cell';
import { plannedAt, standingAt } from './dated';

/** What a product has, or a book for all products, by currency. */
export type Cells = Readonly<Partial<Record<Currency, Cell>>>;

type ByCurrency<A> = Readonly<Partial<Record<Currency, A>>>;

/**
 * What a product has of its own in a book. Set again, first the adjustments, then the percents and then what is dated,
 * it gives the same prices from then on.
 */
export interface OwnPrices {
  /** What stands and sets its price; in a book with a base, where the latest decides alone, also what changes it. */
  readonly adjustments: ByCurrency<AbsoluteAdjustment | RelativeAdjustment>;
  /** What stands and changes its list price; only in a root book, where it lies beside that. */
  readonly percents: ByCurrency<RelativeAdjustment>;
  /** What is going to begin or to end. Currencies that have nothing of it are left out. */
  readonly dated: ByCurrency<readonly Adjustment[]>;
}

/** What a book has for all products in a currency. */
export interface BookPercent {
  /** The change of all prices in force; null where there is none. */
  readonly adjustment: RelativeAdjustment | null;
  /** Since when it stands: ISO 8601, UTC. */
  readonly since: string | null;
  /** The revision of the event that set it. */
  readonly revision: number | null;
  /** What is going to begin or to end; absent where there is nothing of it. */
  readonly dated?: readonly Adjustment[];
}

const currenciesIn = (cells: Cells): readonly Currency[] => (Object.keys(cells) as Currency[]).sort();

/**
 * What is dated, as it can be set again. A temporary adjustment that began when it was set comes with that instant
 * where another one has begun since: set again without it, it would begin last and win.
 */
const datedIn = (cell: Cell, now: string): readonly Adjustment[] => {
  const entries = plannedAt(cell, now);
  const lastBegun = entries.findLastIndex(
    ({ adjustment: { validFrom, validUntil } }) =>
      validFrom !== undefined && validUntil !== undefined && validFrom <= now,
  );
  return entries.map(({ adjustment, occurredAt }, index) =>
    adjustment.validFrom === undefined && index < lastBegun
      ? { ...adjustment, validFrom: occurredAt }
      : adjustment,
  );
};

/**
 * The currencies come in the order of their codes.
 *
 * @param isRoot whether the book stands alone.
 * @param now ISO 8601, UTC.
 * @param only a currency, to leave out all others.
 * @returns undefined where nothing is left, as after a removal.
 */
export const ownPricesOf = (
  cells: Cells,
  isRoot: boolean,
  now: string,
  only?: Currency,
): OwnPrices | undefined => {
  const adjustments: Partial<Record<Currency, AbsoluteAdjustment | RelativeAdjustment>> = {};
  const percents: Partial<Record<Currency, RelativeAdjustment>> = {};
  const dated: Partial<Record<Currency, readonly Adjustment[]>> = {};
  let isEmpty = true;
  for (const currency of only === undefined ? currenciesIn(cells) : [only]) {
    const cell = cells[currency];
    if (cell === undefined) continue;
    const planned = datedIn(cell, now);
    const { absolute, relative } = standingAt(cell, now);
    if (absolute === undefined && relative === undefined && planned.length === 0) continue;
    isEmpty = false;
    if (planned.length > 0) dated[currency] = planned;
    if (isRoot) {
      if (absolute !== undefined) adjustments[currency] = undated(absolute.adjustment);
      if (relative !== undefined) percents[currency] = undated(relative.adjustment);
    } else {
      // A relative adjustment is the newer one, and the absolute one beside it is no longer looked at.
      const last: Standing<AbsoluteAdjustment | RelativeAdjustment> | undefined = relative ?? absolute;
      if (last !== undefined) adjustments[currency] = undated(last.adjustment);
    }
  }
  return isEmpty ? undefined : { adjustments, percents, dated };
};

/** A planned adjustment that has begun stands as if it had been set, undated, at that instant. */
const undated = <A extends Adjustment>(adjustment: A): A => {
  if (!isDated(adjustment)) return adjustment;
  const { validFrom: _from, validUntil: _until, ...own } = adjustment;
  return own as A;
};

/** What a book has for all products, in the order of the codes of the currencies. */
export const bookPercentsOf = (cells: Cells, now: string): ByCurrency<BookPercent> => {
  const percents: Partial<Record<Currency, BookPercent>> = {};
  for (const currency of currenciesIn(cells)) {
    const cell = cells[currency];
    if (cell === undefined) continue;
    const planned = datedIn(cell, now);
    const { relative } = standingAt(cell, now);
    if (relative === undefined && planned.length === 0) continue;
    percents[currency] = {
      adjustment: relative === undefined ? null : undated(relative.adjustment),
      since: relative === undefined ? null : sinceOf(relative),
      revision: relative?.revision ?? null,
      ...(planned.length > 0 && { dated: planned }),
    };
  }
  return percents;
};
