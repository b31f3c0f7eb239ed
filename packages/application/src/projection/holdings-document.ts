/**
 * How the holdings of one holder (a product, or a book for all products) follow from its changes: pure, for
 * every adapter of the read model alike.
 *
 * A document folds changes in the order of their book. A row keeps each change, with the cell that it led to,
 * so that the price at any time is one look-up, and so that a change which comes late can be put in its place.
 */
import {
  type Adjustment,
  type Adjustments,
  type Cell,
  cellAfter,
  type Currency,
  type Stamp,
} from '@pricebook/domain';
import type { HoldingsChange } from './changes';

type Cells = Readonly<Partial<Record<Currency, Cell>>>;

export interface HoldingsDocument {
  /** The revision of the last change in it. */
  readonly revision: number;
  readonly cells: Cells;
}

/** The currency of a row that is about all currencies. */
export const EVERY_CURRENCY = '*';

export interface HistoryRow {
  readonly currency: Currency | typeof EVERY_CURRENCY;
  readonly stamp: Stamp;
  /** What was asked; absent in rows that a removal in every currency led to. */
  readonly adjustment?: Adjustment;
  /** What the holder has in the currency from then on. */
  readonly cell?: Cell;
}

export interface Folded {
  readonly document: HoldingsDocument;
  /** The rows of the folded changes, to be kept beside those that are there. */
  readonly rows: readonly HistoryRow[];
}

type Change = Pick<HoldingsChange, 'stamp' | 'adjustments'>;

const removal: Adjustment = { type: 'null', amount: null };

const entriesOf = (adjustments: Adjustments): readonly [Currency, Adjustment][] =>
  Object.entries(adjustments) as [Currency, Adjustment][];

/** A document after a change that is newer than all in it. */
export const foldHoldings = (
  document: HoldingsDocument | undefined,
  { stamp, adjustments }: Change,
): Folded => {
  const cells: Partial<Record<Currency, Cell>> = { ...document?.cells };
  const rows: HistoryRow[] = [];
  const isRemoveAll = adjustments === 'removeAll';
  const asked = isRemoveAll
    ? (Object.keys(cells) as Currency[]).map((currency): [Currency, Adjustment] => [currency, removal])
    : entriesOf(adjustments);
  if (isRemoveAll) rows.push({ currency: EVERY_CURRENCY, stamp, adjustment: removal });
  for (const [currency, adjustment] of asked) {
    const before = cells[currency];
    const cell = cellAfter(before, adjustment, stamp);
    if (cell !== undefined) cells[currency] = cell;
    // Where a removal in every currency found nothing, the row of every currency says it all.
    if (isRemoveAll && cell === before) continue;
    rows.push({
      currency,
      stamp,
      ...(!isRemoveAll && { adjustment }),
      ...(cell !== undefined && { cell }),
    });
  }
  return { document: { revision: stamp.revision, cells }, rows };
};

/** The row by which it can be told whether a change has been applied. */
export const firstRowOf = ({ stamp, adjustments }: Change): Pick<HistoryRow, 'currency' | 'stamp'> => {
  const [first] = adjustments === 'removeAll' ? [] : entriesOf(adjustments);
  return { currency: first?.[0] ?? EVERY_CURRENCY, stamp };
};

/**
 * Puts a change that came late into its place.
 *
 * @param rows all rows of the holder.
 * @returns the document, and the rows that take the place of all those given.
 */
export const refoldHoldings = (rows: readonly HistoryRow[], late: Change): Folded => {
  const changes = new Map<number, Change>([[late.stamp.revision, late]]);
  for (const { currency, stamp, adjustment } of rows) {
    if (adjustment === undefined) continue;
    const others = changes.get(stamp.revision)?.adjustments;
    changes.set(stamp.revision, {
      stamp,
      adjustments:
        currency === EVERY_CURRENCY
          ? 'removeAll'
          : { ...(others === 'removeAll' ? {} : others), [currency]: adjustment },
    });
  }
  const inOrder = [...changes.values()].sort((a, b) => a.stamp.revision - b.stamp.revision);
  return inOrder.reduce<Folded>(
    (folded, change) => {
      const next = foldHoldings(folded.document, change);
      return { document: next.document, rows: [...folded.rows, ...next.rows] };
    },
    { document: { revision: -1, cells: {} }, rows: [] },
  );
};
