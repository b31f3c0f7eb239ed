/** Reads a price list from a file: CSV a piece at a time, since it may be larger than the memory, and JSON whole. */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import {
  createSheetRows,
  otherFormatOf,
  readRecords,
  type SheetFault,
  type SheetRow,
} from '@pricebook/domain';
import { decodeLines } from '@pricebook/http';
import { openInputFile } from '../command-line/input-file';
import { beginsAsJson, readJsonSheet } from './json-sheet';
import { LINE_FEED, lineFeedsIn } from './line-feeds';

/** Some rows of a file, in its order. */
export interface SheetPiece {
  readonly rows: readonly SheetRow[];
  readonly faults: readonly SheetFault[];
  /** How far the file has been read. */
  readonly bytes: number;
}

const READ_BYTES = 256 * 1024;
/** No row is as long as that. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

/** What has been read, cut after the last line feed, so that no character and no line end is cut in two. */
const wholeLines = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  let length = 0;
  for await (const piece of source) {
    const end = piece.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) {
      yield Buffer.concat([...begun, piece.subarray(0, end)]);
      begun = [];
      length = 0;
    }
    begun.push(piece.subarray(end));
    length += piece.length - end;
    if (length > MAX_LINE_BYTES)
      throw new Error('The file has a line of more than 4 MiB. It is no price sheet.');
  }
  yield Buffer.concat(begun);
};

/** @throws Error where the file has lines that are too long for a sheet. */
const sheetPieces = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<SheetPiece> {
  const sheet = createSheetRows();
  /** A record that goes on in the next piece, and its line. */
  let rest = '';
  let line = 1;
  let linesDecoded = 0;
  let bytes = 0;
  const take = (piece: Buffer, isLast: boolean): SheetPiece => {
    const { text, faults } = decodeLines(piece, linesDecoded + 1);
    linesDecoded += lineFeedsIn(piece);
    bytes += piece.length;
    const whole = rest + text;
    const read = readRecords(whole, line, isLast);
    rest = whole.slice(read.end);
    ({ line } = read);
    const { rows, faults: faultsOfRows } = sheet.take(read);
    return { rows, faults: [...faults, ...faultsOfRows, ...(isLast ? sheet.end() : [])], bytes };
  };
  let held: Buffer | undefined;
  for await (const piece of wholeLines(source)) {
    if (held !== undefined) yield take(held, false);
    held = piece;
  }
  yield take(held ?? Buffer.alloc(0), true);
};

/** A file that can be read several times, and is the same each time. */
export interface SheetFile {
  readonly size: number;
  readonly pieces: () => AsyncGenerator<SheetPiece>;
  /** Tells its bytes from others. */
  readonly hash: () => Promise<string>;
  /** Whether it has been written to since it was opened. */
  readonly isChanged: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

const bytesOf = (handle: FileHandle): AsyncIterable<Buffer> =>
  handle.createReadStream({ start: 0, highWaterMark: READ_BYTES, autoClose: false });

/** Enough to tell JSON, and what is no text, from CSV. */
const START_BYTES = 1_024;

const firstBytes = async (handle: FileHandle, count: number): Promise<Buffer> => {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(count), 0, count, 0);
  return buffer.subarray(0, bytesRead);
};

const jsonPieces = async function* (handle: FileHandle, size: number): AsyncGenerator<SheetPiece> {
  yield { rows: readJsonSheet(await firstBytes(handle, size)), faults: [], bytes: size };
};

/** @throws Error where there is no such file, nothing that could be read again, or no text in UTF-8. */
export const openSheetFile = async (path: string): Promise<SheetFile> => {
  const handle = await openInputFile(path);
  const opened = await handle.stat();
  if (!opened.isFile()) {
    await handle.close();
    throw new Error(`${path} is no file. It is read several times, so it cannot be a pipe.`);
  }
  const start = await firstBytes(handle, START_BYTES);
  const otherFormat = otherFormatOf(start);
  if (otherFormat !== undefined) {
    await handle.close();
    throw new Error(`${path} ${otherFormat}.`);
  }
  const isJson = beginsAsJson(start.toString());
  return {
    size: opened.size,
    pieces: () => (isJson ? jsonPieces(handle, opened.size) : sheetPieces(bytesOf(handle))),
    hash: async () => {
      const hash = createHash('sha256');
      for await (const piece of bytesOf(handle)) hash.update(piece);
      return hash.digest('base64url');
    },
    isChanged: async () => {
      const { size, mtimeMs } = await handle.stat();
      return size !== opened.size || mtimeMs !== opened.mtimeMs;
    },
    close: () => handle.close(),
  };
};
