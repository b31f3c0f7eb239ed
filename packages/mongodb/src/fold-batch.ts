/** Folds changes into a working set, by the same pure functions as every other read model. */
import { isDeepStrictEqual } from 'node:util';
import {
  ALL_PRODUCTS,
  EVERY_CURRENCY,
  firstRowOf,
  foldPriceBook,
  type HoldingsChange,
  type HoldingsDocument,
  placeChange,
  type PriceBookChange,
  type ReadModelChange,
} from '@pricebook/application';
import { type Adjustment, type Cell, cellAfter, type Currency } from '@pricebook/domain';
import { isOneCurrency, rowName, toBookState } from './documents';
import type { TrackedHolder, WorkingSet } from './working-set';

const removal: Adjustment = { type: 'null', amount: null };

type Placed = NonNullable<ReturnType<typeof placeChange>>;

const foldBook = (set: WorkingSet, change: PriceBookChange): void => {
  const book = set.book(change.priceBookId);
  const before = book.state;
  const after = toBookState(foldPriceBook(before, change));
  if (before !== undefined && change.stamp.revision <= before.revision) {
    if (isDeepStrictEqual(before, after)) return;
    book.isRewritten = true;
  }
  book.state = after;
};

/** Puts a change into its place; undefined where its rows are there already. */
const place = async (
  set: WorkingSet,
  tracked: TrackedHolder,
  document: HoldingsDocument | undefined,
  change: HoldingsChange,
): Promise<Placed | undefined> => {
  const isLate = document !== undefined && change.stamp.revision <= document.revision;
  const first = firstRowOf(change);
  const isNamed = (row: typeof first): boolean =>
    row.currency === first.currency && row.stamp.revision === first.stamp.revision;
  const isKnown =
    isLate &&
    (tracked.rows.some(isNamed) ||
      (!tracked.replacesRows && set.hasRow(rowName(tracked.book, tracked.holder, first))));
  if (isKnown) return undefined;
  const stored = isLate && !tracked.replacesRows ? await set.storedRows(tracked.book, tracked.holder) : [];
  const placed = placeChange(document, { has: () => false, all: () => [...stored, ...tracked.rows] }, change);
  if (placed === undefined) return undefined;
  if (placed.replacesRows) {
    if (!tracked.replacesRows) tracked.storedRows = stored;
    tracked.rows = [...placed.rows];
    tracked.replacesRows = true;
    tracked.proofs.add(rowName(tracked.book, tracked.holder, first));
  } else tracked.rows.push(...placed.rows);
  return placed;
};

const documentOf = ({ cells }: TrackedHolder): HoldingsDocument | undefined => {
  let revision = -1;
  const held: [Currency, Cell][] = [];
  for (const [currency, { state }] of cells) {
    if (state === undefined) continue;
    revision = Math.max(revision, state.revision);
    if (isOneCurrency(currency) && state.cell !== undefined) held.push([currency, state.cell]);
  }
  return revision === -1 ? undefined : { revision, cells: Object.fromEntries(held) };
};

/** A change whose rows are there may not have come to all its cells: whoever wrote it may have ended, or be at it. */
const catchUpCells = ({ cells }: TrackedHolder, { adjustments, stamp }: HoldingsChange): void => {
  const { revision } = stamp;
  for (const [currency, tracks] of cells) {
    if ((tracks.state?.revision ?? -1) >= revision) continue;
    if (!isOneCurrency(currency)) {
      if (adjustments === 'removeAll') tracks.state = { revision };
      continue;
    }
    const adjustment = adjustments === 'removeAll' ? removal : adjustments[currency];
    if (adjustment === undefined) continue;
    const before = tracks.state?.cell;
    const cell = cellAfter(before, adjustment, stamp);
    if (cell !== before) tracks.state = { revision, cell };
  }
};

const foldProduct = async (set: WorkingSet, change: HoldingsChange): Promise<void> => {
  const tracked = set.holder(change.priceBookId, change.holder);
  const held = documentOf(tracked);
  // Removing nothing leaves a row and no cell: what comes before it is late, though no cell says so.
  const last = Math.max(
    set.book(change.priceBookId).loaded?.revision ?? -1,
    tracked.rows.at(-1)?.stamp.revision ?? -1,
  );
  const isHidden = last >= change.stamp.revision && (held?.revision ?? -1) < change.stamp.revision;
  const before = isHidden ? { revision: last, cells: held?.cells ?? {} } : held;
  const placed = await place(set, tracked, before, change);
  if (placed === undefined) {
    catchUpCells(tracked, change);
    return;
  }
  const { document, replacesRows } = placed;
  const { revision } = document;
  for (const [currency, cell] of Object.entries(document.cells) as [Currency, Cell][]) {
    const tracks = tracked.cells.get(currency) ?? { loaded: undefined, state: undefined, isRewritten: false };
    tracked.cells.set(currency, tracks);
    if (cell === tracks.state?.cell) continue;
    tracks.state = { revision, cell };
    tracks.isRewritten ||= replacesRows;
  }
  const every = tracked.cells.get(EVERY_CURRENCY);
  if (every !== undefined && change.adjustments === 'removeAll') {
    every.state = { revision: Math.max(every.state?.revision ?? -1, change.stamp.revision) };
  }
};

const foldAllProducts = async (set: WorkingSet, change: HoldingsChange): Promise<void> => {
  const book = set.book(change.priceBookId);
  const before = book.state;
  if (before === undefined) throw new Error('a change of what a book holds comes after one of the book');
  const tracked = set.holder(change.priceBookId, change.holder);
  const placed = await place(set, tracked, before.allProducts, change);
  if (placed === undefined) return;
  book.state = { ...before, allProducts: placed.document };
  const isInPast = book.loaded !== undefined && change.stamp.revision <= book.loaded.revision;
  book.isRewritten ||= placed.replacesRows || isInPast;
};

export const foldBatch = async (set: WorkingSet, changes: readonly ReadModelChange[]): Promise<void> => {
  for (const change of changes) {
    if (change._tag === 'PriceBookChange') foldBook(set, change);
    else if (change.holder === ALL_PRODUCTS) await foldAllProducts(set, change);
    else await foldProduct(set, change);
  }
};
