import * as E from 'fp-ts/Either';
import type { RequestedAdjustment } from '../adjustments/adjustment';
import type { Adjustments, AllProductsAdjustments } from '../adjustments/adjustments';
import type { ProductId } from '../identifiers';
import type { SetPriceSheet } from '../price-book/commands';
import { MAX_ITEMS } from '../price-book/requests';
import { type HolderPrices, readHolder } from './read-holder';
import { ALL, holderOf, type SheetFault, type SheetRow } from './sheet';

type Rows = [SheetRow, ...SheetRow[]];

const byHolder = (rows: readonly SheetRow[]): ReadonlyMap<string, Rows> => {
  const holders = new Map<string, Rows>();
  for (const row of rows) {
    const holder = holderOf(row);
    const others = holders.get(holder);
    if (others === undefined) holders.set(holder, [row]);
    else others.push(row);
  }
  return holders;
};

/**
 * What the holders of a sheet are given, as one command.
 *
 * @param holders by product id, or `all`.
 */
const sheetCommand = (holders: ReadonlyMap<string, HolderPrices>): SetPriceSheet => ({
  _tag: 'SetPriceSheet',
  items: [...holders]
    .filter(([holder]) => holder !== ALL)
    // readHolder has checked the id.
    .map(([holder, prices]) => ({ productId: holder as ProductId, adjustments: oneOrMore(prices) })),
  // Rows of all products are read as no other kinds than these.
  allProducts: oneOrMore(holders.get(ALL) ?? {}) as AllProductsAdjustments,
});

/** One adjustment stands by itself, as in a request. */
const oneOrMore = (prices: HolderPrices): Adjustments =>
  Object.fromEntries(
    Object.entries(prices as Readonly<Record<string, readonly RequestedAdjustment[]>>).map(
      ([currency, adjustments]) => [currency, adjustments.length === 1 ? adjustments[0] : adjustments],
    ),
  );

const tooMany = (holders: ReadonlyMap<string, Rows>): readonly SheetFault[] => {
  const products = [...holders].filter(([holder]) => holder !== ALL);
  return products.slice(MAX_ITEMS, MAX_ITEMS + 1).map(([, [{ line }]]) => ({
    line,
    column: 'productId',
    detail: `is one product too many: the sheet has ${String(products.length)}, and a request takes at most ${String(MAX_ITEMS)}`,
  }));
};

/** The rows of a request, in any order; or everything that is wrong with them, by line. */
export const readSheet = (rows: readonly SheetRow[]): E.Either<readonly SheetFault[], SetPriceSheet> => {
  const holders = byHolder(rows);
  const faults: SheetFault[] = [...tooMany(holders)];
  const prices = new Map<string, HolderPrices>();
  for (const [holder, own] of holders) {
    const read = readHolder(own);
    if (E.isRight(read)) prices.set(holder, read.right);
    else for (const fault of read.left) faults.push(fault);
  }
  return faults.length === 0 ? E.right(sheetCommand(prices)) : E.left(faults.sort((a, b) => a.line - b.line));
};
