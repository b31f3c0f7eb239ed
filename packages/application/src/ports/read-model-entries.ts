/** What a read model keeps, entry by entry and alike for every adapter: for those who compare two of them. */
import type { Cell, Currency, PriceBookId, ProductId, Stamp } from '@pricebook/domain';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { Holder } from '../projection/changes';
import type { HistoryRow } from '../projection/holdings-document';
import type { PriceBookDocument } from '../projection/price-book-document';
import type { StoreError } from './store-error';

export interface PriceBookKey {
  readonly _tag: 'PriceBook';
  readonly priceBookId: PriceBookId;
}

/** That a book is found where the books are asked for that have another one as their base. */
interface DerivedKey {
  readonly _tag: 'Derived';
  readonly priceBookId: PriceBookId;
  readonly basePriceBookId: PriceBookId;
}

/** What a product has in a currency. */
interface CellKey {
  readonly _tag: 'Cell';
  readonly priceBookId: PriceBookId;
  readonly productId: ProductId;
  readonly currency: Currency;
}

/** A row of the history of a product, or of what a book has for all products. */
interface RowKey {
  readonly _tag: 'Row';
  readonly priceBookId: PriceBookId;
  readonly holder: Holder;
  readonly currency: HistoryRow['currency'];
  readonly revision: number;
  /** No part of what tells rows apart, but a help to find one. */
  readonly occurredAt: Stamp['occurredAt'];
}

/** That something begins or ends, or was to, at an instant: see `boundariesIn`. */
export interface BoundaryKey {
  readonly _tag: 'Boundary';
  readonly priceBookId: PriceBookId;
  readonly holder: Holder;
  readonly currency: Currency;
  /** ISO 8601, UTC. */
  readonly at: string;
}

export type EntryKey = PriceBookKey | DerivedKey | CellKey | RowKey | BoundaryKey;

interface Kept<Value> {
  readonly value: Value;
  /** What the adapter finds wrong with the entry, where it is not as this version writes it; words to follow `it`. */
  readonly fault?: string;
}

export type PriceBookEntry = PriceBookKey & Kept<PriceBookDocument>;
type DerivedEntry = DerivedKey & Kept<true>;
export type CellEntry = CellKey &
  Kept<Cell> & {
    /** The revision that the adapter keeps with it: that of its last change, or of a later one of the product. */
    readonly revision: number;
  };
export type RowEntry = RowKey & Kept<HistoryRow>;
type BoundaryEntry = BoundaryKey & Kept<Pick<Stamp, 'revision'>>;

/** Something of which this version cannot tell what it is. */
export interface UnknownEntry {
  readonly _tag: 'Unknown';
  readonly name: string;
}

export type KnownEntry = PriceBookEntry | DerivedEntry | CellEntry | RowEntry | BoundaryEntry;
export type ReadModelEntry = KnownEntry | UnknownEntry;

/** Entries by their names. */
export type EntriesByName = ReadonlyMap<string, KnownEntry>;

export interface ReadModelEntries {
  /**
   * A walk over all entries, in pages, in an order of the adapter's own. What is there from its beginning to its end
   * comes at least once, as it was at some time since the beginning. Fails with a `StoreError` as the reason.
   */
  readonly entries: () => AsyncIterable<readonly ReadModelEntry[]>;

  /** Some entries as they are now; those that are not there are not in the map. */
  readonly findEntries: (keys: readonly EntryKey[]) => TaskEither<StoreError, EntriesByName>;
}

/** Tells an entry from all others. The holder comes last: it may hold any text. */
export const entryName = (key: EntryKey): string => {
  switch (key._tag) {
    case 'PriceBook':
      return `book/${key.priceBookId}`;
    case 'Derived':
      return `derived/${key.priceBookId}/${key.basePriceBookId}`;
    case 'Cell':
      return `held/${key.priceBookId}/${key.currency}/${key.productId}`;
    case 'Row':
      return `row/${key.priceBookId}/${key.currency}/${String(key.revision)}/${key.holder}`;
    case 'Boundary':
      return `boundary/${key.priceBookId}/${key.at}/${key.currency}/${key.holder}`;
  }
};

export const bookKey = (priceBookId: PriceBookId): PriceBookKey => ({ _tag: 'PriceBook', priceBookId });

export const byName = (entries: Iterable<KnownEntry>): EntriesByName =>
  new Map([...entries].map((entry) => [entryName(entry), entry]));
