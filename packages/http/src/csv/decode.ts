import { isUtf8 } from 'node:buffer';
import type { CsvFault } from '@pricebook/domain';

const LINE_FEED = 0x0a;
const BOM = '\ufeff';

const faultyLines = (bytes: Buffer, firstLine: number): readonly CsvFault[] => {
  const faults: CsvFault[] = [];
  let line = firstLine;
  for (let start = 0; start < bytes.length; line += 1) {
    const lineFeed = bytes.indexOf(LINE_FEED, start);
    const end = lineFeed === -1 ? bytes.length : lineFeed;
    if (!isUtf8(bytes.subarray(start, end))) {
      faults.push({ line, detail: 'is not UTF-8; spreadsheets call what is needed "CSV UTF-8"' });
    }
    start = end + 1;
  }
  return faults;
};

/**
 * Bytes as text, without the byte order mark that spreadsheets put at the beginning of a file; and the lines that are
 * not UTF-8. A line feed is never a part of another character, so what ends in one can be decoded by itself.
 */
export const decodeLines = (
  bytes: Buffer,
  firstLine: number,
): { readonly text: string; readonly faults: readonly CsvFault[] } => {
  const text = bytes.toString('utf8');
  return {
    text: firstLine === 1 && text.startsWith(BOM) ? text.slice(1) : text,
    faults: isUtf8(bytes) ? [] : faultyLines(bytes, firstLine),
  };
};
