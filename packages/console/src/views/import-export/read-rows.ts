/** The rows of a price sheet out of the bytes of a file, without holding the page up. */
import {
  type CsvFault,
  createSheetRows,
  otherFormatOf,
  readRecords,
  type SheetFault,
  type SheetRow,
} from '@pricebook/domain';
import { createBreather } from './breather';

/** So much is read at once. */
export const PIECE = 64 * 1024;

const LINE_FEED = 0x0a;

const decoded = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

const linesThatAreNoText = (bytes: Uint8Array): readonly CsvFault[] => {
  const faults: CsvFault[] = [];
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const lineFeed = bytes.indexOf(LINE_FEED, start);
    const end = lineFeed === -1 ? bytes.length : lineFeed;
    if (decoded(bytes.subarray(start, end)) === undefined) {
      faults.push({ line, detail: 'is not UTF-8; spreadsheets call what is needed "CSV UTF-8"' });
    }
    start = end + 1;
  }
  return faults;
};

interface SomeRows {
  readonly rows: readonly SheetRow[];
  readonly faults: readonly SheetFault[];
  /** How much of the text has been read, 0 to 1. */
  readonly share: number;
}

/** The rows of a text whose parts come one after the other; the last part is empty. */
export const createRowReader = (): ((part: string, isLast: boolean) => Omit<SomeRows, 'share'>) => {
  const sheet = createSheetRows();
  let rest = '';
  let line = 1;
  return (part, isLast) => {
    const text = rest + part;
    // What is no whole line may go on in the next part.
    const cut = isLast ? text.length : text.lastIndexOf('\n') + 1;
    const read = readRecords(text.slice(0, cut), line, isLast);
    rest = text.slice(read.end);
    ({ line } = read);
    const { rows, faults } = sheet.take(read);
    return { rows, faults: isLast ? [...faults, ...sheet.end()] : faults };
  };
};

/** Some rows of a file at a time. What is no CSV at all is one fault. */
export const rowsOfFile = async function* (bytes: Uint8Array): AsyncGenerator<SomeRows> {
  const otherFormat = otherFormatOf(bytes.subarray(0, 64));
  if (otherFormat !== undefined) {
    yield { rows: [], faults: [{ line: 1, detail: otherFormat }], share: 1 };
    return;
  }
  const text = decoded(bytes);
  if (text === undefined) {
    yield { rows: [], faults: linesThatAreNoText(bytes), share: 1 };
    return;
  }
  if (/^\s*[[{]/.test(text.slice(0, 64))) {
    yield { rows: [], faults: [{ line: 1, detail: 'looks like JSON: only CSV is read here' }], share: 1 };
    return;
  }
  const read = createRowReader();
  const breathe = createBreather();
  for (let start = 0; start < text.length; start += PIECE) {
    await breathe();
    yield { ...read(text.slice(start, start + PIECE), false), share: start / text.length };
  }
  yield { ...read('', true), share: 1 };
};
