import fs from 'node:fs';
import path from 'node:path';
import { tryLock } from 'fs-native-extensions';

/** Another process serves the folder, or rebuilds its read model. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse';
}

/** Keeps other processes from the same. */
export interface FolderLock {
  readonly release: () => void;
}

const SERVING = 'serving.lock';
const REBUILDING = 'rebuilding.lock';

/** The lock is the kernel's, on an open file: it goes with the process, however that ends, so none is left over. */
const take = (folder: string, name: string, refusal: (holder: string) => string): FolderLock => {
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, name);
  const descriptor = fs.openSync(file, 'a+');
  if (!tryLock(descriptor)) {
    const holder = fs.readFileSync(file, 'utf8').trim();
    fs.closeSync(descriptor);
    throw new FolderInUse(refusal(holder === '' ? '' : ` (${holder})`));
  }
  // For people only: what counts is the lock.
  try {
    fs.ftruncateSync(descriptor);
    fs.writeSync(descriptor, `process ${String(process.pid)}\n`);
  } catch {
    // A disk that is full is no reason not to serve what is there.
  }
  let isHeld = true;
  return {
    release: () => {
      if (isHeld) fs.closeSync(descriptor);
      isHeld = false;
    },
  };
};

/**
 * Takes the folder for this process, creating it where it is missing.
 *
 * @throws FolderInUse
 */
export const lockFolder = (folder: string): FolderLock =>
  take(
    folder,
    SERVING,
    (holder) =>
      `${path.resolve(folder)} is already served by another process${holder}. ` +
      'Stop that one first, or set PRICEBOOK_DATA_DIR to another folder.',
  );

/**
 * Takes the making of a new read model in the folder, which may be served meanwhile.
 *
 * @throws FolderInUse
 */
export const lockRebuild = (folder: string): FolderLock =>
  take(
    folder,
    REBUILDING,
    (holder) => `The read model of ${path.resolve(folder)} is being rebuilt by another process${holder}.`,
  );
