/**
 * Checks the whole file of an event store without LMDB: all pages, every event against its checksum, positions without
 * gaps, and that each stream has the events that are its own.
 */
import fs from 'node:fs';
import { Damage } from './damage';
import { REVISION_BYTES } from './event-log';
import { CHECKSUM_BYTES, isAsWritten, type RecordBody } from './event-record';
import { type Header, readHeaders, type Tree, writeTransaction } from './file-header';
import { byBytes, byNumber, PageDamage, walkPages } from './page-check';
import { readPages } from './page-file';

export interface CheckedEvents {
  readonly id: string;
  readonly events: number;
  readonly bytes: number;
}

const INTEGER_KEYS = 0x08;
const EMPTY: Tree = {
  flags: 0,
  depth: 0,
  branchPages: 0,
  leafPages: 0,
  overflowPages: 0,
  entries: 0,
  root: undefined,
};

/** A sum over the events that are meant, by stream, revision and position; the same in whatever order they come. */
const createSum = () => {
  let sum = 0;
  let mixed = 0;
  return {
    /** @param bytes hold the name of the stream from one place to another. */
    add: (bytes: Buffer, from: number, to: number, revision: number, position: number): void => {
      // FNV-1a: for so few bytes a call of a faster one costs more.
      let hash = 0x811c9dc5 ^ position;
      for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
      hash = Math.imul(hash ^ revision, 0x01000193);
      hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
      sum = (sum + hash) | 0;
      mixed ^= Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
    },
    value: (): string => `${String(sum)} ${String(mixed)}`,
  };
};
type Sum = ReturnType<typeof createSum>;

const BEGIN = Buffer.from('{"stream":"');
const BETWEEN = Buffer.from('","revision":');
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const ZERO = 0x30;

/** Adds an event, by the beginning of its record. */
const addRecord = (sum: Sum, record: Buffer, position: number): void => {
  const name = CHECKSUM_BYTES + BEGIN.length;
  let end = name;
  while (end < record.length && record[end] !== QUOTE && record[end] !== BACKSLASH) end += 1;
  if (record[end] === QUOTE) {
    let revision = 0;
    for (let at = end + BETWEEN.length; record[at] !== COMMA && at < record.length; at += 1) {
      revision = revision * 10 + (record[at] ?? 0) - ZERO;
    }
    sum.add(record, name, end, revision, position);
    return;
  }
  const { stream, revision } = JSON.parse(record.toString('utf8', CHECKSUM_BYTES)) as RecordBody;
  const bytes = Buffer.from(stream, 'utf8');
  sum.add(bytes, 0, bytes.length, revision, position);
};

/** A position as lmdb keeps it: a number in msgpack. */
const decodePosition = (value: Buffer): number => {
  const [kind = 0xff] = value;
  if (kind < 0x80) return kind;
  if (kind === 0xcc) return value.readUInt8(1);
  if (kind === 0xcd) return value.readUInt16BE(1);
  if (kind === 0xce) return value.readUInt32BE(1);
  throw new PageDamage('a stream has an event that is no number');
};

/** Checks what a header names; `damageOf` tells what it fails with. */
export const checkSnapshot = (
  descriptor: number,
  header: Header,
): { readonly id: string; readonly events: number } => {
  const walk = walkPages(readPages(descriptor, header.pageSize), header);
  if (header.main.flags !== 0) throw new PageDamage('the table of names is of another kind');
  const trees = walk.named();
  const [log, streams, about] = ['log', 'streams', 'about'].map((name) => {
    // A store that was cut off while it was made has none, and no events.
    const tree = trees.get(name) ?? EMPTY;
    if (tree !== EMPTY && tree.flags !== (name === 'log' ? INTEGER_KEYS : 0))
      throw new PageDamage(`the table ${name} is of another kind`);
    return tree;
  }) as [Tree, Tree, Tree];

  let last = 0;
  const logged = createSum();
  walk.tree('log', log, byNumber, 4, (key, record) => {
    const position = key.readUInt32LE();
    if (position !== last + 1) throw new PageDamage(`the event at position ${String(last + 1)} is missing`);
    last = position;
    if (!isAsWritten(record, position)) {
      throw new PageDamage(`the event at position ${String(position)} is not as it was written`);
    }
    addRecord(logged, record, position);
  });
  const indexed = createSum();
  walk.tree('streams', streams, byBytes, undefined, (key, value) => {
    const name = key.length - REVISION_BYTES - 1;
    if (name < 1 || key[name] !== 0) throw new PageDamage('a stream has an event without a revision');
    indexed.add(key, 0, name, key.readUIntBE(name + 1, REVISION_BYTES), decodePosition(value));
  });
  if (logged.value() !== indexed.value() || log.entries !== streams.entries) {
    throw new PageDamage('the streams have not the events that are theirs');
  }
  let id = '';
  walk.tree('about', about, byBytes, undefined, (key, value) => {
    if (key.toString('utf8').replace(/\0+$/, '') === 'id') id = value.toString('utf8');
  });
  // The first version of this service gave none: such a store gets its id when it is opened.
  const isOfFirstVersion = trees.size === 2 && log !== EMPTY && streams !== EMPTY;
  if (id === '' && last > 0 && !isOfFirstVersion) throw new PageDamage('its id is missing');
  for (const [name, tree] of trees) {
    if (['log', 'streams', 'about'].includes(name)) continue;
    const order = (tree.flags & INTEGER_KEYS) === 0 ? byBytes : byNumber;
    walk.tree(name, tree, order, undefined, () => undefined);
  }
  walk.free();
  return { id, events: last };
};

