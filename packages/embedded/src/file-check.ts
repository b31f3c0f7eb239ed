/**
 * Looks at the header of an LMDB file before LMDB does: on a file that was cut or overwritten, LMDB itself ends
 * the process with a signal instead of an error.
 */
import fs from 'node:fs';
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

interface Meta {
  readonly pageSize: number;
  readonly lastPage: bigint;
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
    transaction: page.readBigUInt64LE(TRANSACTION_AT),
  };
};

const isPageSize = (size: number): boolean => size >= 512 && size <= 65_536 && (size & (size - 1)) === 0;

const findDamage = (descriptor: number): string | undefined => {
  const { size } = fs.fstatSync(descriptor);
  if (size === 0) return 'it is empty';
  const first = readMeta(descriptor, 0);
  if (typeof first === 'string') return first;
  if (!isPageSize(first.pageSize)) return 'its header is overwritten';
  const second = readMeta(descriptor, first.pageSize);
  if (typeof second === 'string') return second;
  if (second.pageSize !== first.pageSize) return 'its two headers contradict each other';
  const { lastPage } = first.transaction > second.transaction ? first : second;
  const needed = (lastPage + 1n) * BigInt(first.pageSize);
  return BigInt(size) < needed
    ? `it has ${String(size)} bytes of at least ${String(needed)}: the end is missing`
    : undefined;
};

/**
 * Checks a file that may be missing.
 *
 * @throws Damage
 */
export const checkFile = (file: string): void => {
  if (!fs.existsSync(file)) return;
  const descriptor = fs.openSync(file, 'r');
  try {
    const damage = findDamage(descriptor);
    if (damage !== undefined) throw new Damage(file, damage);
  } finally {
    fs.closeSync(descriptor);
  }
};
