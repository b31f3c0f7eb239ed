/**
 * Keeps the opening of an LMDB file apart from commits, whichever processes do these. lmdb 3.5 has the fault ITS#9496 of
 * LMDB: who opens a file reads the number of its last transaction, and then sets that for all processes without the lock
 * on writes. A commit in between is forgotten, and the next one writes over it: an acknowledged event would be lost
 * because somebody looked at the file. See docs/decisions/0022.
 *
 * The lock is the kernel's, on a byte of the file that is never written. Commits share it; an opening has it alone.
 */
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { tryLock, unlock } from 'fs-native-extensions';

/** Far behind the end of any file. */
const BYTE = 2 ** 52;
/** How often it is tried. Between two commits there is always time for it. */
const POLL_MS = 0.5;
/** No commit takes that long where the disk is well. */
const MOST_MS = 10_000;

export interface CommitLock {
  /** Waits while the file is being opened. What it gives is to be called when the commit is over, however it ends. */
  readonly hold: () => Promise<() => void>;
  readonly close: () => void;
}

/** @param file one that is there. */
export const createCommitLock = (file: string): CommitLock => {
  const descriptor = fs.openSync(file, 'r');
  let holders = 0;
  let isClosed = false;
  const release = (): void => {
    holders -= 1;
    if (holders === 0 && !isClosed) unlock(descriptor, BYTE, 1);
  };
  return {
    hold: async () => {
      while (!isClosed && !tryLock(descriptor, BYTE, 1, { shared: true })) await delay(POLL_MS);
      holders += 1;
      return release;
    },
    close: () => {
      if (!isClosed) fs.closeSync(descriptor);
      isClosed = true;
    },
  };
};

const pause = (): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
};

/** What says that nobody here can write to the file: LMDB says what follows from that. */
const CANNOT_WRITE: readonly unknown[] = ['ENOENT', 'EROFS', 'EACCES', 'EPERM'];

const openToLock = (file: string, isMade: boolean): number | undefined => {
  try {
    return fs.openSync(file, isMade ? 'a+' : 'r+');
  } catch (failure) {
    if (failure instanceof Error && 'code' in failure && CANNOT_WRITE.includes(failure.code))
      return undefined;
    throw failure;
  }
};

/**
 * Does something with a file while nobody commits to it. It must not be called while this process does so itself: it waits
 * without giving up its turn, so that commit would not come to its end.
 *
 * @param isMade whether the file is made, empty, where it is missing.
 * @throws Error where the file is not left alone for a moment.
 */
export const whileNobodyCommits = <A>(file: string, isMade: boolean, act: () => A): A => {
  const descriptor = openToLock(file, isMade);
  if (descriptor === undefined) return act();
  try {
    const began = performance.now();
    while (!tryLock(descriptor, BYTE, 1)) {
      if (performance.now() - began > MOST_MS) {
        throw new Error(`${file} cannot be opened: another process has been writing to it for 10 s`);
      }
      pause();
    }
    return act();
  } finally {
    fs.closeSync(descriptor);
  }
};
