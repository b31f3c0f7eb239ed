import type { Database } from 'lmdb';
import { LRUCache } from 'lru-cache';

/** Bounds memory; what is left out is read each time. Documents take about as much again beside their bytes. */
const BYTES_TOGETHER = 16 * 1024 * 1024;

/** A document that is shorter takes less time to read than is worth remembering it. */
const LONG_BYTES = 2 * 1024;

const isSame = (bytes: Buffer, stored: Buffer, length: number): boolean =>
  bytes.length === length && bytes.compare(stored, 0, length) === 0;

/**
 * Finds documents of which there are very many, and few of them long, as those of products are that have many dated
 * adjustments: only long ones are remembered. Their bytes are looked up every time and compared with those that were
 * read, so it never answers what is no longer stored. Documents are shared between callers, which must not change them.
 *
 * @param decode reads the beginning of a buffer, up to a length.
 */
export const createLongDocuments = <A extends object>(
  table: Database<A, Buffer>,
  decode: (bytes: Buffer, length: number) => A,
): ((key: Buffer) => A | undefined) => {
  const remembered = new LRUCache<string, { readonly bytes: Buffer; readonly document: A }>({
    maxSize: BYTES_TOGETHER,
    sizeCalculation: ({ bytes }) => bytes.length,
  });

  return (key) => {
    // One buffer of lmdb for all look-ups, whose length is that of the value: good until the next look-up.
    const stored = table.getBinaryFast(key);
    if (stored === undefined) return undefined;
    const { length } = stored;
    if (length < LONG_BYTES) return decode(stored, length);
    const name = key.toString('latin1');
    const known = remembered.get(name);
    if (known !== undefined && isSame(known.bytes, stored, length)) return known.document;
    const document = decode(stored, length);
    remembered.set(name, { bytes: Buffer.from(stored.subarray(0, length)), document });
    return document;
  };
};
