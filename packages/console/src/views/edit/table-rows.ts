/** Changes of the rows of a table. */
import { newRow, type Row } from './draft';

export type Cell = Exclude<keyof Row, 'id'>;

/** Where a row ends, the next one begins. */
const rowAfter = (before: Row | undefined): Row =>
  newRow(
    before !== undefined && /^\d+$/.test(before.lastUnit)
      ? { firstUnit: String(Number(before.lastUnit) + 1) }
      : {},
  );

export const withRowAt = (rows: readonly Row[], place: number): readonly Row[] => [
  ...rows.slice(0, place),
  rowAfter(rows[place - 1]),
  ...rows.slice(place),
];

/** Cells as spreadsheets copy them, by line; undefined for any other text. */
export const sheetCells = (text: string): readonly (readonly string[])[] | undefined => {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return lines.length > 1 || text.includes('\t') ? lines.map((line) => line.split('\t')) : undefined;
};

/** Lines of texts over the rows from a place on; more rows are added where there are more lines. */
export const withPasted = (
  rows: readonly Row[],
  place: number,
  cells: readonly Cell[],
  lines: readonly (readonly string[])[],
): readonly Row[] => [
  ...rows.slice(0, place),
  ...lines.map((texts, line) => {
    const pasted = cells.slice(0, texts.length).map((cell, column) => [cell, texts[column]?.trim()]);
    return { ...(rows[place + line] ?? newRow()), ...(Object.fromEntries(pasted) as Partial<Row>) };
  }),
  ...rows.slice(place + lines.length),
];
