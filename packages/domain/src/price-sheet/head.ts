import * as E from 'fp-ts/Either';
import { MAX_FAULTS } from '../codecs/faults';
import { didYouMean, inWords } from '../codecs/in-words';
import { NO_CELLS, SHEET_COLUMNS, type SheetCells, type SheetColumn } from './sheet';

const NEEDED: readonly SheetColumn[] = ['productId', 'currency', 'type'];

const isColumn = (name: string): name is SheetColumn => (SHEET_COLUMNS as readonly string[]).includes(name);

/** A row of more cells is none that names columns: what it says of each would help nobody, and takes its time. */
const MAX_NAMES = 10 * SHEET_COLUMNS.length;

const known = `known are: ${SHEET_COLUMNS.join(', ')}`;

const noColumn = (name: string): string =>
  `names ${inWords(name)}, which is no column; ${known}${didYouMean(name, SHEET_COLUMNS)}`;

/** Spreadsheets of some countries save CSV with another separator than the comma. */
const separatorIn = (names: readonly string[]): string | undefined =>
  names.length === 1 ? [';', '\t'].find((separator) => names[0]?.includes(separator)) : undefined;

/** Excel reads the separator from a first line such as `sep=;`, and takes it for no row. */
const separatorNote = /^sep=(.?)$/i;

/** Whether it is meant as one: a name that is written otherwise is told by itself. */
const isLikeColumn = (name: string): boolean =>
  SHEET_COLUMNS.some((column) => column.toLowerCase() === name.trim().toLowerCase());

/** The columns that are named once more, as often as they are. */
const repeatedIn = (names: readonly string[]): readonly string[] => {
  const seen = new Set<string>();
  return names.filter((name) => {
    const isRepeated = isColumn(name) && seen.has(name);
    seen.add(name);
    return isRepeated;
  });
};

/** Columns in any order; those that no row needs may be left out. */
const faultsIn = (names: readonly string[]): readonly string[] => {
  if (names.length > MAX_NAMES) {
    return [`has ${String(names.length)} cells, which are no names of columns; ${known}`];
  }
  const note = separatorNote.exec(names[0] ?? '');
  if (note !== null) {
    const commas = ['', ','].includes(note[1] ?? '') ? '' : ', and put commas between the columns';
    return [`is a note for Excel, not the names of the columns: remove this line${commas}`];
  }
  const separator = separatorIn(names);
  if (separator !== undefined) {
    return [`must have commas between the columns, not ${JSON.stringify(separator)}`];
  }
  // A row of prices, most likely: what it says of each cell as a column would help nobody.
  if (!names.some(isLikeColumn)) {
    return [`names no column: the first row has to be such as ${SHEET_COLUMNS.join(',')}`];
  }
  const missing = NEEDED.filter((name) => !names.includes(name));
  return [
    ...missing.map((name) => `must name the column ${name}: the first row names the columns`),
    ...names
      .filter((name) => !isColumn(name))
      // No more are told.
      .map((name, index) => (index < MAX_FAULTS ? noColumn(name) : 'names what is no column')),
    ...repeatedIn(names).map((name) => `names the column ${name} twice`),
  ];
};

/** Puts the cells of a row under their columns; says what is wrong where there are too many or too few. */
export type Arrange = (cells: readonly string[]) => E.Either<string, SheetCells>;

/** @returns what is wrong with the row that names the columns, or how the cells of the others are arranged by it. */
export const readSheetHead = (names: readonly string[]): E.Either<readonly string[], Arrange> => {
  const faults = faultsIn(names);
  if (faults.length > 0) return E.left(faults);
  const columns = names as readonly SheetColumn[];
  return E.right((cells) => {
    if (cells.length !== columns.length) {
      return E.left(
        `has ${String(cells.length)} ${cells.length === 1 ? 'cell' : 'cells'}; the first row names ${String(columns.length)} columns`,
      );
    }
    const arranged: Record<SheetColumn, string> = { ...NO_CELLS };
    columns.forEach((column, index) => {
      arranged[column] = cells[index] ?? '';
    });
    return E.right(arranged);
  });
};
