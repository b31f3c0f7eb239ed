import fs from 'node:fs';
import path from 'node:path';
import { tryLock } from 'fs-native-extensions';

/** Another process serves the folder. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
}

/** Keeps other processes from serving the same folder. */
export interface FolderLock {
  readonly release: () => void;
}

const FILE = 'serving.lock';

/**
 * Takes the folder for this process, creating it where it is missing. The lock is the kernel's, on an open
 * file: it goes with the process, however that ends, so none is ever left over.
 *
 * @throws FolderInUse
 */
export const lockFolder = (folder: string): FolderLock => {
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, FILE);
  const descriptor = fs.openSync(file, 'a+');
  if (!tryLock(descriptor)) {
    const holder = fs.readFileSync(file, 'utf8').trim();
    fs.closeSync(descriptor);
    throw new FolderInUse(
      `${path.resolve(folder)} is already served by another process${holder === '' ? '' : ` (${holder})`}. ` +
        'Stop that one first, or set PRICEBOOK_DATA_DIR to another folder.',
    );
  }
  // For people only: what counts is the lock.
  fs.ftruncateSync(descriptor);
  fs.writeSync(descriptor, `process ${String(process.pid)}\n`);
  return {
    release: () => {
      fs.closeSync(descriptor);
    },
  };
};
