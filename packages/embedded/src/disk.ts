/** What a disk that is full, read-only or failing looks like, and whether it takes writes again. */
import { open, rm } from 'node:fs/promises';
import path from 'node:path';
import type { StoreReadsOnly } from '@pricebook/application';
import { SPACE_FILE } from './files';
import { primaryCodeOf, SQLITE_FULL, sqliteFailureOf } from './sqlite-failure';

/** Room that there has to be before writes go on: for a few of the largest events. */
const ROOM_BYTES = 4 * 1024 * 1024;

/** What says that there is no room: no space, over quota, larger than files may be. */
const FULL_CODES: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];

const isFull = (failure: unknown): boolean => {
  const ofSqlite = sqliteFailureOf(failure);
  if (ofSqlite !== undefined) return primaryCodeOf(ofSqlite) === SQLITE_FULL;
  return failure instanceof Error && 'code' in failure && FULL_CODES.includes(failure.code);
};

/** Why a disk takes no writes, from what a write failed with. */
export const obstacleOf = (failure: unknown): StoreReadsOnly => ({
  _tag: 'StoreReadsOnly',
  why: isFull(failure) ? 'full' : 'failing',
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
