/** The read model entry by entry. */
import {
  ALL_PRODUCTS,
  byName,
  type EntryKey,
  EVERY_CURRENCY,
  type Holder,
  type HoldingsDocument,
  type KnownEntry,
  type PriceBookDocument,
  type ReadModelEntry,
  type RowEntry,
} from '@pricebook/application';
import {
  type Currency,
  currencyCodec,
  type PriceBookId,
  priceBookIdCodec,
  type ProductId,
  productIdCodec,
  readTime,
} from '@pricebook/domain';
import type { Database } from 'lmdb';
import { asDamage, Damage } from './damage';
import { fromKeptRow, type KeptRow } from './kept-row';
import {
  bookOfProduct,
  boundaryPlaceOf,
  derivedIdOf,
  derivedKey,
  holderOf,
  holdingsKey,
  isOfSameSeries,
  latestRowKeys,
  placeOfKey,
  priceBookIdOf,
  priceBookKey,
  productOfBook,
  rowIdOf,
  rowKey,
} from './keys';
import { holdsAnything } from './product-books';
import type { Tables } from './read-model-tables';

type RowKey = EntryKey & { readonly _tag: 'Row' };

/** Keys of a table that are read at once: no snapshot of the file is kept for longer. */
const PAGE = 500;
/** After all times that rows can have. */
const LAST_TIME = '9999-12-31T23:59:59.999Z';

const isPriceBookId = (text: string): text is PriceBookId => priceBookIdCodec.decode(text)._tag === 'Right';
const isProductId = (text: string): text is ProductId => productIdCodec.decode(text)._tag === 'Right';
const isHolder = (text: string): text is Holder => text === ALL_PRODUCTS || isProductId(text);
const isCurrency = (text: string): text is Currency => currencyCodec.decode(text)._tag === 'Right';

const unknown = (table: string, key: Buffer): readonly ReadModelEntry[] => [
  { _tag: 'Unknown', name: `${table} ${key.toString('hex')}` },
];

const NOT_BY_PRODUCT = { fault: 'is not found by its product' };

/** What tells whether a product is listed with its book: nothing where it is. */
const faultOf = ({ productBooks }: Tables, priceBookId: PriceBookId, productId: ProductId) =>
  productBooks.has(productId, priceBookKey(priceBookId)) ? {} : NOT_BY_PRODUCT;

const cellsOf = (
  tables: Tables,
  priceBookId: PriceBookId,
  productId: ProductId,
  { cells, revision }: HoldingsDocument,
): readonly KnownEntry[] => {
  const fault = faultOf(tables, priceBookId, productId);
  return (Object.keys(cells) as Currency[]).flatMap((currency) => {
    const value = cells[currency];
    return value === undefined
      ? []
      : [{ _tag: 'Cell', priceBookId, productId, currency, value, revision, ...fault }];
  });
};

interface Item {
  readonly key: Buffer;
  readonly value: unknown;
}

const MISPLACED = { fault: 'stands at another time than its own' };

/** A row with the time of its key, by which prices of a time are found: that has to be its own. */
const rowEntry = (key: RowKey, kept: KeptRow): RowEntry => {
  const value = fromKeptRow(key.currency, kept);
  const { stamp } = value;
  const isInPlace =
    stamp.occurredAt === key.occurredAt || Date.parse(stamp.occurredAt) === Date.parse(key.occurredAt);
  return { ...key, value, ...(!isInPlace && MISPLACED) };
};

/** A table, and what its items are as entries. */
type Walk = readonly [
  table: Database<unknown, Buffer>,
  toEntries: (item: Item) => readonly ReadModelEntry[],
  name: string,
];

/** What a value says that may be of any shape, or no value at all; undefined where it cannot be read. */
const readable = <A>(read: () => A): A | undefined => {
  try {
    return read();
  } catch (failure) {
    // The file as such is damaged: nothing more can be said of it.
    if (asDamage('', failure) instanceof Damage) throw failure;
    return undefined;
  }
};

const boundaryEntries = ({ key, value }: Item): readonly ReadModelEntry[] => {
  const priceBookId = priceBookIdOf(key);
  const { at, holder, currency } = boundaryPlaceOf(key);
  const isPlace = readTime(at) === at && isHolder(holder) && isCurrency(currency);
  return isPlace && isPriceBookId(priceBookId)
    ? [{ _tag: 'Boundary', priceBookId, holder, currency, at, value: { revision: value as number } }]
    : unknown('boundary', key);
};

/** The list of a product's books says nothing that its documents do not say, unless one of them is missing. */
const productBookEntries =
  ({ kept: { holdings } }: Tables) =>
  ({ key }: Item): readonly ReadModelEntry[] =>
    holdsAnything(holdings.get(holdingsKey(bookOfProduct(key), productOfBook(key))))
      ? []
      : unknown('product-book', key);

const UNLISTED = { fault: 'is missing in a sorted list, or in that of keys' };

const bookEntry = ({ places }: Tables, priceBookId: PriceBookId, value: PriceBookDocument): KnownEntry => ({
  _tag: 'PriceBook',
  priceBookId,
  value,
  ...(readable(() => places.hasAll(value)) !== true && UNLISTED),
});

/** A place is a part of what its book says: it is told of by itself only where the book does not say so. */
const placeEntries = ({ kept: { books }, places }: Tables, key: Buffer): readonly ReadModelEntry[] => {
  const document = books.get(priceBookKey(placeOfKey(key).priceBookId));
  return document !== undefined && places.keysOf(document).some((one) => one.equals(key))
    ? []
    : unknown('place', key);
};

