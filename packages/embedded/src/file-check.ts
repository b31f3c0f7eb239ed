/**
 * Looks at the header of an LMDB file before LMDB does: on a file that was cut or overwritten, LMDB itself ends
 * the process with a signal instead of an error.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { Damage } from './damage';

/** Offsets within a meta page of the LMDB that the lmdb package brings: two of them begin the file. */
const FLAGS = 18;
const META_FLAG = 0x08;
const MAGIC_AT = 24;
const MAGIC = 0xbeefc0de;
const VERSION_AT = 28;
const DATA_VERSION = 2;
const PAGE_SIZE_AT = 48;
const FREE_ROOT_AT = 88;
const MAIN_ROOT_AT = 136;
const LAST_PAGE_AT = 144;
const TRANSACTION_AT = 152;
const META_BYTES = 160;
/** The root of an empty tree. */
const NO_PAGE = 0xffffffffffffffffn;

/** The program that reads a whole file. */
const READ_WHOLE = path.join(__dirname, 'read-whole.js');

interface Meta {
  readonly pageSize: number;
  /** The last page that was ever taken into use. */
  readonly lastPage: bigint;
  /** The last page that the file has to have whatever it holds. */
  readonly lastRoot: bigint;
  readonly transaction: bigint;
}

const readMeta = (descriptor: number, offset: number): Meta | string => {
  const page = Buffer.alloc(META_BYTES);
  if (fs.readSync(descriptor, page, 0, META_BYTES, offset) < META_BYTES) return 'its header is cut off';
  if ((page.readUInt16LE(FLAGS) & META_FLAG) === 0 || page.readUInt32LE(MAGIC_AT) !== MAGIC) {
    return 'its header is overwritten';
  }
  const version = page.readUInt32LE(VERSION_AT) & 0xffff;
  if (version !== DATA_VERSION)
    return `its format has version ${String(version)}, not ${String(DATA_VERSION)}`;
  const lastPage = page.readBigUInt64LE(LAST_PAGE_AT);
  const roots = [page.readBigUInt64LE(FREE_ROOT_AT), page.readBigUInt64LE(MAIN_ROOT_AT)];
  if (roots.some((root) => root !== NO_PAGE && root > lastPage))
    return 'its header names pages it does not have';
  return {
    pageSize: page.readUInt32LE(PAGE_SIZE_AT),
    lastPage,
    lastRoot: roots.reduce((last, root) => (root !== NO_PAGE && root > last ? root : last), 0n),
    transaction: page.readBigUInt64LE(TRANSACTION_AT),
  };
};

const isPageSize = (size: number): boolean => size >= 512 && size <= 65_536 && (size & (size - 1)) === 0;

const sizeSentence = (size: number, needed: number): string =>
  `it has ${String(size)} bytes of at least ${String(needed)}: the end is missing`;

/** What the header says: damage in a sentence, or how many bytes the file may have. */
const readHeader = (descriptor: number): string | { readonly bytes: number } => {
  if (fs.fstatSync(descriptor).size === 0) return 'it is empty';
  const first = readMeta(descriptor, 0);
  if (typeof first === 'string') return first;
  if (!isPageSize(first.pageSize)) return 'its header is overwritten';
  const second = readMeta(descriptor, first.pageSize);
  if (typeof second === 'string') return second;
  if (second.pageSize !== first.pageSize) return 'its two headers contradict each other';
  const { lastPage, lastRoot } = first.transaction > second.transaction ? first : second;
  const bytesTo = (page: bigint): number => Number((page + 1n) * BigInt(first.pageSize));
  // Asked after the headers were read: a server that writes the file lets it grow before they say so.
  const { size } = fs.fstatSync(descriptor);
  // Pages are written whole.
  const isCut = size < bytesTo(lastRoot) || (size < bytesTo(lastPage) && size % first.pageSize !== 0);
  return isCut ? sizeSentence(size, bytesTo(lastPage)) : { bytes: bytesTo(lastPage) };
};

/** Whether everything in the file can be read: only another process can tell, since this one would end. */
const canBeRead = (file: string): boolean =>
  spawnSync(process.execPath, [READ_WHOLE, file], { stdio: 'ignore' }).status === 0;

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
    if (!readOnly) fs.ftruncateSync(descriptor, header.bytes);
  } finally {
    fs.closeSync(descriptor);
  }
};
