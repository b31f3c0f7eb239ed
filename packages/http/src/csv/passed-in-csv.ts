import { createSheetRows, passedRows, readRecords } from '@pricebook/domain';
import type { BodyFault } from '../api-error';
import { decodeLines } from './decode';
import { bodyFaults } from './read-csv';

/** In a body that has been read as a price sheet already. */
export const passedInCsv = (bytes: Buffer, now: string): readonly BodyFault[] => {
  const { rows } = createSheetRows().take(readRecords(decodeLines(bytes, 1).text, 1, true));
  return bodyFaults(passedRows(rows, now));
};
