/**
 * CSV as RFC 4180 has it, to records with their lines. Read here rather than by a library, for what those that are well
 * kept do not bring together: lines that are right beside quoted line breaks, every faulty record of a file and not the
 * first alone, and no more work for records that are faulty than for others (docs/csv.md). A test holds it to csv-parse.
 */

export interface CsvRecord {
  /** Where it begins, as an editor counts lines: the first is 1. A quoted cell may hold line breaks. */
  readonly line: number;
  readonly cells: readonly string[];
}

export interface CsvFault {
  readonly line: number;
  readonly detail: string;
}

export interface CsvRecords {
  readonly records: readonly CsvRecord[];
  readonly faults: readonly CsvFault[];
  /** How much of the text has been read: all of it, but for a last record that may go on. */
  readonly end: number;
  /** The line that comes next. */
  readonly line: number;
}

const NOT_CLOSED = 'opens a quote that is never closed';
const AFTER_QUOTE =
  'has something between a closing quote and the next comma; a quote within a quoted cell is written twice';
const STRAY_QUOTE =
  'has a quote in a cell that does not begin with one; such a cell is put in quotes, and each quote in it is written twice';
const STRAY_RETURN = 'has a carriage return in a cell without quotes; lines end in LF or CR LF';

/** A record with more characters than that is none: a quote was not closed. It bounds what is kept of a file. */
const MAX_RECORD = 1024 * 1024;

/** What stands between two commas, or a comma and the end of a record. */
interface Cell {
  readonly text: string;
  /** Where it ends: at a comma, a line end or the end of the text. */
  readonly end: number;
}

/** A cell, or what is wrong with it; undefined where it goes on past the text. */
type ReadCell = Cell | string | undefined;

/** As long as the line end that stands there; the end of the text is one of no length. */
const lineEndAt = (text: string, at: number): number | undefined => {
  if (at >= text.length) return 0;
  if (text[at] === '\n') return 1;
  return text[at] === '\r' && text[at + 1] === '\n' ? 2 : undefined;
};

const quotedCell = (text: string, start: number): ReadCell => {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && text[end + 1] === '"') end = text.indexOf('"', end + 2);
  if (end === -1) return undefined;
  const next = end + 1;
  if (text[next] !== ',' && lineEndAt(text, next) === undefined) return AFTER_QUOTE;
  return { text: text.slice(start + 1, end).replaceAll('""', '"'), end: next };
};

const plainCell = (text: string, start: number): ReadCell => {
  let end = start;
  for (; end < text.length; end += 1) {
    const unit = text[end];
    if (unit === ',' || unit === '\n') break;
    if (unit === '"') return STRAY_QUOTE;
    if (unit === '\r') {
      if (lineEndAt(text, end) === undefined) return STRAY_RETURN;
      break;
    }
  }
  return { text: text.slice(start, end), end };
};

interface Read {
  readonly cells: readonly string[];
  readonly end: number;
}

const readRecord = (text: string, start: number): Read | string | undefined => {
  const cells: string[] = [];
  for (let at = start; ; at += 1) {
    const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at);
    if (cell === undefined || typeof cell === 'string') return cell;
    cells.push(cell.text);
    at = cell.end;
    const lineEnd = lineEndAt(text, at);
    if (lineEnd !== undefined) return { cells, end: at + lineEnd };
  }
};

const lineFeedsIn = (text: string, start: number, end: number): number => {
  let count = 0;
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
};

/**
 * The records of a text, or of a part of one. After a fault it goes on with the line after that with which the faulty
 * record begins: where a quote is missing, the next one that there is may be far away.
 *
 * @param line that with which the text begins.
 * @param isLast whether no more comes after the text; otherwise it ends in a line feed.
 */
export const readRecords = (text: string, line: number, isLast: boolean): CsvRecords => {
  const records: CsvRecord[] = [];
  const faults: CsvFault[] = [];
  let end = 0;
  let next = line;
  while (end < text.length) {
    const read = readRecord(text, end);
    if (typeof read === 'object') {
      records.push({ line: next, cells: read.cells });
      next += lineFeedsIn(text, end, read.end);
      ({ end } = read);
      continue;
    }
    if (read === undefined && !isLast && text.length - end <= MAX_RECORD) break;
    faults.push({ line: next, detail: read ?? NOT_CLOSED });
    const lineFeed = text.indexOf('\n', end);
    end = lineFeed === -1 ? text.length : lineFeed + 1;
    next += 1;
  }
  return { records, faults, end, line: next };
};
