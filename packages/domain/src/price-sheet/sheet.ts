/**
 * A price sheet is what a price book holds as rows of cells, as a spreadsheet or a CSV file has them: a row for each
 * product, currency and row of a table. Cells are text; an empty one says nothing.
 */
import { COLUMN_NAMES, type Column } from '../adjustments/columns';

export type SheetColumn = 'productId' | 'currency' | 'type' | Column;

/** In the order in which they are written. */
export const SHEET_COLUMNS: readonly SheetColumn[] = ['productId', 'currency', 'type', ...COLUMN_NAMES];

export type SheetCells = Readonly<Record<SheetColumn, string>>;

export const NO_CELLS = Object.fromEntries(SHEET_COLUMNS.map((name) => [name, ''])) as SheetCells;

export interface SheetRow {
  /** Where it begins in its file: the first line is 1. */
  readonly line: number;
  readonly cells: SheetCells;
}

/** One thing that is wrong with a sheet. */
export interface SheetFault {
  readonly line: number;
  /** Absent where it is about the whole row. */
  readonly column?: SheetColumn;
  /** What is wrong and what would be right, in a sentence for people. */
  readonly detail: string;
}

class LazyFault implements SheetFault {
  constructor(
    readonly line: number,
    readonly column: SheetColumn,
    private readonly say: () => string,
  ) {}

  // A getter of each object by itself would cost several times as much.
  get detail(): string {
    return this.say();
  }
}

/** One whose words are made when it is told: a sheet can have any number of faults, of which few are told. */
export const faultInColumn = (line: number, column: SheetColumn, say: () => string): SheetFault =>
  new LazyFault(line, column, say);

/** Stands in the place of a product id, in any case, for all products; no product can be called so. */
export const ALL = 'all';

/** Whose row it is: a product's, or that of all products. Rows of one holder may stand anywhere in a sheet. */
export const holderOf = ({ cells: { productId } }: SheetRow): string =>
  productId.length === ALL.length && productId.toLowerCase() === ALL ? ALL : productId;
