import {
  ALL_PRODUCTS,
  type BookHistory,
  type BookOrder,
  type BookPlace,
  type CellOf,
  type ChainHistory,
  foldPriceBook,
  type Holder,
  type HistoryRow,
  type HoldingsDocument,
  type HoldingsSeries,
  type KeptRows,
  type Part,
  placeChange,
  type Position,
  type PriceBookDocument,
  type ProductHoldings,
  type ReadModelChange,
  rememberedIn,
} from '@pricebook/application';
import type { Cell, Cells, Currency, PriceBookId, ProductId } from '@pricebook/domain';
import type { Database, RootDatabase } from 'lmdb';
import { openBookPlaces } from './book-places';
import { createCellsOf, openBoundaries } from './boundaries';
import { createChains } from './chains';
import {
  derivedIdOf,
  derivedKey,
  holderOf,
  holdingsFrom,
  holdingsKey,
  isOfSameSeries,
  latestRowKeys,
  priceBookIdOf,
  priceBookKey,
  rowCurrencyOf,
  rowKey,
  rowsAfter,
  rowsOf,
} from './keys';
import { fromKeptRow, type KeptRow, toKeptRow } from './kept-row';
import { createLongDocuments } from './long-documents';
import { holdingsEncoder } from './packed-holdings';
import { holdsAnything, openProductBooks } from './product-books';
import { createRecentDocuments } from './recent-documents';
import { openRememberedRequests } from './remembered-requests';

/** What a holder has, as the changes of a batch make it. */
interface Held {
  /** The key of its book. */
  readonly book: Buffer;
  readonly holder: Holder;
  /** The key of its document; undefined for all products, whose document is a part of that of their book. */
  readonly key: Buffer | undefined;
  document: HoldingsDocument | undefined;
  /** Whether the product is among those that hold something in the book. */
  readonly isListed: boolean;
  /** Rows that come beside those that are kept, or take their place. */
  added: HistoryRow[];
  replacesRows: boolean;
}

/** A book that a batch changes, as its changes make it. */
interface TouchedBook {
  readonly key: Buffer;
  readonly before: PriceBookDocument | undefined;
  document: PriceBookDocument | undefined;
  readonly holders: Map<Holder, Held>;
}

/** Items of a table, at most as many as the limit, and the key of the one after them. */
const partOf = <A>(
  table: Database<A, Buffer>,
  range: { readonly start?: Buffer; readonly end?: Buffer; readonly reverse?: boolean },
  limit: number,
): { readonly items: readonly { readonly key: Buffer; readonly value: A }[]; readonly next?: Buffer } => {
  const found = [...table.getRange({ ...range, limit: limit + 1 })];
  const next = found[limit];
  return { items: found.slice(0, limit), ...(next !== undefined && { next: next.key }) };
};

/** Bounds memory. */
const RECENT_BOOKS = { documents: 1_000, bytes: 16 * 1024 * 1024 };

export type Tables = ReturnType<typeof openTables>;

