import type { Database } from 'lmdb';
import { LRUCache } from 'lru-cache';

/** Bound memory; what is left out is parsed each time. */
const REMEMBERED = 1_000;
const MAX_BYTES = 16 * 1024;

/** What was looked up, whether or not it is there. */
export interface Found<A> {
  readonly key: Buffer;
  readonly document: A | undefined;
}

interface Parsed<A> extends Found<A> {
  readonly bytes: Buffer;
}

/**
 * Reads JSON documents that are asked for again and again, and parses each only once for as long as it stays what it
 * is. Its bytes are read every time and compared with those that were parsed, so it never answers what is stored no
 * more, whoever has written since. Documents are shared between callers: nobody may change one.
 */
export const createParsedDocuments = <A>(
  table: Database<A, Buffer>,
  keyOf: (name: string) => Buffer,
): ((name: string) => Found<A>) => {
  const parsed = new LRUCache<string, Parsed<A>>({ max: REMEMBERED });

  return (name) => {
    const known = parsed.get(name);
    const key = known?.key ?? keyOf(name);
    // One buffer of lmdb for all look-ups, whose length is that of the value: good until the next look-up.
    const stored = table.getBinaryFast(key);
    if (stored === undefined) return { key, document: undefined };
    const { length } = stored;
    if (known?.bytes.length === length && known.bytes.compare(stored, 0, length) === 0) return known;
    const bytes = Buffer.from(stored.subarray(0, length));
    const found = { key, bytes, document: JSON.parse(bytes.toString('utf8')) as A };
    if (length <= MAX_BYTES) parsed.set(name, found);
    return found;
  };
};
