/**
 * Looks at the header of an LMDB file before LMDB does: on a file that was cut or overwritten, LMDB itself ends
 * the process with a signal instead of an error.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Damage } from './damage';
import { readHeaders } from './file-header';

/** The program that reads a whole file. */
const READ_WHOLE = path.join(__dirname, 'read-whole.js');

const ZEROS_BYTES = 1024 * 1024;

const sizeSentence = (size: number, needed: number): string =>
  `it has ${String(size)} bytes of at least ${String(needed)}: the end is missing`;

/** What the header says: damage in a sentence, or how many bytes the file may have. */
const readHeader = (descriptor: number): string | { readonly bytes: number } => {
  const headers = readHeaders(descriptor);
  if (typeof headers === 'string') return headers;
  const { pageSize, lastPage, free, main } = headers.newest;
  const bytesTo = (page: number): number => (page + 1) * pageSize;
  const lastRoot = Math.max(0, free.root ?? 0, main.root ?? 0);
  // Asked after the headers were read: a server that writes the file lets it grow before they say so.
  const { size } = fs.fstatSync(descriptor);
  // Pages are written whole.
  const isCut = size < bytesTo(lastRoot) || (size < bytesTo(lastPage) && size % pageSize !== 0);
  return isCut ? sizeSentence(size, bytesTo(lastPage)) : { bytes: bytesTo(lastPage) };
};

/** Whether everything in the file can be read: only another process can tell, since this one would end. */
const canBeRead = (file: string): boolean =>
  spawnSync(process.execPath, [READ_WHOLE, file], { stdio: 'ignore' }).status === 0;

/** Adds so many zeros to its end. It never cuts off what a tool has added meanwhile, as setting its length would. */
const lengthen = (file: string, bytes: number): void => {
  const descriptor = fs.openSync(file, 'a');
  try {
    for (let left = bytes; left > 0;) {
      left -= fs.writeSync(descriptor, Buffer.alloc(Math.min(left, ZEROS_BYTES)));
    }
  } finally {
    fs.closeSync(descriptor);
  }
};

/**
 * Checks a file that may be missing.
 *
 * A file may end before the last page that was ever taken into use: LMDB does not write pages that a transaction
 * takes and gives back. So one that is too short is read whole; where that succeeds, nothing is missing, and the end
 * is put there so that this is not asked again.
 *
 * @throws Damage
 */
export const checkFile = (file: string, readOnly = false): void => {
  if (!fs.existsSync(file)) return;
  const descriptor = fs.openSync(file, readOnly ? 'r' : 'r+');
  try {
    const header = readHeader(descriptor);
    if (typeof header === 'string') throw new Damage(file, header);
    const { size } = fs.fstatSync(descriptor);
    if (size >= header.bytes) return;
    if (!canBeRead(file)) throw new Damage(file, sizeSentence(size, header.bytes));
    if (!readOnly) lengthen(file, header.bytes - size);
  } finally {
    fs.closeSync(descriptor);
  }
};
