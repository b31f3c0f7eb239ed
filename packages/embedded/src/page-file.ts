/** Reads pages of an LMDB file without LMDB: on a page that is damaged that would end the process. */
import fs from 'node:fs';

/** What is read at once where pages are asked for in a row, and how near they have to be for that. */
const WINDOW_BYTES = 256 * 1024;
const NEAR = 16;

export interface PageFile {
  /** Some pages that follow one another; fewer bytes where the file ends before. */
  readonly read: (page: number, count?: number) => Buffer;
}

/** @param descriptor an open file; it is left open. */
export const readPages = (descriptor: number, pageSize: number): PageFile => {
  let window: Buffer = Buffer.alloc(0);
  /** The first page of the window. */
  let first = 0;
  /** The page that was read last. */
  let last = -1;

  const readAt = (page: number, bytes: number): Buffer => {
    const buffer = Buffer.allocUnsafeSlow(bytes);
    const read = fs.readSync(descriptor, buffer, 0, bytes, page * pageSize);
    return read === bytes ? buffer : buffer.subarray(0, read);
  };

  return {
    read: (page, count = 1) => {
      const isNear = page > last && page - last <= NEAR;
      last = page + count - 1;
      const at = (page - first) * pageSize;
      const end = at + count * pageSize;
      if (at >= 0 && end <= window.length) return window.subarray(at, end);
      if (!isNear || count * pageSize > WINDOW_BYTES) return readAt(page, count * pageSize);
      first = page;
      window = readAt(page, WINDOW_BYTES);
      return window.subarray(0, count * pageSize);
    },
  };
};