/** The tables of the read model, read and written without waiting. */
export const openTables = (environment: RootDatabase) => {
  const books = environment.openDB<PriceBookDocument, Buffer>('books', {
    keyEncoding: 'binary',
    encoding: 'json',
  });
  const derived = environment.openDB<true, Buffer>('derived', { keyEncoding: 'binary' });
  // lmdb's types do not know encoders, its documentation does.
  const packed = { keyEncoding: 'binary', encoder: holdingsEncoder } as const;
  const holdings = environment.openDB<HoldingsDocument, Buffer>('holdings', packed);
  const rows = environment.openDB<KeptRow, Buffer>('rows', { keyEncoding: 'binary', encoding: 'json' });
  const progress = environment.openDB<string, string>('progress', { encoding: 'string' });
  const requests = openRememberedRequests(environment);
  const boundaries = openBoundaries(environment);
  const productBooks = openProductBooks(environment);
  const places = openBookPlaces(environment);

  const recentBooks = createRecentDocuments(books, RECENT_BOOKS);

  const bookOf = (id: PriceBookId): PriceBookDocument | undefined =>
    recentBooks.find(id, () => priceBookKey(id));

  const heldNow = createLongDocuments(holdings, holdingsEncoder.decode);

  const rowOf = ({ key, value }: { readonly key: Buffer; readonly value: KeptRow }): HistoryRow =>
    fromKeptRow(rowCurrencyOf(key) as HistoryRow['currency'], value);

  const storedRows = (book: Buffer, holder: Holder): readonly HistoryRow[] =>
    [...rows.getRange(rowsOf(book, holder))].map(rowOf);

  const keptRows = ({ book, holder, added, replacesRows }: Held): KeptRows => ({
    has: ({ currency, stamp }) =>
      added.some((row) => row.currency === currency && row.stamp.revision === stamp.revision) ||
      (!replacesRows && rows.doesExist(rowKey(book, holder, currency, stamp))),
    all: () => (replacesRows ? added : [...storedRows(book, holder), ...added]),
  });

  const write = ({ book, holder, key, document, isListed, added, replacesRows }: Held): void => {
    if (replacesRows) for (const old of [...rows.getKeys(rowsOf(book, holder))]) void rows.remove(old);
    for (const row of added) void rows.put(rowKey(book, holder, row.currency, row.stamp), toKeptRow(row));
    if (added.length > 0 && document !== undefined && key !== undefined) {
      void holdings.put(key, document);
      if (!isListed && holdsAnything(document)) productBooks.add(holder, book);
    }
  };

  /**
   * Folds changes and then writes what has come out, so that a document which many of them are about is written
   * once, and a change that cannot be folded leaves nothing behind. To be called within what `commit` runs.
   */
  const apply = (changes: readonly ReadModelChange[]): void => {
    const touched = new Map<PriceBookId, TouchedBook>();
    const created: Buffer[] = [];

    const touch = (id: PriceBookId): TouchedBook => {
      const found = touched.get(id);
      if (found !== undefined) return found;
      const before = bookOf(id);
      const book = { key: priceBookKey(id), before, document: before, holders: new Map<Holder, Held>() };
      touched.set(id, book);
      return book;
    };

    const heldBy = ({ key: book, document: ofBook, holders }: TouchedBook, holder: Holder): Held => {
      const found = holders.get(holder);
      if (found !== undefined) return found;
      const key = holder === ALL_PRODUCTS ? undefined : holdingsKey(book, holder);
      const document = key === undefined ? ofBook?.allProducts : holdings.get(key);
      const isListed = holdsAnything(document);
      const held: Held = { book, holder, key, document, isListed, added: [], replacesRows: false };
      holders.set(holder, held);
      return held;
    };

    for (const change of changes) {
      const book = touch(change.priceBookId);
      if (change._tag === 'PriceBookChange') {
        book.document = foldPriceBook(book.document, change);
        const base = change.basePriceBookIds?.[0];
        if (base !== undefined) created.push(derivedKey(base, change.priceBookId));
        continue;
      }
      const held = heldBy(book, change.holder);
      const placed = placeChange(held.document, keptRows(held), change);
      if (placed === undefined) continue;
      held.document = placed.document;
      if (placed.replacesRows) {
        held.added = [...placed.rows];
        held.replacesRows = true;
      } else held.added.push(...placed.rows);
      // The change of the book itself always comes first: see changesOf.
      if (change.holder === ALL_PRODUCTS && book.document !== undefined) {
        book.document = { ...book.document, allProducts: placed.document };
      }
    }

    for (const [id, { key, before, document, holders }] of touched) {
      for (const held of holders.values()) write(held);
      if (document === undefined) continue;
      recentBooks.put(id, key, document);
      places.move(key, before, document);
    }
    for (const key of created) void derived.put(key, true);
    boundaries.keep(changes);
    requests.keep(rememberedIn(changes));
  };

  /** @param run commits a transaction or a batch in which changes are applied. */
  const commit = async (run: () => Promise<unknown>): Promise<void> => {
    let isCommitted = false;
    try {
      await run();
      isCommitted = true;
    } finally {
      recentBooks.settle(isCommitted);
    }
  };

  // lmdb reads where to start when a range is gone through: this one serves all look-ups, since making one costs
  // more than going through it.
  const from: { start: Buffer; reverse: true; limit: 1 } = {
    start: Buffer.alloc(0),
    reverse: true,
    limit: 1,
  };
  const latest = rows.getRange(from);

  /** @param start as of `latestRowKeys`. */
  const cellUpTo = (start: Buffer): Cell | undefined => {
    from.start = start;
    for (const { key, value } of latest) return isOfSameSeries(key, start) ? value.cell : undefined;
    return undefined;
  };

  const seriesOf = (
    book: Buffer,
    holder: Holder,
    currency: Currency,
    { after, limit }: { readonly after: string | undefined; readonly limit: number },
  ): HoldingsSeries => ({
    before: after === undefined ? undefined : cellUpTo(latestRowKeys(holder, currency, after)(book)),
    rows: [...rows.getRange({ ...rowsAfter(book, holder, currency, after), limit })].map(rowOf),
  });

  const chains = createChains({ bookOf, heldNow, cellUpTo });

  return {
    /** For those who look at what is kept rather than ask what it means. */
    kept: { books, derived, holdings, rows },
    requests,
    boundaries,
    productBooks,
    places,
    bookOf,
    checkpoint: (): Position | undefined => {
      const saved = progress.get('checkpoint');
      return saved === undefined ? undefined : BigInt(saved);
    },
    saveCheckpoint: (position: Position) => void progress.put('checkpoint', String(position)),
    apply,
    commit,
    booksFrom: (
      limit: number,
      from: BookPlace | undefined,
      { by, isDescending }: BookOrder,
    ): Part<PriceBookDocument, BookPlace> => {
      if (by !== 'createdAt') {
        const { items, next } = places.page(by, { limit, from, isDescending });
        // Past the recent books that prices need: a long list would push them out.
        const documents = items.map(({ priceBookId }) => books.get(priceBookKey(priceBookId)));
        return { items: documents.filter((document) => document !== undefined), next };
      }
      const range = from === undefined ? {} : { start: priceBookKey(from.priceBookId) };
      const { items, next } = partOf(books, { ...range, reverse: isDescending }, limit);
      return {
        items: items.map(({ value }) => value),
        next: next && { priceBookId: priceBookIdOf(next) as PriceBookId },
      };
    },
    productsOf: (
      id: PriceBookId,
      limit: number,
      from: ProductId | undefined,
    ): Part<ProductHoldings, ProductId> => {
      const { items, next } = partOf(holdings, holdingsFrom(priceBookKey(id), from), limit);
      return {
        items: items.map(({ key, value: { revision, cells } }) => ({
          productId: holderOf(key) as ProductId,
          revision,
          cells,
        })),
        next: next && (holderOf(next) as ProductId),
      };
    },
    productIdsOf: (
      id: PriceBookId,
      limit: number,
      from: ProductId | undefined,
    ): Part<ProductId, ProductId> => {
      const range = { ...holdingsFrom(priceBookKey(id), from), limit: limit + 1 };
      const ids = [...holdings.getKeys(range)].map((key) => holderOf(key) as ProductId);
      return { items: ids.slice(0, limit), next: ids[limit] };
    },
    cellsOfProduct: (id: PriceBookId, productId: ProductId): Cells | undefined =>
      holdings.get(holdingsKey(priceBookKey(id), productId))?.cells,
    /** Looks up cells of a book, the document of each holder once. */
    cellsIn: (id: PriceBookId): ((one: CellOf) => Cell | undefined) => {
      const key = priceBookKey(id);
      const document = bookOf(id);
      return createCellsOf((holder) =>
        holder === ALL_PRODUCTS
          ? document?.allProducts?.cells
          : holdings.get(holdingsKey(key, holder))?.cells,
      );
    },
    derivedOf: (id: PriceBookId) => {
      const start = priceBookKey(id);
      const end = Buffer.concat([start, Buffer.alloc(17, 0xff)]);
      return derived.getKeys({ start, end }).map((key) => derivedIdOf(key) as PriceBookId);
    },
    ...chains,
    chainHistoryOf: (
      id: PriceBookId,
      productId: ProductId,
      currency: Currency,
      after: string | undefined,
      limit: number,
    ): ChainHistory | undefined => {
      const historyOf = (priceBookId: PriceBookId): BookHistory => {
        const key = priceBookKey(priceBookId);
        const { created, lifecycle } = bookOf(priceBookId) ?? {};
        const series = (holder: Holder): HoldingsSeries => seriesOf(key, holder, currency, { after, limit });
        return {
          priceBookId,
          created,
          lifecycle,
          product: series(productId),
          allProducts: series(ALL_PRODUCTS),
        };
      };
      const created = bookOf(id)?.created;
      return created && [historyOf(id), ...created.basePriceBookIds.map(historyOf)];
    },
  };
};
