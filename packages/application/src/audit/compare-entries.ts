/** Whether an entry of the live read model is what the events say. */
import { entryName, type EntriesByName, type EntryKey, type KnownEntry } from '../ports/read-model-entries';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Deep equality of what JSON can hold. A field that is undefined is the same as none: not every store keeps it. */
export const sameValue = (one: unknown, other: unknown): boolean => {
  if (one === other) return true;
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return false;
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((field) =>
    sameValue(one[field], other[field]),
  );
};

/** The highest revision that a value names, wherever in it; undefined where it names none. */
export const latestRevisionIn = (value: unknown): number | undefined => {
  if (!isObject(value)) return undefined;
  let latest: number | undefined;
  for (const [field, part] of Object.entries(value)) {
    // Of another book.
    if (field === 'clonedFrom') continue;
    const found = field === 'revision' && typeof part === 'number' ? part : latestRevisionIn(part);
    if (found !== undefined && (latest === undefined || found > latest)) latest = found;
  }
  return latest;
};

/** The revision of its book that an entry is of, at least. */
export const revisionOf = (entry: KnownEntry): number => {
  switch (entry._tag) {
    case 'PriceBook':
      return latestRevisionIn(entry.value) ?? 0;
    case 'Derived':
      return 0;
    case 'Cell':
      return Math.max(entry.revision, latestRevisionIn(entry.value) ?? 0);
    case 'Boundary':
      return entry.value.revision;
    case 'Row':
      return Math.max(entry.revision, latestRevisionIn(entry.value) ?? 0);
  }
};

/** The revision up to which the replayed events of a book have come; -1 before its first. */
export const bookRevision = (entries: EntriesByName, { priceBookId }: EntryKey): number => {
  const book = entries.get(entryName({ _tag: 'PriceBook', priceBookId }));
  return book?._tag === 'PriceBook' ? book.value.revision : -1;
};

/**
 * Compares an entry of the live read model with that of the replay.
 *
 * @param revision how far the replay has come with the book. No later event can have made a live entry that is of
 *   no later revision: it has to be that of the replay. One of a later revision is ahead of the replay, and cannot
 *   be told from it alone.
 */
export const compareEntries = (
  live: KnownEntry | undefined,
  replayed: KnownEntry | undefined,
  revision: number,
): 'same' | 'different' | 'ahead' => {
  if (live === undefined) return replayed === undefined ? 'same' : 'different';
  if (live.fault !== undefined) return 'different';
  if (revisionOf(live) > revision) return 'ahead';
  return replayed !== undefined && isOf(live, replayed) ? 'same' : 'different';
};

/** Whether a live entry is the same as one that follows from the events. */
export const isOf = (live: KnownEntry, expected: KnownEntry): boolean =>
  sameValue(live.value, expected.value) &&
  // A lower one would let changes that were applied before in once more.
  (live._tag !== 'Cell' || live.revision >= (latestRevisionIn(expected.value) ?? 0));
