/** What a disk that is full, read-only or failing looks like, and whether it takes writes again. */
import fs from 'node:fs';
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { StoreReadsOnly } from '@pricebook/application';
import { SPACE_FILE } from './files';
import { primaryCodeOf, SQLITE_FULL, sqliteFailureOf } from './sqlite-failure';

/** Room that there has to be before writes go on: for a few of the largest events. */
const ROOM_BYTES = 4 * 1024 * 1024;

/** What says that there is no room, as Node and as LMDB put it: no space, over quota, larger than files may be. */
const FULL_CODES: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG', 28, 122, 27];
/** LMDB says so of a page that was written in part, as on a full disk. */
const IO_CODES: readonly unknown[] = ['EIO', 5];

const codeOf = (failure: unknown): unknown =>
  failure instanceof Error && 'code' in failure ? failure.code : undefined;

const hasRoom = (folder: string): boolean => {
  try {
    const { bavail, bsize } = fs.statfsSync(folder);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return true;
  }
};

const isFull = (folder: string, failure: unknown): boolean => {
  const ofSqlite = sqliteFailureOf(failure);
  if (ofSqlite !== undefined) return primaryCodeOf(ofSqlite) === SQLITE_FULL;
  const code = codeOf(failure);
  return FULL_CODES.includes(code) || (IO_CODES.includes(code) && !hasRoom(folder));
};

/** Why a folder takes no writes, from what a write to it failed with. */
export const obstacleOf = (folder: string, failure: unknown): StoreReadsOnly => ({
  _tag: 'StoreReadsOnly',
  why: isFull(folder, failure) ? 'full' : 'failing',
  reason: failure instanceof Error ? failure.message : String(failure),
});

/**
 * Writes a file of the room that is needed, has it synced, and takes it away.
 *
 * @throws what the disk says to it.
 */
export const tryDisk = async (folder: string): Promise<void> => {
  const file = path.join(folder, SPACE_FILE);
  try {
    const handle = await open(file, 'w');
    try {
      await handle.writeFile(Buffer.alloc(ROOM_BYTES));
      await handle.sync();
    } finally {
      await handle.close();
    }
  } finally {
    await rm(file, { force: true });
  }
};
