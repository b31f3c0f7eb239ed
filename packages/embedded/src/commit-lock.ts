/**
 * Keeps the opening of an LMDB file apart from commits, in all processes. lmdb 3.5 has the fault ITS#9496 of LMDB: a
 * process that opens a file reads the number of its last transaction, and then sets that for all processes without the
 * lock on writes. A commit in between is forgotten, and the next one writes over it. See docs/decisions/0022.
 *
 * The lock is the kernel's, on a byte of the file that is never written. A commit shares it; an opening has it alone.
 */
import fs from 'node:fs';
import { tryLock, unlock, waitForLock, waitForLockSync } from 'fs-native-extensions';

/** Far behind the end of any file. */
const BYTE = 2 ** 52;

export interface CommitLock {
  /** Waits while another process opens the file. */
  readonly hold: () => Promise<void>;
  readonly release: () => void;
  readonly close: () => void;
}

/** @param file one that is there. */
export const createCommitLock = (file: string): CommitLock => {
  const descriptor = fs.openSync(file, 'r');
  return {
    hold: async () => {
      if (!tryLock(descriptor, BYTE, 1, { shared: true }))
        await waitForLock(descriptor, BYTE, 1, { shared: true });
    },
    release: () => {
      unlock(descriptor, BYTE, 1);
    },
    close: () => {
      fs.closeSync(descriptor);
    },
  };
};

/** A process that cannot write to the file sets no number there. */
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
 * Does something with a file while no process commits to it; not to be called during a commit of this process.
 *
 * @param isMade whether the file is made, empty, where it is missing.
 */
export const betweenCommits = <A>(file: string, isMade: boolean, act: () => A): A => {
  const descriptor = openToLock(file, isMade);
  if (descriptor === undefined) return act();
  try {
    waitForLockSync(descriptor, BYTE, 1);
    return act();
  } finally {
    fs.closeSync(descriptor);
  }
};
