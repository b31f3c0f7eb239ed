/**
 * Makes sure that what the system shows of a file's headers is what the disk holds. After a write or a sync that failed
 * the two may differ, also for the next process: the system shows what it has in memory, and takes it for clean.
 */
import fs from 'node:fs';
import type { RootDatabase } from 'lmdb';

/** Each header begins a page; what LMDB writes of them is far shorter than the smallest page. */
const HEADER_BYTES = 512;
/** Where the first header says how long pages are. */
const PAGE_SIZE_AT = 48;

/**
 * Writes the headers as they are, and syncs the file. All other pages that a header names were synced before it was
 * written, and none of them is written again before another header is.
 *
 * It holds LMDB's lock on writes meanwhile, so that no other process changes them; and takes back its own transaction.
 *
 * @throws what the disk says to it.
 */
export const confirmHeaders = (environment: RootDatabase, file: string): void => {
  environment.transactionSync(() => {
    const descriptor = fs.openSync(file, 'r+');
    try {
      const header = Buffer.alloc(HEADER_BYTES);
      fs.readSync(descriptor, header, 0, HEADER_BYTES, 0);
      const second = header.readUInt32LE(PAGE_SIZE_AT);
      for (const at of [0, second]) {
        fs.readSync(descriptor, header, 0, HEADER_BYTES, at);
        fs.writeSync(descriptor, header, 0, HEADER_BYTES, at);
      }
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
  });
};
