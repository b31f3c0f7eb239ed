/** Where what is dated begins and ends: by book, instant, holder and currency, each with the last revision that named it. */
import {
  boundariesIn,
  type BoundaryPlace,
  type CellOf,
  type Holder,
  type Part,
  type ReadModelChange,
} from '@pricebook/application';
import type { Cell, Currency, PriceBookId } from '@pricebook/domain';
import type { Database, RootDatabase } from 'lmdb';
import { boundariesFrom, boundaryKey, boundaryPlaceOf, priceBookKey } from './keys';

/** A place in full. */
type FullPlace = Required<BoundaryPlace>;

export interface Boundaries {
  readonly table: Database<number, Buffer>;
  readonly find: (id: PriceBookId, place: FullPlace) => number | undefined;
  /** Places of a book, in their order, up to an instant. */
  readonly page: (
    id: PriceBookId,
    limit: number,
    from: BoundaryPlace,
    until: string | undefined,
  ) => Part<FullPlace, FullPlace>;
  /** Keeps the last revision of each. To be called within a transaction or a batch. */
  readonly keep: (changes: readonly ReadModelChange[]) => void;
}

export const openBoundaries = (environment: RootDatabase): Boundaries => {
  const table = environment.openDB<number, Buffer>('boundaries', {
    keyEncoding: 'binary',
    encoding: 'json',
  });

  const placeOf = (key: Buffer): FullPlace => {
    const { at, holder, currency } = boundaryPlaceOf(key);
    return { at, holder: holder as Holder, currency: currency as Currency };
  };

  return {
    table,
    find: (id, place) => table.get(boundaryKey(priceBookKey(id), place)),
    page: (id, limit, from, until) => {
      const range = { ...boundariesFrom(priceBookKey(id), from, until), limit: limit + 1 };
      const found = [...table.getKeys(range)].map(placeOf);
      return { items: found.slice(0, limit), next: found[limit] };
    },
    keep: (changes) => {
      // Folded first: what a batch writes cannot be read before it has ended.
      const last = new Map<string, { readonly key: Buffer; readonly revision: number }>();
      for (const change of changes) {
        if (change._tag !== 'HoldingsChange') continue;
        const { priceBookId, holder, stamp } = change;
        for (const { currency, at } of boundariesIn(change)) {
          const key = boundaryKey(priceBookKey(priceBookId), { at, holder, currency });
          const name = key.toString('latin1');
          const revision = Math.max(last.get(name)?.revision ?? -1, stamp.revision);
          last.set(name, { key, revision });
        }
      }
      for (const { key, revision } of last.values()) {
        if (revision > (table.get(key) ?? -1)) void table.put(key, revision);
      }
    },
  };
};

/** What holders have, each document looked up once. */
export const createCellsOf = (
  cellsOf: (holder: Holder) => Readonly<Partial<Record<Currency, Cell>>> | undefined,
): ((one: CellOf) => Cell | undefined) => {
  const known = new Map<Holder, ReturnType<typeof cellsOf>>();
  return ({ holder, currency }) => {
    if (!known.has(holder)) known.set(holder, cellsOf(holder));
    return known.get(holder)?.[currency];
  };
};
