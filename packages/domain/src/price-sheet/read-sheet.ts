import * as E from 'fp-ts/Either';
import type { AllProductsAdjustments } from '../adjustments/adjustments';
import type { ProductId } from '../identifiers';
import type { ProductItem, SetPriceSheet } from '../price-book/commands';
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
const sheetCommand = (holders: ReadonlyMap<string, HolderPrices>): SetPriceSheet => {
  const items: ProductItem[] = [];
  const percents: ProductItem[] = [];
  for (const [holder, prices] of holders) {
    if (holder === ALL) continue;
    // readHolder has checked it.
    const productId = holder as ProductId;
    items.push({ productId, adjustments: prices.adjustments });
    if (Object.keys(prices.percents).length > 0) {
      percents.push({ productId, adjustments: prices.percents });
    }
  }
  // Rows of all products are read as no other kinds than these.
  const allProducts = (holders.get(ALL)?.adjustments ?? {}) as AllProductsAdjustments;
  return { _tag: 'SetPriceSheet', items, percents, allProducts };
};

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
