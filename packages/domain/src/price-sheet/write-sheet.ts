/** What is held, as rows of a price sheet: they read back as just that. */
import { type RequestedAdjustment, sheetKindOf } from '../adjustments/adjustment';
import type { Column } from '../adjustments/columns';
import type { Currency } from '../currency';
import type { OwnPrices } from '../pricing/own-prices';
import type { HolderPrices } from './read-holder';
import { NO_CELLS, type SheetCells } from './sheet';

/** A number as the shortest decimal that reads back as the same; nothing for what is not there. */
const cellOf = (value: unknown): string =>
  typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';

const cellsOf = (columns: readonly Column[], from: object): Partial<Record<Column, string>> =>
  Object.fromEntries(
    columns.map((column) => [column, cellOf((from as Readonly<Record<string, unknown>>)[column])]),
  );

/** The rows of one adjustment. */
const adjustmentRows = (
  holder: string,
  currency: string,
  adjustment: RequestedAdjustment,
): readonly SheetCells[] => {
  const columns = sheetKindOf(adjustment.type)?.columns;
  // The types of adjustments are made of the same lists as the kinds.
  if (columns === undefined) throw new TypeError(`no adjustment is of the kind ${adjustment.type}`);
  const { fields, table } = columns;
  const own = {
    ...NO_CELLS,
    productId: holder,
    currency,
    type: adjustment.type,
    ...cellsOf(fields, adjustment),
  };
  if (table === undefined) return [own];
  const rows = (adjustment as unknown as Readonly<Record<string, readonly object[]>>)[table.field] ?? [];
  return rows.map((row) => ({ ...own, ...cellsOf(table.columns, row) }));
};

/**
 * The rows of what a product, or all products, are given. They read back as the same where it has the order in which
 * sheets are carried out.
 *
 * @param holder a product id, or `all`.
 */
export const requestedRows = (holder: string, prices: HolderPrices): readonly SheetCells[] =>
  (Object.entries(prices) as [Currency, readonly RequestedAdjustment[]][]).flatMap(
    ([currency, adjustments]) =>
      adjustments.flatMap((adjustment) => adjustmentRows(holder, currency, adjustment)),
  );

/**
 * The rows of a product, or of all products, by currency: what sets its price, the percent that goes with it, and what
 * is dated.
 *
 * @param holder a product id, or `all`.
 */
export const holderRows = (
  holder: string,
  { adjustments, percents, dated }: OwnPrices,
): readonly SheetCells[] => {
  const currencies = [adjustments, percents, dated].flatMap((map) => Object.keys(map)) as Currency[];
  return [...new Set(currencies)]
    .sort()
    .flatMap((currency) =>
      [adjustments[currency], percents[currency], ...(dated[currency] ?? [])].flatMap((adjustment) =>
        adjustment === undefined ? [] : adjustmentRows(holder, currency, adjustment),
      ),
    );
};
