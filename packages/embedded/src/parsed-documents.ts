import { asBinary, type Database } from 'lmdb';
import { LRUCache } from 'lru-cache';

/** Bound memory; what is left out is parsed each time. Parsed, documents take about twice their bytes beside these. */
const REMEMBERED = 1_000;
const BYTES_TOGETHER = 16 * 1024 * 1024;

/** A document that is shorter takes less time to parse than is worth remembering it. */
const LONG_BYTES = 2 * 1024;

/** What was looked up, whether or not it is there. */
export interface Found<A> {
  readonly key: Buffer;
  readonly document: A | undefined;
}

interface Parsed<A> extends Found<A> {
  readonly bytes: Buffer;
}

const isSame = (bytes: Buffer | undefined, stored: Buffer, length: number): boolean =>
  bytes?.length === length && bytes.compare(stored, 0, length) === 0;

export interface ParsedDocuments<A> {
  readonly find: (name: string) => Found<A>;
  /** To be called within a transaction or a batch. What is never committed is not found, since other bytes are stored. */
  readonly put: (name: string, key: Buffer, document: A) => void;
}

/**
 * Reads JSON documents that are asked for again and again, and parses each only once for as long as it stays what it
 * is: not at all after this process has written it. Its bytes are read every time and compared with those that were
 * parsed, so it never answers what is no longer stored, whichever process has written since. Documents are shared between
 * callers, which must not change them.
 */
export const createParsedDocuments = <A>(
  table: Database<A, Buffer>,
  keyOf: (name: string) => Buffer,
): ParsedDocuments<A> => {
  const parsed = new LRUCache<string, Parsed<A>>({
    max: REMEMBERED,
    maxSize: BYTES_TOGETHER,
    sizeCalculation: ({ bytes }) => bytes.length,
  });

  return {
    find: (name) => {
      const known = parsed.get(name);
      const key = known?.key ?? keyOf(name);
      // One buffer of lmdb for all look-ups, whose length is that of the value: good until the next look-up.
      const stored = table.getBinaryFast(key);
      if (stored === undefined) return { key, document: undefined };
      const { length } = stored;
      if (known !== undefined && isSame(known.bytes, stored, length)) return known;
      const bytes = Buffer.from(stored.subarray(0, length));
      const found = { key, bytes, document: JSON.parse(bytes.toString('utf8')) as A };
      parsed.set(name, found);
      return found;
    },
    put: (name, key, document) => {
      const bytes = Buffer.from(JSON.stringify(document));
      // lmdb writes bytes as they are to a table of any encoding, which its types do not say.
      void table.put(key, asBinary(bytes) as A);
      parsed.set(name, { key, bytes, document });
    },
  };
};

/**
 * The same for documents of which there are very many, and few of them long, as those of products are that have many
 * dated adjustments: only long ones are remembered.
 */
export const createLongDocuments = <A extends object>(
  table: Database<A, Buffer>,
): ((key: Buffer) => A | undefined) => {
  const parsed = new LRUCache<string, { readonly bytes: Buffer; readonly document: A }>({
    maxSize: BYTES_TOGETHER,
    sizeCalculation: ({ bytes }) => bytes.length,
  });

  return (key) => {
    const stored = table.getBinaryFast(key);
    if (stored === undefined) return undefined;
    const { length } = stored;
    const parse = () => JSON.parse(stored.toString('utf8', 0, length)) as A;
    if (length < LONG_BYTES) return parse();
    const name = key.toString('latin1');
    const known = parsed.get(name);
    if (known !== undefined && isSame(known.bytes, stored, length)) return known.document;
    const document = parse();
    parsed.set(name, { bytes: Buffer.from(stored.subarray(0, length)), document });
    return document;
  };
};
