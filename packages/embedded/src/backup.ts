/** Copies of a folder's events: whole, checked, and there under their name only when they are both. */
import fs from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { type CheckedEvents, checkEvents } from './event-check';
import { type Header, writeHeader } from './file-header';
import { EVENTS_FILE } from './files';
import { lockFolder } from './folder-lock';
import { withSnapshot } from './snapshot';

const CHUNK_BYTES = 4 * 1024 * 1024;
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

const syncFolder = (folder: string): void => {
  const descriptor = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
};

/** Copies what a header names; the headers last, so that half of a copy is none. */
const copyPages = async (from: number, header: Header, file: string): Promise<void> => {
  const handle = await open(file, 'wx');
  try {
    const end = (header.lastPage + 1) * header.pageSize;
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (let at = 2 * header.pageSize; at < end; at += CHUNK_BYTES) {
      const bytes = fs.readSync(from, chunk, 0, Math.min(CHUNK_BYTES, end - at), at);
      await handle.write(chunk, 0, bytes, at);
    }
    // The file may end before pages that are not in use.
    await handle.truncate(end);
    writeHeader(handle.fd, header);
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const copyTo = async (source: string, folder: string): Promise<CheckedEvents> => {
  const isNew = !fs.existsSync(folder);
  fs.mkdirSync(folder, { recursive: true });
  const part = path.join(folder, `${EVENTS_FILE}.part`);
  try {
    await withSnapshot(source, async (from, header) => {
      fs.rmSync(part, { force: true });
      await copyPages(from, header, part);
    });
    const checked = checkEvents(part);
    const file = path.join(folder, EVENTS_FILE);
    // A tool that appends has made one meanwhile.
    if (fs.existsSync(file)) throw new FolderNotEmpty(`${file} has come into being meanwhile: it stays.`);
    fs.renameSync(part, file);
    syncFolder(folder);
    syncFolder(path.dirname(path.resolve(folder)));
    return checked;
  } catch (failure) {
    fs.rmSync(part, { force: true });
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
export const backupEvents = async (folder: string, target: string): Promise<CheckedEvents> => {
  refuseToReplace(target);
  return copyTo(folder, target);
};

/**
 * Copies a backup into an empty or new folder, which no service uses meanwhile.
 *
 * @throws Damage, FolderInUse, FolderNotEmpty
 */
export const restoreEvents = async (backup: string, folder: string): Promise<CheckedEvents> => {
  refuseToReplace(folder);
  const lock = lockFolder(folder);
  try {
    // It may have been served until now.
    refuseToReplace(folder);
    return await copyTo(backup, folder);
  } finally {
    lock.release();
  }
};
