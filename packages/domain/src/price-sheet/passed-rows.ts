import { readTime } from '../codecs/date-time';
import { holderOf, type SheetFault, type SheetRow } from './sheet';

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