/** Who has written the root of the tree of names, which each transaction does; 0 where there is none. */
const writerOf = (descriptor: number, { main, pageSize, lastPage }: Header): number => {
  if (main.root === undefined || main.root > lastPage) return 0;
  const page = readPages(descriptor, pageSize).read(main.root);
  return page.length < 16 ? 0 : Number(page.readBigUInt64LE(8));
};

/**
 * The header that counts. Each is of the transaction that it says, and the pages of the earlier one are still there. An
 * earlier one whose pages are of a later transaction was either the last, and has been damaged; or LMDB could not write
 * it whole, and has put its number back. Where all that it names is there, nobody can tell: then it counts, since those
 * events may have been acknowledged. Where it is not, it cannot have been the last.
 */
const findLast = (
  descriptor: number,
  newest: Header,
  older: Header,
): { readonly header: Header; readonly isPutBack: boolean } => {
  const { transaction } = newest;
  if (transaction > 0 && writerOf(descriptor, newest) !== transaction) {
    throw new PageDamage('its header is not of the last transaction');
  }
  if (transaction > 0 && transaction - older.transaction !== 1) {
    throw new PageDamage('its two headers are not of transactions that follow one another');
  }
  if (writerOf(descriptor, older) === transaction + 1) {
    const header = { ...older, transaction: transaction + 1 };
    try {
      checkSnapshot(descriptor, header);
      return { header, isPutBack: true };
    } catch (failure) {
      if (!(failure instanceof PageDamage || failure instanceof RangeError)) throw failure;
    }
  }
  return { header: newest, isPutBack: false };
};

/** What was thrown over a file, as damage to it where it is that. */
export const damageOf = (file: string, failure: unknown): unknown => {
  if (failure instanceof PageDamage) return new Damage(file, failure.message);
  // A number that leads out of a page.
  return failure instanceof RangeError || failure instanceof SyntaxError
    ? new Damage(file, `something in it is overwritten (${failure.message})`)
    : failure;
};

/** Gives a header its number, unless the headers are others by now: then a tool appends, and nothing is to be put right. */
const giveNumber = (
  descriptor: number,
  { newest, older }: { readonly newest: Header; readonly older: Header },
  header: Header,
): void => {
  const now = readHeaders(descriptor);
  const isSame =
    typeof now !== 'string' &&
    now.newest.transaction === newest.transaction &&
    now.older.transaction === older.transaction;
  if (!isSame) throw new PageDamage('its headers change while it is read');
  writeTransaction(descriptor, header);
};

/**
 * @param file of a store that nobody writes meanwhile.
 * @param repair whether a header that has lost its number is given it again.
 * @throws Damage
 */
export const checkEvents = (file: string, repair = false): CheckedEvents => {
  const descriptor = fs.openSync(file, repair ? 'r+' : 'r');
  try {
    const headers = readHeaders(descriptor);
    if (typeof headers === 'string') throw new PageDamage(headers);
    const { header, isPutBack } = findLast(descriptor, headers.newest, headers.older);
    if (isPutBack && !repair)
      throw new PageDamage('its last header has lost its number; a start gives it again');
    if (isPutBack) giveNumber(descriptor, headers, header);
    return { ...checkSnapshot(descriptor, header), bytes: fs.fstatSync(descriptor).size };
  } catch (failure) {
    throw damageOf(file, failure);
  } finally {
    fs.closeSync(descriptor);
  }
};
