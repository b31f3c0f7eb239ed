/**
 * Sees to it that a file has room for a commit before LMDB writes it. On a disk that is full lmdb does not fail in order:
 * it writes its message past the memory that it has for it, and may end the process. So room at the end of the file is
 * taken from the disk beforehand, and what is said to that is an error like any other. So is what is said to a byte that is
 * written there before each commit: it tells of a disk that has become read-only.
 */
import fs from 'node:fs';
import { open } from 'node:fs/promises';
import type { RootDatabase } from 'lmdb';

const LEAST_BYTES = 1024 * 1024;
const MOST_BYTES = 64 * 1024 * 1024;
/** A file grows by such a part of itself, if that is neither little nor much. */
const GROWTH = 1 / 8;

export interface Room {
  /**
   * Makes room for so many bytes.
   *
   * @throws what the disk says to it.
   */
  readonly ensure: (environment: RootDatabase, bytes: number) => Promise<void> | undefined;
}

/** What `getStats` says that lmdb's types do not. */
interface Stats {
  readonly lastPageNumber: number;
  readonly pageSize: number;
}

export const createRoom = (file: string): Room => {
  /** At least so much is left. */
  let left = 0;

  const measure = (environment: RootDatabase): void => {
    const { lastPageNumber, pageSize } = environment.getStats() as Stats;
    left = fs.statSync(file).size - (lastPageNumber + 1) * pageSize;
  };

  /** Writes the last byte: it is in no page that is used, since there is room before it. */
  const tryWrite = (): void => {
    const descriptor = fs.openSync(file, 'r+');
    try {
      fs.writeSync(descriptor, Buffer.alloc(1), 0, 1, fs.fstatSync(descriptor).size - 1);
    } finally {
      fs.closeSync(descriptor);
    }
  };

  const grow = async (bytes: number): Promise<void> => {
    const { size } = fs.statSync(file);
    const wanted = Math.max(bytes, Math.min(Math.max(size * GROWTH, LEAST_BYTES), MOST_BYTES));
    // At the end of the file, wherever another process has put that meanwhile: nothing is ever written over.
    const handle = await open(file, 'a');
    try {
      const zeros = Buffer.alloc(LEAST_BYTES);
      for (let grown = 0; grown < wanted; grown += zeros.length) await handle.appendFile(zeros);
    } finally {
      await handle.close();
    }
  };

  return {
    ensure: (environment, bytes) => {
      const needed = bytes + LEAST_BYTES / 2;
      if (left < needed) measure(environment);
      if (left >= needed) {
        tryWrite();
        left -= bytes;
        return undefined;
      }
      const missing = needed - left;
      left = 0;
      return grow(missing);
    },
  };
};
