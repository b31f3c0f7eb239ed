/**
 * A note beside the events of which one was acknowledged last. It is written after each commit, without waiting for the
 * disk: so it is never ahead of the events, and events that it names and the file lacks are lost. SQLite itself
 * drops the end of a WAL that was damaged or cut without a word.
 */
import fs from 'node:fs';
import { crc32 } from 'node:zlib';

export interface LastEvent {
  readonly position: number;
  readonly id: string;
}

export interface LastNote {
  readonly write: (last: LastEvent) => void;
  readonly close: () => void;
}

/** As long as the longest, so that one is written over another whole. */
const BYTES = 80;

const toLine = ({ position, id }: LastEvent): string => {
  const text = `${String(position)} ${id}`;
  return `${`${text} ${String(crc32(text))}`.padEnd(BYTES - 1)}\n`;
};

export const openLastNote = (file: string): LastNote => {
  let descriptor: number | undefined;
  return {
    write: (last) => {
      try {
        descriptor ??= fs.openSync(file, fs.constants.O_WRONLY | fs.constants.O_CREAT, 0o666);
        fs.writeSync(descriptor, toLine(last), 0);
      } catch {
        // The events are kept all the same; the note that is there names an earlier one.
      }
    },
    close: () => {
      if (descriptor !== undefined) fs.closeSync(descriptor);
    },
  };
};

/** What the note says; undefined where there is none, or one that the machine went down over. */
export const readLastNote = (file: string): LastEvent | undefined => {
  if (!fs.existsSync(file)) return undefined;
  const [position = '', id = '', checksum] = fs.readFileSync(file, 'utf8').trimEnd().split(' ');
  return checksum === String(crc32(`${position} ${id}`)) ? { position: Number(position), id } : undefined;
};