const walksOf = (tables: Tables): readonly Walk[] => {
  const { kept, boundaries, productBooks, places } = tables;
  const { books, derived, holdings, rows } = kept;
  return [
    [
      books,
      ({ key, value }) => {
        const priceBookId = priceBookIdOf(key);
        return isPriceBookId(priceBookId)
          ? [bookEntry(tables, priceBookId, value as never)]
          : unknown('book', key);
      },
      'book',
    ],
    [
      derived,
      ({ key }) => {
        const [basePriceBookId, priceBookId] = [priceBookIdOf(key), derivedIdOf(key)];
        return isPriceBookId(basePriceBookId) && isPriceBookId(priceBookId)
          ? [{ _tag: 'Derived', priceBookId, basePriceBookId, value: true }]
          : unknown('derived', key);
      },
      'derived',
    ],
    [
      holdings,
      ({ key, value }) => {
        const [priceBookId, holder] = [priceBookIdOf(key), holderOf(key)];
        return isPriceBookId(priceBookId) && isProductId(holder)
          ? cellsOf(tables, priceBookId, holder, value as HoldingsDocument)
          : unknown('holdings', key);
      },
      'holdings',
    ],
    [
      rows,
      ({ key, value }) => {
        const id = rowIdOf(key);
        if (id === undefined) return unknown('row', key);
        const { priceBookId, holder, currency, revision, occurredAt } = id;
        const isOne = isCurrency(currency) || currency === EVERY_CURRENCY;
        return isOne && isPriceBookId(priceBookId) && isHolder(holder)
          ? [rowEntry({ _tag: 'Row', priceBookId, holder, currency, revision, occurredAt }, value as never)]
          : unknown('row', key);
      },
      'row',
    ],
    [productBooks.table, productBookEntries(tables), 'product-book'],
    [boundaries.table, boundaryEntries, 'boundary'],
    [places.table, ({ key }) => placeEntries(tables, key), 'place'],
  ];
};

/** The key right after another one. */
const after = (key: Buffer): Buffer => Buffer.concat([key, Buffer.alloc(1)]);

/** Items from a key on, one by one where they cannot be had together. */
const itemsFrom = (table: Walk[0], start: Buffer | undefined): readonly Item[] => {
  const range = start === undefined ? { limit: PAGE } : { start, limit: PAGE };
  return (
    readable(() => [...table.getRange(range)]) ??
    [...table.getKeys(range)].map((key) => ({ key, value: readable((): unknown => table.get(key)) }))
  );
};

/** @param refresh makes the next reads see what other processes have written. */
export const walkEntries = async function* (
  tables: Tables,
  refresh: () => void,
): AsyncGenerator<readonly ReadModelEntry[]> {
  for (const [table, toEntries, name] of walksOf(tables)) {
    let start: Buffer | undefined;
    for (;;) {
      refresh();
      const items = itemsFrom(table, start);
      const last = items.at(-1);
      if (last === undefined) break;
      start = after(last.key);
      yield items.flatMap((item) => readable(() => toEntries(item)) ?? unknown(name, item.key));
      // Requests, signals and timers have their turn.
      await new Promise(setImmediate);
    }
  }
};

const findRow = ({ kept: { rows } }: Tables, key: RowKey): RowEntry | undefined => {
  const { priceBookId, holder, currency, revision, occurredAt } = key;
  const isTime = !Number.isNaN(Date.parse(occurredAt));
  const value = isTime
    ? rows.get(rowKey(priceBookKey(priceBookId), holder, currency, { occurredAt, revision }))
    : undefined;
  if (value !== undefined) return rowEntry(key, value);
  // It may be there under another time: rows of a book have their times in the order of its revisions.
  const start = latestRowKeys(holder, currency, LAST_TIME)(priceBookKey(priceBookId));
  for (const row of rows.getRange({ start, reverse: true })) {
    const found = isOfSameSeries(row.key, start) ? rowIdOf(row.key) : undefined;
    if (found === undefined || found.revision < revision) break;
    if (found.revision === revision) return rowEntry({ ...key, occurredAt: found.occurredAt }, row.value);
  }
  return undefined;
};

const findEntry = (tables: Tables, key: EntryKey): KnownEntry | undefined => {
  const { priceBookId } = key;
  switch (key._tag) {
    case 'PriceBook': {
      const value = tables.kept.books.get(priceBookKey(priceBookId));
      return value === undefined ? undefined : bookEntry(tables, priceBookId, value);
    }
    case 'Derived': {
      const isThere = tables.kept.derived.doesExist(derivedKey(key.basePriceBookId, priceBookId));
      return isThere ? { ...key, value: true } : undefined;
    }
    case 'Cell': {
      const document = tables.kept.holdings.get(holdingsKey(priceBookKey(priceBookId), key.productId));
      const value = document?.cells[key.currency];
      return document === undefined || value === undefined
        ? undefined
        : { ...key, value, revision: document.revision, ...faultOf(tables, priceBookId, key.productId) };
    }
    case 'Row':
      return findRow(tables, key);
    case 'Boundary': {
      const revision = tables.boundaries.find(priceBookId, key);
      return revision === undefined ? undefined : { ...key, value: { revision } };
    }
  }
};

export const findEntries = (tables: Tables, keys: readonly EntryKey[]): ReadonlyMap<string, KnownEntry> =>
  byName(keys.map((key) => readable(() => findEntry(tables, key))).filter((entry) => entry !== undefined));
