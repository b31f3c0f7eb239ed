/** What is told of an entry that is not what the events say. */
import type { PriceBookId } from '@pricebook/domain';
import type { ChainFault } from '../hash-chain';
import type { EntryKey, KnownEntry, UnknownEntry } from '../ports/read-model-entries';
import { latestRevisionIn, sameValue } from './compare-entries';

/** Where the read model and the events differ. */
export interface Difference {
  /**
   * `stale`: the read model has what an earlier revision left; `changed`: it has what no event says; `missing` and
   * `extra`: it lacks what events say, or has what none does.
   */
  readonly kind: 'changed' | 'stale' | 'missing' | 'extra';
  readonly entry: EntryKey | UnknownEntry;
  /** The part of a price book that differs, such as `name` or `percent USD`; absent for the whole. */
  readonly part?: string;
  /** The name of its book, as far as it is known. */
  readonly bookName: string | undefined;
  readonly inReadModel?: unknown;
  readonly byEvents?: unknown;
  /** What is wrong with the entry in itself. */
  readonly fault?: string;
}

/** A book that exists while the one that it has as its base does not. */
export interface BaseGone {
  readonly kind: 'base gone';
  readonly priceBookId: PriceBookId;
  readonly bookName: string | undefined;
  readonly basePriceBookId: PriceBookId;
  readonly wasDeleted: boolean;
}

/** Two books exist with one key. */
export interface KeyShared {
  readonly kind: 'key shared';
  readonly key: string;
  /** The older one first. */
  readonly priceBookIds: readonly [PriceBookId, PriceBookId];
}

/** An event that is not what was written. */
export interface BrokenChain extends ChainFault {
  readonly kind: 'broken chain';
}

export type Finding = Difference | BaseGone | KeyShared | BrokenChain;

const PERCENT = 'percent ';
const PERCENTS = 'revision of its percents';
const OTHERS = 'other fields';

/** A price book in parts that are told of one by one. */
const partsOf = (book: unknown): ReadonlyMap<string, unknown> => {
  const {
    revision,
    updatedAt,
    created,
    name,
    description,
    key,
    metadata,
    lifecycle,
    allProducts,
    ...others
  } = (book ?? {}) as Readonly<Record<string, unknown>>;
  const { cells, ...about } = (allProducts ?? {}) as Readonly<Record<string, unknown>>;
  return new Map<string, unknown>([
    ['name', name],
    ['description', description],
    ['key', key],
    ['metadata', metadata],
    ['creation', created],
    ['deletions', lifecycle],
    ...Object.entries(cells ?? {}).map(([currency, cell]) => [PERCENT + currency, cell] as const),
    [PERCENTS, about],
    ['revision', { revision, updatedAt }],
    [OTHERS, others],
  ]);
};

const kindOf = (live: unknown, expected: unknown): 'changed' | 'stale' => {
  const [found, last] = [latestRevisionIn(live), latestRevisionIn(expected)];
  return found !== undefined && last !== undefined && found < last ? 'stale' : 'changed';
};

const bookDifferences = (live: KnownEntry, expected: KnownEntry): readonly Omit<Difference, 'bookName'>[] => {
  const [found, right] = [partsOf(live.value), partsOf(expected.value)];
  const parts = [...new Set([...found.keys(), ...right.keys()])].filter(
    (part) => !sameValue(found.get(part), right.get(part)),
  );
  const hasPercents = parts.some((part) => part.startsWith(PERCENT));
  return (
    parts
      // It goes with the percents that have been told of.
      .filter((part) => part !== PERCENTS || !hasPercents)
      .map((part) => {
        const [inReadModel, byEvents] = [found.get(part), right.get(part)];
        // What is not there at all, beside a book that has later events, is of an earlier revision as well.
        const kind =
          part.startsWith(PERCENT) && inReadModel === undefined ? 'stale' : kindOf(inReadModel, byEvents);
        return { kind, entry: live, part, inReadModel, byEvents };
      })
  );
};

/**
 * The differences between an entry of the live read model and what the events say; at least one of them.
 *
 * @param bookName by the events.
 */
export const differencesOf = (
  key: EntryKey,
  live: KnownEntry | undefined,
  expected: KnownEntry | undefined,
  bookName: string | undefined,
): readonly Difference[] => {
  const told = { entry: key, bookName, inReadModel: live?.value, byEvents: expected?.value };
  if (live === undefined) return [{ ...told, kind: 'missing' }];
  if (live._tag === 'PriceBook' && expected !== undefined) {
    const parts = bookDifferences(live, expected);
    if (parts.length > 0) return parts.map((part) => ({ ...part, entry: key, bookName }));
  }
  if (live.fault !== undefined) return [{ ...told, kind: 'changed', fault: live.fault }];
  if (expected === undefined) return [{ ...told, kind: 'extra' }];
  if (live._tag === 'Cell' && sameValue(live.value, expected.value)) {
    const fault = `stands for revision ${String(live.revision)}, which is not that of its last change`;
    return [{ ...told, kind: 'changed', fault }];
  }
  return [{ ...told, kind: kindOf(live.value, expected.value) }];
};
