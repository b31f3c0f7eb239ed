/** Reads a history file: bytes to lines, lines to events that are sound and in their place. */
import { createChainCheck } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import { type HistoryEvent, MAX_LINE_BYTES, parseLine, placeOf, toEvent } from './history-line';
import { unreadable } from './readable';

export interface FaultyLine {
  /** `BrokenChain` where the line was changed, or lines before it were, since the file was exported. */
  readonly _tag: 'FaultyLine' | 'BrokenChain';
  /** Of the file; the first is 1. */
  readonly line: number;
  readonly reason: string;
}

export interface HistoryEntry {
  readonly event: HistoryEvent;
  readonly line: number;
  /** Of the line. */
  readonly bytes: number;
  /** Where the line ends in the file, in bytes. */
  readonly end: number;
}

interface Line {
  readonly number: number;
  readonly bytes: Buffer;
  readonly end: number;
}

const LINE_FEED = 0x0a;

/** The lines that end in each piece of a file. A last line may end with the file. */
const linesOf = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<readonly Line[]> {
  let begun: Buffer[] = [];
  let number = 0;
  let read = 0;
  const finish = (rest: Buffer, end: number): Line => {
    const bytes = begun.length === 0 ? rest : Buffer.concat([...begun, rest]);
    begun = [];
    number += 1;
    return { number, bytes, end };
  };
  for await (const piece of source) {
    const lines: Line[] = [];
    let start = 0;
    for (let at = piece.indexOf(LINE_FEED); at !== -1; at = piece.indexOf(LINE_FEED, start)) {
      lines.push(finish(piece.subarray(start, at), read + at + 1));
      start = at + 1;
    }
    read += piece.length;
    begun.push(piece.subarray(start));
    yield lines;
    // Something without lines is not read into memory whole.
    if (begun.reduce((sum, { length }) => sum + length, 0) > MAX_LINE_BYTES) break;
  }
  if (begun.some(({ length }) => length > 0)) yield [finish(Buffer.alloc(0), read)];
};

/** The events of a file, or what is wrong with a line, in the order of the file; piece by piece. */
export const readHistory = async function* (
  source: AsyncIterable<Buffer>,
): AsyncGenerator<readonly E.Either<FaultyLine, HistoryEntry>[]> {
  const chain = createChainCheck();

  const read = (bytes: Buffer): E.Either<Omit<FaultyLine, 'line'>, HistoryEvent> => {
    const faulty = (reason: string) => E.left<Omit<FaultyLine, 'line'>>({ _tag: 'FaultyLine', reason });
    const parsed = parseLine(bytes);
    if (E.isLeft(parsed)) return faulty(parsed.left);
    const event = toEvent(parsed.right);
    if (E.isLeft(event)) {
      // The lines that follow are not to be blamed for this one.
      const place = placeOf(parsed.right);
      if (place !== undefined) chain.skip(place);
      return faulty(event.left);
    }
    const broken = chain.add(event.right);
    if (broken !== undefined) {
      const { revision, stream, reason } = broken;
      return E.left({ _tag: 'BrokenChain', reason: `revision ${String(revision)} of ${stream} ${reason}` });
    }
    const reason = unreadable(event.right);
    return reason === undefined ? event : faulty(reason);
  };

  for await (const lines of linesOf(source)) {
    const entries: E.Either<FaultyLine, HistoryEntry>[] = [];
    for (const { number, bytes, end } of lines) {
      const event = read(bytes);
      entries.push(
        E.isLeft(event)
          ? E.left({ ...event.left, line: number })
          : E.right({ event: event.right, line: number, bytes: bytes.length, end }),
      );
    }
    yield entries;
  }
};
