import { holderOf, readTime, type SheetFault, type SheetRow } from '@pricebook/domain';
import type { BodyFault } from '../api-error';
import { decodeLines } from './decode';
import { bodyFaults } from './read-csv';
import { readRecords } from './records';
import { createSheetRows } from './sheet-rows';

/**
 * The rows of a price sheet whose `validUntil` has passed, but for those that cancel; of a table the first one.
 *
 * @param now ISO 8601, UTC.
 */
export const passedRows = (rows: readonly SheetRow[], now: string): readonly SheetFault[] => {
  const told = new Set<string>();
  return rows.flatMap((row) => {
    const { currency, type, validFrom, validUntil } = row.cells;
    if (validUntil === '' || type === 'cancel') return [];
    const time = readTime(validUntil);
    if (time === undefined || time > now) return [];
    const adjustment = JSON.stringify([holderOf(row), currency, type, validFrom, time]);
    if (told.has(adjustment)) return [];
    told.add(adjustment);
    const detail = `must be after the time of the request, ${now}`;
    return [{ line: row.line, column: 'validUntil' as const, detail }];
  });
};

/** In a body that has been read as a price sheet already. */
export const passedInCsv = (bytes: Buffer, now: string): readonly BodyFault[] => {
  const { rows } = createSheetRows().take(readRecords(decodeLines(bytes, 1).text, 1, true));
  return bodyFaults(passedRows(rows, now));
};
