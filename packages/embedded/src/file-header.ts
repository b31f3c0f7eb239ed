/** The two headers of an LMDB file, of the LMDB that the lmdb package brings. Each begins a page; the later one counts. */
import fs from 'node:fs';

/** What LMDB calls a database: a tree of pages. */
export interface Tree {
  readonly flags: number;
  readonly depth: number;
  readonly branchPages: number;
  readonly leafPages: number;
  readonly overflowPages: number;
  readonly entries: number;
  /** The page it begins with; undefined where it is empty. */
  readonly root: number | undefined;
}

export interface Header {
  readonly pageSize: number;
  /** The tree of the pages that are not used, and the tree of the trees that have names. */
  readonly free: Tree;
  readonly main: Tree;
  /** The last page that was ever taken into use. */
  readonly lastPage: number;
  readonly transaction: number;
  /** How much memory LMDB reserves for the file: never less than it has pages. */
  readonly mapBytes: number;
  /** As it stands in the file: LMDB soon writes another in its place. */
  readonly bytes: Buffer;
}

const FLAGS_AT = 18;
const META_FLAG = 0x08;
const MAGIC_AT = 24;
const MAGIC = 0xbeefc0de;
const VERSION_AT = 28;
const DATA_VERSION = 2;
const MAP_SIZE_AT = 40;
const FREE_AT = 48;
const MAIN_AT = 96;
const LAST_PAGE_AT = 144;
const TRANSACTION_AT = 152;
/** The smallest page; what LMDB writes of a header is far shorter. */
const HEADER_BYTES = 512;
export const TREE_BYTES = 48;
/** The root of an empty tree. */
const NO_PAGE = 0xffffffffffffffffn;
/** No file is so large; a number beyond it is no number of anything. */
const MOST = 2 ** 52;

const numberAt = (bytes: Buffer, at: number): number => {
  const found = Number(bytes.readBigUInt64LE(at));
  return found <= MOST ? found : Infinity;
};

/** A tree's record, in a header or in the tree of names. */
export const readTree = (bytes: Buffer, at: number): Tree => ({
  flags: bytes.readUInt16LE(at + 4),
  depth: bytes.readUInt16LE(at + 6),
  branchPages: numberAt(bytes, at + 8),
  leafPages: numberAt(bytes, at + 16),
  overflowPages: numberAt(bytes, at + 24),
  entries: numberAt(bytes, at + 32),
  root: bytes.readBigUInt64LE(at + 40) === NO_PAGE ? undefined : numberAt(bytes, at + 40),
});

const isPageSize = (size: number): boolean => size >= 512 && size <= 65_536 && (size & (size - 1)) === 0;

/** A header, or what is wrong with it. */
const readHeader = (descriptor: number, offset: number): Header | string => {
  const page = Buffer.alloc(HEADER_BYTES);
  if (fs.readSync(descriptor, page, 0, HEADER_BYTES, offset) < HEADER_BYTES) return 'its header is cut off';
  if ((page.readUInt16LE(FLAGS_AT) & META_FLAG) === 0 || page.readUInt32LE(MAGIC_AT) !== MAGIC) {
    return 'its header is overwritten';
  }
  const version = page.readUInt32LE(VERSION_AT) & 0xffff;
  if (version !== DATA_VERSION) {
    return `its format has version ${String(version)}, not ${String(DATA_VERSION)}`;
  }
  // In the tree of free pages the size of a page stands where other trees have nothing.
  const pageSize = page.readUInt32LE(FREE_AT);
  if (!isPageSize(pageSize)) return 'its header is overwritten';
  return {
    pageSize,
    free: readTree(page, FREE_AT),
    main: readTree(page, MAIN_AT),
    lastPage: numberAt(page, LAST_PAGE_AT),
    transaction: numberAt(page, TRANSACTION_AT),
    mapBytes: numberAt(page, MAP_SIZE_AT),
    bytes: page,
  };
};

/** The headers of a file, the later one first; or what is wrong with them. */
export const readHeaders = (
  descriptor: number,
): { readonly newest: Header; readonly older: Header } | string => {
  if (fs.fstatSync(descriptor).size === 0) return 'it is empty';
  const first = readHeader(descriptor, 0);
  if (typeof first === 'string') return first;
  const second = readHeader(descriptor, first.pageSize);
  if (typeof second === 'string') return second;
  if (second.pageSize !== first.pageSize || second.free.flags !== first.free.flags) {
    return 'its two headers contradict each other';
  }
  const [newest, older] = first.transaction > second.transaction ? [first, second] : [second, first];
  const { lastPage, pageSize, mapBytes, free, main } = newest;
  if (mapBytes === Infinity || (lastPage + 1) * pageSize > mapBytes) return 'its header is overwritten';
  if ([free.root, main.root].some((root) => root !== undefined && root > lastPage)) {
    return 'its header names pages it does not have';
  }
  return { newest, older };
};

/** Gives a header its number; it stands where its number says. */
export const writeTransaction = (descriptor: number, { pageSize, transaction }: Header): void => {
  const number = Buffer.alloc(8);
  number.writeBigUInt64LE(BigInt(transaction));
  fs.writeSync(descriptor, number, 0, number.length, (transaction % 2) * pageSize + TRANSACTION_AT);
  fs.fsyncSync(descriptor);
};

/** Writes a header twice, as of its transaction and of the one before: into a copy of the pages that it names. */
export const writeHeader = (to: number, { pageSize, transaction, bytes }: Header): void => {
  const page = Buffer.alloc(pageSize);
  bytes.copy(page);
  for (const place of [0, 1]) {
    // Before the first transaction both are of none.
    const number = place === transaction % 2 ? transaction : Math.max(0, transaction - 1);
    page.writeBigUInt64LE(BigInt(place), 0);
    page.writeBigUInt64LE(BigInt(number), TRANSACTION_AT);
    fs.writeSync(to, page, 0, pageSize, place * pageSize);
  }
};
