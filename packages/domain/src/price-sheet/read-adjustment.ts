/** One adjustment from its rows: they are put into the JSON that they stand for, which its codec checks. */
import * as E from 'fp-ts/Either';
import {
  type RequestedAdjustment,
  requestedAdjustmentCodec,
  type SheetKind,
} from '../adjustments/adjustment';
import { COLUMN_NAMES, COLUMNS, type Column, OPTIONAL } from '../adjustments/columns';
import { pathOf } from '../codecs/faults';
import { inWords, WITHOUT_QUOTES } from '../codecs/in-words';
import { faultInColumn, type SheetFault, type SheetRow } from './sheet';

/** As JSON has numbers. */
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** What a cell stands for in JSON. Text where a number should be is left for the codec to refuse. */
const valueOf = (column: Column, cell: string): string | number | null => {
  if (cell === '') return null;
  return COLUMNS[column] === 'number' && number.test(cell) ? Number(cell) : cell;
};

const valuesOf = (columns: readonly Column[], { cells }: SheetRow): Readonly<Record<string, unknown>> => {
  const values: Record<string, unknown> = {};
  for (const column of columns) {
    const isAbsent = cells[column] === '' && OPTIONAL.includes(column);
    if (!isAbsent) values[column] = valueOf(column, cells[column]);
  }
  return values;
};

const jsonOf = (kind: SheetKind, first: SheetRow, rows: readonly SheetRow[]): unknown => {
  const { fields, table, fixed } = kind.columns;
  return {
    type: kind.type,
    ...fixed,
    ...valuesOf(fields, first),
    ...(table !== undefined && { [table.field]: rows.map((row) => valuesOf(table.columns, row)) }),
  };
};

const isColumn = (name: string | undefined): name is Column => name !== undefined && name in COLUMNS;

/** A sentence about a value of JSON as one about the cell that it came from. */
const aboutCell = (detail: string, column: Column, cell: string): string => {
  // An empty cell came as null, which nobody sees in a file.
  if (cell === '')
    return detail.startsWith('must') ? `is empty; it ${detail.replace(/, not null$/, '')}` : detail;
  return COLUMNS[column] === 'number' && !number.test(cell)
    ? `${detail.replace(WITHOUT_QUOTES, '')}; numbers are written such as 1234.5`
    : detail;
};

/** Rules of tables name other rows of theirs by index, which nobody sees in a file. */
const withLines = (detail: string, rows: readonly SheetRow[]): string =>
  detail.replace(/\b(?:row|item) (\d+)/, (found, index) => {
    const row = rows[Number(index)];
    return row === undefined ? found : `line ${String(row.line)}`;
  });

/** Where in the file a fault in the JSON comes from. */
const faultAt = (
  path: readonly string[],
  say: () => string,
  { columns: { table } }: SheetKind,
  first: SheetRow,
  rows: readonly SheetRow[],
): SheetFault => {
  const isInTable = table !== undefined && path[0] === table.field;
  const row = (isInTable ? rows[Number(path[1])] : undefined) ?? first;
  const column = isInTable ? path[2] : path[0];
  if (!isColumn(column)) {
    return { line: row.line, detail: isInTable ? `begins a table that ${say()}` : say() };
  }
  return faultInColumn(row.line, column, () =>
    aboutCell(isInTable ? withLines(say(), rows) : say(), column, row.cells[column]),
  );
};

/** Cells that the kind does not have. */
const strayCells = (kind: SheetKind, rows: readonly SheetRow[]): readonly SheetFault[] => {
  const { fields, table } = kind.columns;
  const others = COLUMN_NAMES.filter(
    (column) => !fields.includes(column) && table?.columns.includes(column) !== true,
  );
  return rows.flatMap(({ line, cells }) =>
    others
      .filter((column) => cells[column] !== '')
      .map((column) => ({ line, column, detail: `must be empty in a row of the type ${kind.type}` })),
  );
};

/** What rows of one adjustment must have in common. */
const differences = (
  kind: SheetKind,
  first: SheetRow,
  others: readonly SheetRow[],
): readonly SheetFault[] => {
  const { fields, table } = kind.columns;
  if (table === undefined) {
    return others.map(({ line }) => ({ line, detail: `sets again what line ${String(first.line)} sets` }));
  }
  return others.flatMap(({ line, cells }) =>
    fields
      .filter((column) => cells[column] !== first.cells[column])
      .map((column) =>
        faultInColumn(
          line,
          column,
          () =>
            `must be the same in all rows of the table, and line ${String(first.line)} has ${inWords(first.cells[column])}`,
        ),
      ),
  );
};

/** The adjustment that rows of a kind stand for, all of one product and currency; or everything that is wrong with them. */
export const readAdjustment = (
  kind: SheetKind,
  rows: readonly [SheetRow, ...SheetRow[]],
): E.Either<readonly SheetFault[], RequestedAdjustment> => {
  const [first, ...others] = rows;
  const faults = [...strayCells(kind, rows), ...differences(kind, first, others)];
  const read = requestedAdjustmentCodec.decode(jsonOf(kind, first, rows));
  if (E.isRight(read)) return faults.length === 0 ? read : E.left(faults);
  for (const error of read.left) {
    faults.push(faultAt(pathOf(error), () => error.message ?? 'is not valid', kind, first, rows));
  }
  return E.left(faults);
};
