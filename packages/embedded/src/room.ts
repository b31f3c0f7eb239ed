/**
 * Sees to it that a file has room for a commit before LMDB writes it. On a disk that is full lmdb does not fail in order:
 * it writes its message past the memory that it has for it, and may end the process. So room at the end of the file is
 * taken from the disk beforehand, and what is said to that is an error like any other. So is what is said to a byte that is
 * written beside the file before each commit: it tells of a disk that has become read-only. In the file itself nothing is
 * ever written over: another process may have used the room meanwhile.
 */
import fs from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import type { RootDatabase } from 'lmdb';
import { obstacleOf } from './disk';
import { usedBytes } from './environment';
import { SPACE_FILE } from './files';

const LEAST_BYTES = 1024 * 1024;
const MOST_BYTES = 64 * 1024 * 1024;
/** A file grows by such a part of itself, if that is neither little nor much. */
const GROWTH = 1 / 8;
/** After so many the room is measured again: commits may take more than was thought, and others take of it too. */
const TRUSTED_BYTES = 2 * 1024 * 1024;

export interface Room {
  /** Makes room for so many bytes; fails with what the disk says to it. */
  readonly ensure: (environment: Pick<RootDatabase, 'getStats'>, bytes: number) => Promise<void>;
}

export const createRoom = (file: string): Room => {
  const probe = path.join(path.dirname(file), SPACE_FILE);
  /** So much is left, unless others have taken of it. */
  let left = 0;

  const isFull = (failure: unknown): boolean => obstacleOf(failure).why === 'full';

  const tryWrite = (): void => {
    try {
      const descriptor = fs.openSync(probe, fs.constants.O_WRONLY | fs.constants.O_CREAT);
      try {
        fs.writeSync(descriptor, Buffer.alloc(1), 0, 1, 0);
      } finally {
        fs.closeSync(descriptor);
      }
    } catch (failure) {
      // There is room in the file all the same.
      if (!isFull(failure)) throw failure;
    }
  };

  const grow = async (missing: number): Promise<void> => {
    const { size } = fs.statSync(file);
    const wanted = Math.max(missing, Math.min(Math.max(size * GROWTH, LEAST_BYTES), MOST_BYTES));
    // At the end of the file, wherever another process has put that meanwhile: nothing is ever written over.
    // One that another process has just taken away is not made again.
    const handle = await open(file, fs.constants.O_WRONLY | fs.constants.O_APPEND);
    let grown = 0;
    try {
      const zeros = Buffer.alloc(LEAST_BYTES);
      for (; grown < wanted; grown += zeros.length) await handle.appendFile(zeros);
    } catch (failure) {
      // The last of the disk is used before it is called full.
      if (grown < missing || !isFull(failure)) throw failure;
    } finally {
      await handle.close();
    }
  };

  return {
    ensure: async (environment, bytes) => {
      const needed = bytes + LEAST_BYTES / 2;
      if (left < needed) {
        const found = fs.statSync(file).size - usedBytes(environment);
        left = 0;
        if (found < needed) {
          await grow(needed - found);
          return;
        }
        left = Math.min(found, Math.max(needed, TRUSTED_BYTES));
      }
      tryWrite();
      left -= bytes;
    },
  };
};
