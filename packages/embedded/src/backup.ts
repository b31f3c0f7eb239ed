/** Copies of a folder's events: whole, checked, and there under their name only when they are both. */
import fs from 'node:fs';
import path from 'node:path';
import { type CheckedEvents, checkEvents } from './event-check';
import { openToRead } from './event-file';
import { copyLmdbEvents } from './carry-over';
import { EVENTS_FILE, LMDB_EVENTS_FILE } from './files';
import { lockFolder } from './folder-lock';
import { asFileDamage } from './sqlite-failure';

/** What may be in a folder that counts as empty. */
const NOTHING: readonly string[] = ['serving.lock', 'lost+found'];

/** There is something where a copy was to be put. */
export class FolderNotEmpty extends Error {
  override readonly name = 'FolderNotEmpty';
}

const refuseToReplace = (folder: string): void => {
  if (!fs.existsSync(folder)) return;
  const [found] = fs.readdirSync(folder).filter((name) => !NOTHING.includes(name));
  if (found !== undefined) {
    throw new FolderNotEmpty(`${path.resolve(folder)} is not empty: it has ${found}. Name another folder.`);
  }
};

/** Copies what is committed at this moment, whatever is written meanwhile. */
const copySqliteEvents = (source: string, part: string): void => {
  const database = openToRead(source);
  try {
    database.prepare('VACUUM INTO ?').run(part);
  } catch (failure) {
    throw asFileDamage(source, failure);
  } finally {
    database.close();
  }
};

const sync = (file: string): void => {
  const descriptor = fs.openSync(file, 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
};

/** @param name the file that damage is told of: of a copy, what it was made of. */
const checkFile = (file: string, name = file): CheckedEvents => {
  const database = openToRead(file);
  try {
    return checkEvents(database, name);
  } finally {
    database.close();
  }
};

/** The file of events in a folder, also of one that the version before made. */
const eventsOf = (folder: string): string => {
  for (const name of [EVENTS_FILE, LMDB_EVENTS_FILE]) {
    const file = path.join(folder, name);
    if (fs.existsSync(file)) return file;
  }
  throw new Error(`there is no event store in ${path.resolve(folder)}`);
};

/**
 * Checks all events of a folder, also while a service uses it.
 *
 * @throws Damage
 */
export const checkLiveEvents = (folder: string): CheckedEvents => checkFile(eventsOf(folder));

const copyTo = (source: string, folder: string): CheckedEvents => {
  const from = eventsOf(source);
  const isNew = !fs.existsSync(folder);
  fs.mkdirSync(folder, { recursive: true });
  const part = path.join(folder, `${EVENTS_FILE}.part`);
  try {
    fs.rmSync(part, { force: true });
    if (from.endsWith(LMDB_EVENTS_FILE)) copyLmdbEvents(from, part);
    else copySqliteEvents(from, part);
    sync(part);
    const checked = checkFile(part, from);
    const file = path.join(folder, EVENTS_FILE);
    // A tool that appends has made one meanwhile.
    if (fs.existsSync(file)) throw new FolderNotEmpty(`${file} was created meanwhile; it is left as it is.`);
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
 * @throws Damage, FolderNotEmpty
 */
export const backupEvents = (folder: string, target: string): CheckedEvents => {
  refuseToReplace(target);
  return copyTo(folder, target);
};

/**
 * Copies a backup into an empty or new folder, which no service uses meanwhile.
 *
 * @throws Damage, FolderInUse, FolderNotEmpty
 */
export const restoreEvents = (backup: string, folder: string): CheckedEvents => {
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
