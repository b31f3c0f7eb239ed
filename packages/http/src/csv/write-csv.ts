/** Price sheets as CSV: RFC 4180, lines that end in CR LF. */
import { SHEET_COLUMNS, type SheetCells } from '@pricebook/domain';

const special = /[",\r\n]/;

const cellText = (cell: string): string => (special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** The line that names the columns. */
export const CSV_HEAD = `${SHEET_COLUMNS.join(',')}\r\n`;

export const csvLine = (cells: SheetCells): string =>
  `${SHEET_COLUMNS.map((column) => cellText(cells[column])).join(',')}\r\n`;
