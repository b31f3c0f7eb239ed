/**
 * Walks all pages of an LMDB file that are in use, as LMDB would, and checks everything on the way that LMDB takes for
 * granted. LMDB keeps no checksums: on a page that is damaged it ends the process, or finds less than there is.
 */
import { type Header, readTree, TREE_BYTES, type Tree } from './file-header';
import { type PageFile } from './page-file';

const HEADER = 24;
const NODE = 8;
const BRANCH = 0x01;
const LEAF = 0x02;
const OVERFLOW = 0x04;
const BIG = 0x01;
const SUB_TREE = 0x02;
/** LMDB makes no deeper ones. */
const MAX_DEPTH = 32;
const OVERFLOW_RECORD = 24;

/** Damage, in words to follow the name of the file. */
export class PageDamage extends Error {}

/** Compares two keys of a tree. */
export type Order = (a: Buffer, b: Buffer) => number;

export const byBytes: Order = (a, b) => Buffer.compare(a, b);
export const byNumber: Order = (a, b) =>
  a.length === 4 ? a.readUInt32LE() - b.readUInt32LE() : Number(a.readBigUInt64LE() - b.readBigUInt64LE());

/** What is to be done with each entry of a tree, in the order of the keys. The buffers are not to be kept. */
type Visit = (key: Buffer, value: Buffer) => void;

export interface Walk {
  /** Walks a tree; fails with PageDamage. */
  readonly tree: (name: string, tree: Tree, order: Order, keyBytes: number | undefined, visit: Visit) => void;
  /** The trees by their names. */
  readonly named: () => ReadonlyMap<string, Tree>;
  /** Walks the pages that are free. Only after all trees: none may be in use. Some may be lost. */
  readonly free: () => void;
}

