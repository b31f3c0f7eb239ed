/** Copies of a folder's events: whole, checked, and there under their name only when they are both. */
import fs from 'node:fs';
import path from 'node:path';
import { type ChainFault, createChainCheck } from '@pricebook/application';
import { copyLmdbEvents } from './carry-over';
import { type CheckedEvents, checkEvents, checkLayout } from './event-check';
import { openToRead, withDatabase } from './event-file';
import { EVENTS_FILE, LMDB_EVENTS_FILE } from './files';
import { lockFolder } from './folder-lock';
import { isOfVersionBefore, openEventsToRead } from './open-events';
import { sync } from './whole-file';

/** What may be in a folder that counts as empty. */
const NOTHING: readonly string[] = ['serving.lock', 'lost+found'];

const refuseToReplace = (folder: string): void => {
  if (!fs.existsSync(folder)) return;
  const [found] = fs.readdirSync(folder).filter((name) => !NOTHING.includes(name));
  if (found !== undefined) {
    throw new Error(`${path.resolve(folder)} is not empty: it has ${found}. Name another folder.`);
  }
};

/**
 * Copies what is committed at this moment, whatever is written meanwhile.
 *
 * @returns the file that it was made of.
 */
const copyEvents = (folder: string, part: string): string => {
  if (isOfVersionBefore(folder)) {
    const old = path.join(folder, LMDB_EVENTS_FILE);
    copyLmdbEvents(old, part);
    return old;
  }
  const file = path.join(folder, EVENTS_FILE);
  withDatabase(openEventsToRead(folder), file, (database) => {
    database.prepare('VACUUM INTO ?').run(part);
  });
  return file;
};

/**
 * Checks what a reader of all events does not, also while a service uses the folder: pages, indexes and the revisions of
 * streams.
 *
 * @throws Damage
 */
export const checkLiveLayout = (folder: string): void => {
  const file = path.join(folder, EVENTS_FILE);
  withDatabase(openEventsToRead(folder), file, (database) => {
    checkLayout(database, file);
  });
};

/** What a copy holds, and where the hash chains of its streams are broken. */
export interface CopiedEvents extends CheckedEvents {
  readonly broken: readonly ChainFault[];
}

const checkCopy = (part: string, from: string): CopiedEvents =>
  withDatabase(openToRead(part), from, (database) => {
    const chain = createChainCheck();
    const broken: ChainFault[] = [];
    const checked = checkEvents(database, from, (event) => {
      const fault = chain.add(event);
      if (fault !== undefined) broken.push(fault);
    });
    return { ...checked, broken };
  });

const copyTo = (source: string, folder: string): CopiedEvents => {
  const isNew = !fs.existsSync(folder);
  fs.mkdirSync(folder, { recursive: true });
  const part = path.join(folder, `${EVENTS_FILE}.part`);
  try {
    fs.rmSync(part, { force: true });
    const from = copyEvents(source, part);
    sync(part);
    const checked = checkCopy(part, from);
    const file = path.join(folder, EVENTS_FILE);
    // A tool that appends has made one meanwhile.
    if (fs.existsSync(file)) throw new Error(`${file} was created meanwhile; it is left as it is.`);
    fs.renameSync(part, file);
    sync(folder);
    sync(path.dirname(path.resolve(folder)));
    return checked;
  } catch (failure) {
    for (const one of [part, `${part}-wal`, `${part}-shm`, `${part}-journal`])
      fs.rmSync(one, { force: true });
    if (isNew && fs.readdirSync(folder).length === 0) fs.rmdirSync(folder);
    throw failure;
  }
};

/**
 * Copies the events of a folder into an empty or new one, while a service may be writing to the first.
 *
 * @returns what the copy holds; it was read again, whole.
 * @throws Damage; Error where the target is not empty.
 */
export const backupEvents = (folder: string, target: string): CopiedEvents => {
  refuseToReplace(target);
  return copyTo(folder, target);
};

/**
 * Copies a backup into an empty or new folder, which no service uses meanwhile.
 *
 * @throws Damage, FolderInUse; Error where the folder is not empty.
 */
export const restoreEvents = (backup: string, folder: string): CopiedEvents => {
  refuseToReplace(folder);
  const lock = lockFolder(folder);
  try {
    // It may have been served until now.
    refuseToReplace(folder);
    return copyTo(backup, folder);
  } finally {
    lock.release();
  }
};
