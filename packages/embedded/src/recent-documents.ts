import { asBinary, type Database } from 'lmdb';
import { LRUCache } from 'lru-cache';

/** Bounds of memory; what is beyond is looked up each time. */
export interface RecentLimits {
  readonly documents: number;
  /** Of their JSON. Parsed, and with what is kept beside it, a document takes some three times as much. */
  readonly bytes: number;
}

/** A document, or that there is none. */
interface Found<A> {
  readonly document: A | undefined;
}

export interface RecentDocuments<A> {
  /** @param toKey makes the key of the table of the name. */
  readonly find: (name: string, toKey: () => Buffer) => A | undefined;
  /** To be called within a transaction or a batch. Until `settle` readers find what is stored, before it or after it. */
  readonly put: (name: string, key: Buffer, document: A) => void;
  /** To be called when what was put is committed, or will never be, and look-ups see that. */
  readonly settle: (isCommitted: boolean) => void;
}

/** What a document takes beside its JSON, or an absent one in all: its name and its place. */
const BESIDE = 64;

/**
 * Remembers the documents that were found last, so that what is asked for again and again is neither looked up nor
 * parsed: for the only process that writes the table. While that writes, nothing new is remembered, since a look-up may
 * find what was there before. Documents are shared between callers, which must not change them.
 */
export const createRecentDocuments = <A extends object>(
  table: Database<A, Buffer>,
  { documents, bytes }: RecentLimits,
): RecentDocuments<A> => {
  const recent = new LRUCache<string, Found<A>>({ max: documents, maxSize: bytes });
  const remember = (name: string, document: A | undefined, length: number): void => {
    recent.set(name, { document }, { size: BESIDE + name.length + length });
  };
  let isSettled = true;
  /** What was put of what is remembered, to be remembered again. */
  let known: Parameters<typeof remember>[] = [];

  return {
    find: (name, toKey) => {
      const found = recent.get(name);
      if (found !== undefined) return found.document;
      // One buffer of lmdb for all look-ups, whose length is that of the value: good until the next look-up.
      const stored = table.getBinaryFast(toKey());
      const length = stored?.length ?? 0;
      const document = stored && (JSON.parse(stored.toString('utf8', 0, length)) as A);
      if (isSettled) remember(name, document, length);
      return document;
    },
    put: (name, key, document) => {
      const stored = Buffer.from(JSON.stringify(document));
      // lmdb writes bytes as they are to a table of any encoding, which its types do not say.
      void table.put(key, asBinary(stored) as never);
      isSettled = false;
      if (recent.delete(name)) known.push([name, document, stored.length]);
    },
    settle: (isCommitted) => {
      if (isCommitted) for (const one of known) remember(...one);
      known = [];
      isSettled = true;
    },
  };
};