export const walkPages = (file: PageFile, { pageSize, lastPage, transaction, main, free }: Header): Walk => {
  /** Pages that were met, a bit each. */
  const met = new Uint8Array(Math.ceil((lastPage + 1) / 8));

  const meet = (page: number): void => {
    const bit = 1 << (page & 7);
    const index = page >>> 3;
    if (((met[index] ?? 0) & bit) !== 0) throw new PageDamage(`page ${String(page)} is used twice`);
    met[index] = (met[index] ?? 0) | bit;
  };

  const refuse = (name: string, page: number, what: string): never => {
    throw new PageDamage(`page ${String(page)}, of the table ${name}, ${what}`);
  };

  const open = (name: string, page: number, count = 1): Buffer => {
    if (page < 2 || page + count - 1 > lastPage) refuse(name, page, 'does not exist');
    for (let one = page; one < page + count; one += 1) meet(one);
    const bytes = file.read(page, count);
    if (bytes.length < count * pageSize) refuse(name, page, 'is missing: the end of the file is');
    // The numbers are read in halves: that is faster than whole ones.
    const number = bytes.readUInt32LE(0) + bytes.readUInt32LE(4) * 2 ** 32;
    const writer = bytes.readUInt32LE(8) + bytes.readUInt32LE(12) * 2 ** 32;
    if (number !== page || writer > transaction) refuse(name, page, 'is another one');
    return bytes;
  };

  const walkTree: Walk['tree'] = (name, tree, order, keyBytes, visit) => {
    const found = { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 };
    let before: Buffer | undefined;

    const big = (page: number, value: Buffer, size: number): Buffer => {
      if (value.length < OVERFLOW_RECORD) refuse(name, page, 'has an entry that is cut off');
      const first = Number(value.readBigUInt64LE(0));
      const count = Math.ceil((HEADER + size) / pageSize);
      const bytes = open(name, first, count);
      if (bytes.readUInt16LE(18) !== OVERFLOW || bytes.readUInt32LE(20) !== count) {
        refuse(name, first, 'is of another kind');
      }
      if (Number(value.readBigUInt64LE(16)) !== count) refuse(name, page, 'has an entry of another size');
      found.overflowPages += count;
      return bytes.subarray(HEADER, HEADER + size);
    };

    /** @param low @param high the keys that the page above gives it. */
    const walk = (page: number, depth: number, low: Buffer | undefined, high: Buffer | undefined): void => {
      const bytes = open(name, page);
      const isLeaf = depth === tree.depth;
      if (bytes.readUInt16LE(18) !== (isLeaf ? LEAF : BRANCH)) refuse(name, page, 'is of another kind');
      const lower = bytes.readUInt16LE(20);
      const upper = bytes.readUInt16LE(22);
      if ((lower & 1) !== 0 || lower === 0 || lower > upper || upper > pageSize - HEADER) {
        refuse(name, page, 'has impossible bounds');
      }
      const count = lower >>> 1;
      if (isLeaf) found.leafPages += 1;
      else found.branchPages += 1;

      const keyOf = (index: number): { readonly node: number; readonly key: Buffer } => {
        const pointer = bytes.readUInt16LE(HEADER + 2 * index);
        const node = HEADER + pointer;
        if (pointer < upper || node + NODE > pageSize) refuse(name, page, 'has an entry outside of itself');
        const end = node + NODE + bytes.readUInt16LE(node + 6);
        if (end > pageSize) refuse(name, page, 'has a key outside of itself');
        const key = bytes.subarray(node + NODE, end);
        const isLowest = !isLeaf && index === 0;
        if (keyBytes !== undefined && !isLowest && key.length !== keyBytes) {
          refuse(name, page, 'has a key of another length');
        }
        return { node, key };
      };

      if (!isLeaf) {
        let entry = keyOf(0);
        for (let index = 0; index < count; index += 1) {
          const { node, key } = entry;
          const child =
            bytes.readUInt16LE(node) +
            bytes.readUInt16LE(node + 2) * 2 ** 16 +
            bytes.readUInt16LE(node + 4) * 2 ** 32;
          const next = index + 1 < count ? keyOf(index + 1) : undefined;
          walk(child, depth + 1, index === 0 ? low : key, next === undefined ? high : next.key);
          if (next !== undefined) entry = next;
        }
        return;
      }
      for (let index = 0; index < count; index += 1) {
        const { node, key } = keyOf(index);
        if (
          (before !== undefined && order(before, key) >= 0) ||
          (index === 0 && low !== undefined && order(low, key) > 0) ||
          (index === count - 1 && high !== undefined && order(key, high) >= 0)
        ) {
          refuse(name, page, 'has a key that is out of order');
        }
        before = key;
        const flags = bytes.readUInt16LE(node + 4);
        if ((flags & ~(BIG | SUB_TREE)) !== 0) refuse(name, page, 'has an entry of an unknown kind');
        const size = bytes.readUInt16LE(node) + bytes.readUInt16LE(node + 2) * 2 ** 16;
        const at = node + NODE + key.length;
        const isBig = (flags & BIG) !== 0;
        if (at + (isBig ? OVERFLOW_RECORD : size) > pageSize)
          refuse(name, page, 'has a value outside of itself');
        found.entries += 1;
        visit(key, isBig ? big(page, bytes.subarray(at), size) : bytes.subarray(at, at + size));
      }
    };

    if (tree.depth > MAX_DEPTH || (tree.root === undefined) !== (tree.depth === 0)) {
      throw new PageDamage(`what is said of the table ${name} contradicts itself`);
    }
    if (tree.root !== undefined) walk(tree.root, 1, undefined, undefined);
    for (const [what, count] of Object.entries(found)) {
      if (tree[what as keyof typeof found] !== count) {
        throw new PageDamage(`the table ${name} has not as much as it says`);
      }
    }
  };

  return {
    tree: walkTree,

    named: () => {
      const trees = new Map<string, Tree>();
      walkTree('of names', main, byBytes, undefined, (key, value) => {
        if (value.length !== TREE_BYTES) throw new PageDamage('the table of names holds something else');
        trees.set(key.toString('utf8').replace(/\0+$/, ''), readTree(value, 0));
      });
      return trees;
    },

    free: () => {
      const freed: number[] = [];
      walkTree('of free pages', free, byNumber, 8, (key, value) => {
        if (Number(key.readBigUInt64LE()) > transaction || value.length < 8) {
          throw new PageDamage('the table of free pages holds something else');
        }
        const count = Number(value.readBigUInt64LE());
        if (8 * (count + 1) > value.length)
          throw new PageDamage('the table of free pages holds something else');
        for (let index = 1; index <= count; index += 1) {
          const entry = Number(value.readBigInt64LE(8 * index));
          if (entry >= 0) {
            if (entry > 0) freed.push(entry);
            continue;
          }
          // A row of pages: how many, and the first.
          index += 1;
          const first = index <= count ? Number(value.readBigInt64LE(8 * index)) : -1;
          if (-entry > lastPage) throw new PageDamage('the table of free pages names others');
          for (let page = first; page < first - entry; page += 1) freed.push(page);
        }
      });
      for (const page of freed) {
        if (page < 2 || page > lastPage) throw new PageDamage('the table of free pages names others');
        meet(page);
      }
    },
  };
};
