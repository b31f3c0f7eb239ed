/** CSV: RFC 4180, lines that end in CR LF. */
import { SHEET_COLUMNS, type SheetCells } from '../price-sheet/sheet';

const special = /[",\r\n]/;

const cellText = (cell: string): string => (special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

export const csvLineOf = (cells: readonly string[]): string => `${cells.map(cellText).join(',')}\r\n`;

/** The line that names the columns of a price sheet. */
export const CSV_HEAD = csvLineOf(SHEET_COLUMNS);

/** A row of a price sheet. */
export const csvLine = (cells: SheetCells): string => csvLineOf(SHEET_COLUMNS.map((column) => cells[column]));
