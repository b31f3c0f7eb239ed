/**
 * How the holdings of one holder (a product, or a book for all products) follow from its changes: pure, for
 * every adapter of the read model alike.
 *
 * A document folds changes in the order of their book. A row keeps each change, with the cell that it led to,
 * so that the price at any time is one look-up, and so that a change which comes late can be put in its place.
 */
import {
  type Adjustments,
  type Cell,
  type Cells,
  cellAfter,
  type Currency,
  type OneOrMore,
  type RequestedAdjustment,
  type Stamp,
} from '@pricebook/domain';
import type { HoldingsChange } from './changes';

export interface HoldingsDocument {
  /** The revision of the last change in it. */
  readonly revision: number;
  readonly cells: Cells;
}

/** What was asked for a currency. */
type Asked = OneOrMore<RequestedAdjustment>;

/** The currency of a row that is about all currencies. */
export const EVERY_CURRENCY = '*';

export interface HistoryRow {
  readonly currency: Currency | typeof EVERY_CURRENCY;
  readonly stamp: Stamp;
  /** What was asked; absent in rows that a removal in every currency led to. */
  readonly adjustment?: Asked;
  /** What the holder has in the currency from then on. */
  readonly cell?: Cell;
}

/** What tells a row of a holder from its others. */
export type RowId = Pick<HistoryRow, 'currency' | 'stamp'>;

interface Folded {
  readonly document: HoldingsDocument;
  /** The rows of the folded changes. */
  readonly rows: readonly HistoryRow[];
}

type Change = Pick<HoldingsChange, 'stamp' | 'adjustments'>;

const removal: Asked = { type: 'null', amount: null };

const entriesOf = (adjustments: Adjustments): readonly [Currency, Asked][] =>
  Object.entries(adjustments) as [Currency, Asked][];

/** Fields that are not known are left out; said case by case, since each change of a price comes through here. */
const rowOf = (
  currency: HistoryRow['currency'],
  stamp: Stamp,
  adjustment: Asked | undefined,
  cell: Cell | undefined,
): HistoryRow => {
  if (adjustment === undefined) return cell === undefined ? { currency, stamp } : { currency, stamp, cell };
  return cell === undefined ? { currency, stamp, adjustment } : { currency, stamp, adjustment, cell };
};

/** A document after a change that is newer than all in it. */
const foldHoldings = (document: HoldingsDocument | undefined, { stamp, adjustments }: Change): Folded => {
  const cells: Partial<Record<Currency, Cell>> = { ...document?.cells };
  const rows: HistoryRow[] = [];
  const isRemoveAll = adjustments === 'removeAll';
  const asked = isRemoveAll
    ? (Object.keys(cells) as Currency[]).map((currency): [Currency, Asked] => [currency, removal])
    : entriesOf(adjustments);
  if (isRemoveAll) rows.push({ currency: EVERY_CURRENCY, stamp, adjustment: removal });
  for (const [currency, adjustment] of asked) {
    const before = cells[currency];
    const cell = cellAfter(before, adjustment, stamp);
    if (cell !== undefined) cells[currency] = cell;
    // Where a removal in every currency found nothing, the row of every currency says it all.
    if (isRemoveAll && cell === before) continue;
    rows.push(rowOf(currency, stamp, isRemoveAll ? undefined : adjustment, cell));
  }
  return { document: { revision: stamp.revision, cells }, rows };
};

/** The row by which it can be told whether a change has been applied. */
export const firstRowOf = ({ stamp, adjustments }: Change): RowId => {
  const [first] = adjustments === 'removeAll' ? [] : entriesOf(adjustments);
  return { currency: first?.[0] ?? EVERY_CURRENCY, stamp };
};

/** A holder's changes from its rows, and one more, all folded anew in the order of their book. */
const refoldHoldings = (rows: readonly HistoryRow[], late: Change): Folded => {
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
  const folded: HistoryRow[] = [];
  let document: HoldingsDocument = { revision: -1, cells: {} };
  for (const change of [...changes.values()].sort((a, b) => a.stamp.revision - b.stamp.revision)) {
    const next = foldHoldings(document, change);
    folded.push(...next.rows);
    ({ document } = next);
  }
  return { document, rows: folded };
};

/** The rows that are kept of a holder; looked at only where a change is not newer than its document. */
export interface KeptRows {
  readonly has: (row: RowId) => boolean;
  readonly all: () => readonly HistoryRow[];
}

/** What a change makes of a holder. */
export interface Placed extends Folded {
  /** Whether the rows take the place of all that are kept, or come beside them. */
  readonly replacesRows: boolean;
}

/**
 * Puts a change where it belongs: on top of the document if it is newer than all in it, or into the history if
 * it comes late.
 *
 * @returns undefined where it has been applied before.
 */
export const placeChange = (
  document: HoldingsDocument | undefined,
  kept: KeptRows,
  change: Change,
): Placed | undefined => {
  if (document === undefined || change.stamp.revision > document.revision) {
    return { ...foldHoldings(document, change), replacesRows: false };
  }
  if (kept.has(firstRowOf(change))) return undefined;
  return { ...refoldHoldings(kept.all(), change), replacesRows: true };
};

const nothingKept: KeptRows = { has: () => false, all: () => [] };

/** What a holder comes to with a change that is newer than all before it, from some of what it has. */
export const placeNext = (cells: Cells, change: Change): Placed | undefined =>
  placeChange({ revision: -1, cells }, nothingKept, change);

/** What a holder has in a currency after a change that is newer than all before it. */
export const cellAfterChange = (
  cell: Cell | undefined,
  currency: Currency,
  change: Change,
): Cell | undefined =>
  placeNext(cell === undefined ? {} : { [currency]: cell }, change)?.document.cells[currency];
