import fs from 'node:fs';
import path from 'node:path';
import { open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb';
import { asDamage, Damage } from './damage';
import { checkFile } from './file-check';

interface EnvironmentOptions {
  readonly file: string;
  readonly readOnly: boolean;
  /** Whether another process may be writing the file: it is left as it is but for what is written through LMDB. */
  readonly isShared?: boolean;
  /** Whether a commit waits until it is on disk. */
  readonly isDurable: boolean;
}

/** More than LMDB's table of readers takes. */
const LOCK_FILE_BYTES = 12 * 1024;

/**
 * LMDB makes its table of readers a file without content, and writes to that in memory: where the disk has no room for
 * it then, the system ends the process. So there is room before, or an error.
 */
const reserveLockFile = (file: string): void => {
  const lock = `${file}-lock`;
  if (fs.existsSync(lock)) return;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  try {
    fs.writeFileSync(lock, Buffer.alloc(LOCK_FILE_BYTES), { flag: 'wx' });
  } catch (failure) {
    // Another process has made it meanwhile.
    if (failure instanceof Error && 'code' in failure && failure.code === 'EEXIST') return;
    fs.rmSync(lock, { force: true });
    throw failure;
  }
};

/**
 * Opens an LMDB file, creating it where it is missing and may be written.
 *
 * @throws Damage
 */
export const openEnvironment = ({
  file,
  readOnly,
  isShared = false,
  isDurable,
}: EnvironmentOptions): RootDatabase => {
  checkFile(file, readOnly || isShared);
  if (!readOnly) reserveLockFile(file);
  const options: RootDatabaseOptionsWithPath = {
    path: file,
    noSubdir: true,
    readOnly,
    // By default data can be read before it is safe on disk.
    overlappingSync: false,
    noSync: !isDurable,
    // A commit begins with the first write and takes along what comes while it is under way.
    eventTurnBatching: false,
  };
  try {
    return open(options);
  } catch (failure) {
    const found = asDamage(file, failure);
    if (found instanceof Damage || !(failure instanceof Error)) throw found;
    throw new Error(`${file} cannot be opened: ${failure.message}`, { cause: failure });
  }
};
