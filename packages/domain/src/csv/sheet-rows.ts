import * as E from 'fp-ts/Either';
import { type Arrange, readSheetHead } from '../price-sheet/head';
import type { SheetFault, SheetRow } from '../price-sheet/sheet';
import type { CsvRecord, CsvRecords } from './records';

export interface SheetRows {
  readonly rows: readonly SheetRow[];
  readonly faults: readonly SheetFault[];
}

const isBlank = ({ cells }: CsvRecord): boolean => cells.every((cell) => cell === '');

/**
 * Makes rows of records that come in turns: the first one that is not blank names the columns. Blank ones, which
 * spreadsheets leave at the end of files, are passed over. Where the columns cannot be told, no row is read.
 */
export const createSheetRows = (): {
  readonly take: (read: Pick<CsvRecords, 'records' | 'faults'>) => SheetRows;
  /** Called when all have been taken. */
  readonly end: () => readonly SheetFault[];
} => {
  let head: E.Either<readonly string[], Arrange> | undefined;

  return {
    take: ({ records, faults: faultsOfText }) => {
      const rows: SheetRow[] = [];
      const faults: SheetFault[] = [...faultsOfText];
      const [lost] = faultsOfText;
      if (head === undefined && lost !== undefined && lost.line < (records[0]?.line ?? Infinity)) {
        head = E.left([]);
      }
      for (const record of records) {
        if (isBlank(record)) continue;
        const { line } = record;
        if (head === undefined) {
          head = readSheetHead(record.cells);
          if (E.isLeft(head)) for (const detail of head.left) faults.push({ line, detail });
          continue;
        }
        if (E.isLeft(head)) continue;
        const cells = head.right(record.cells);
        if (E.isRight(cells)) rows.push({ line, cells: cells.right });
        else faults.push({ line, detail: cells.left });
      }
      return { rows, faults };
    },
    end: () =>
      head === undefined ? [{ line: 1, detail: 'is missing: the first row names the columns' }] : [],
  };
};
