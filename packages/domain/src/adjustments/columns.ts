/**
 * Adjustments as rows of a price sheet, a cell for each column. The columns have the names of the fields that they
 * stand for, so a kind only says which ones are its own.
 */

/** What the cells of a column hold, in the order in which the columns are written. */
export const COLUMNS = {
  amount: 'number',
  property: 'text',
  value: 'text',
  firstUnit: 'number',
  lastUnit: 'number',
  unitPrice: 'number',
  validFrom: 'text',
  validUntil: 'text',
  roundTo: 'number',
  ending: 'number',
} as const;

export type Column = keyof typeof COLUMNS;

export const COLUMN_NAMES = Object.keys(COLUMNS) as readonly Column[];

/** Every kind may be dated. */
export const BOUNDS = ['validFrom', 'validUntil'] as const satisfies readonly Column[];

/** Columns whose empty cell is a field that is absent; in others it is null. */
export const OPTIONAL: readonly Column[] = [...BOUNDS, 'roundTo', 'ending'];

/** The columns of a kind of adjustment. */
export interface KindColumns {
  /** Its own fields, which are the same in each of its rows. */
  readonly fields: readonly Column[];
  /** The fields of its rows, and the field that holds these; absent where it always is one row. */
  readonly table?: { readonly field: string; readonly columns: readonly Column[] };
  /** Fields that need no column, since they are always the same. */
  readonly fixed?: Readonly<Record<string, null>>;
}
