/** Where books stand in sorted lists, and which book has a key: one table, by kind, value and book. */
import {
  type BookPlace,
  existsAt,
  INDEXED_SORTS,
  type IndexedSort,
  keyOf,
  placeValueOf,
  type PriceBookDocument,
} from '@pricebook/application';
import type { PriceBookId } from '@pricebook/domain';
import type { RootDatabase } from 'lmdb';
import { placeKey, placeOfKey, type PlaceKind, placesFrom, placesOfValue, priceBookKey } from './keys';

export interface PlaceRange {
  readonly limit: number;
  readonly from: BookPlace | undefined;
  readonly isDescending: boolean;
}

const valueOf = (document: PriceBookDocument | undefined, kind: PlaceKind): string | undefined =>
  kind === 'key' ? keyOf(document) : placeValueOf(document, kind);

/** Whether nothing that a place goes by has changed: found out for less than the place of a name takes. */
const isSame = (before: PriceBookDocument | undefined, after: PriceBookDocument, kind: PlaceKind): boolean =>
  before !== undefined &&
  existsAt(before) === existsAt(after) &&
  // A detail that has not changed is the same object.
  before[kind] === after[kind];

/** The key says it all. */
const NOTHING = Buffer.alloc(0);

const KINDS: readonly PlaceKind[] = [...INDEXED_SORTS, 'key'];

export const openBookPlaces = (environment: RootDatabase) => {
  const table = environment.openDB<Buffer, Buffer>('places', { keyEncoding: 'binary', encoding: 'binary' });

  const keysOf = (document: PriceBookDocument): readonly Buffer[] =>
    KINDS.flatMap((kind) => {
      const value = valueOf(document, kind);
      return value === undefined ? [] : [placeKey(kind, value, priceBookKey(document.priceBookId))];
    });

  return {
    table,
    keysOf,
    /** Whether a book stands where it belongs, and nothing else is asked. */
    hasAll: (document: PriceBookDocument): boolean => keysOf(document).every((key) => table.doesExist(key)),
    /** Moves a book, by its key. To be called within a transaction or a batch. */
    move: (book: Buffer, before: PriceBookDocument | undefined, after: PriceBookDocument): void => {
      for (const kind of KINDS) {
        if (isSame(before, after, kind)) continue;
        const [left, reached] = [valueOf(before, kind), valueOf(after, kind)];
        if (left === reached) continue;
        if (left !== undefined) void table.remove(placeKey(kind, left, book));
        if (reached !== undefined) void table.put(placeKey(kind, reached, book), NOTHING);
      }
    },
    /** Places in an order, and that of the one after them. */
    page: (sort: IndexedSort, { limit, from, isDescending }: PlaceRange) => {
      const range = { ...placesFrom(sort, from, isDescending), reverse: isDescending, limit: limit + 1 };
      const found = [...table.getKeys(range)].map(placeOfKey);
      return { items: found.slice(0, limit), next: found[limit] };
    },
    count: (): number => table.getKeysCount(placesFrom('name', undefined, false)),
    findByKey: (key: string): PriceBookId | undefined => {
      for (const found of table.getKeys({ ...placesOfValue('key', key), limit: 1 })) {
        return placeOfKey(found).priceBookId;
      }
      return undefined;
    },
  };
};
