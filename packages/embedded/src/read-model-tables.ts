import {
  ALL_PRODUCTS,
  existsAt,
  foldPriceBook,
  type Holder,
  type HoldingsChange,
  type HistoryRow,
  type HoldingsDocument,
  isKnownAt,
  type KeptRows,
  placeChange,
  type Position,
  type PriceBookChange,
  type PriceBookDocument,
} from '@pricebook/application';
import type { BookHoldings, Cell, ChainHoldings, Currency, PriceBookId, ProductId } from '@pricebook/domain';
import type { RootDatabase } from 'lmdb';
import { derivedIdOf, derivedKey, holdingsKey, priceBookKey, rowKey, rowsOf, rowsUpTo } from './keys';

/** The tables of the read model, read and written without waiting. */
export const openTables = (environment: RootDatabase) => {
  const books = environment.openDB<PriceBookDocument, Buffer>('books', { keyEncoding: 'binary' });
  const derived = environment.openDB<true, Buffer>('derived', { keyEncoding: 'binary' });
  const holdings = environment.openDB<HoldingsDocument, Buffer>('holdings', { keyEncoding: 'binary' });
  const rows = environment.openDB<HistoryRow, Buffer>('rows', { keyEncoding: 'binary' });
  const progress = environment.openDB<string, string>('progress', { encoding: 'string' });

  const bookOf = (id: PriceBookId): PriceBookDocument | undefined => books.get(priceBookKey(id));

  const applyToBook = (change: PriceBookChange): void => {
    const id = change.priceBookId;
    void books.put(priceBookKey(id), foldPriceBook(bookOf(id), change));
    const base = change.basePriceBookIds?.[0];
    if (base !== undefined) void derived.put(derivedKey(base, id), true);
  };

  const keptRows = (id: PriceBookId, holder: Holder): KeptRows => ({
    has: ({ currency, stamp }) => rows.doesExist(rowKey(id, holder, currency, stamp)),
    all: () => [...rows.getRange(rowsOf(id, holder))].map(({ value }) => value),
  });

  /** Keeps the rows of a change and gives the document after it; undefined where it has been applied before. */
  const place = (
    before: HoldingsDocument | undefined,
    change: HoldingsChange,
  ): HoldingsDocument | undefined => {
    const { priceBookId: id, holder } = change;
    const placed = placeChange(before, keptRows(id, holder), change);
    if (placed === undefined) return undefined;
    if (placed.replacesRows) for (const key of [...rows.getKeys(rowsOf(id, holder))]) void rows.remove(key);
    for (const row of placed.rows) void rows.put(rowKey(id, holder, row.currency, row.stamp), row);
    return placed.document;
  };

  const applyToHoldings = (change: HoldingsChange): void => {
    const { priceBookId: id, holder } = change;
    if (holder === ALL_PRODUCTS) {
      const book = bookOf(id);
      const allProducts = place(book?.allProducts, change);
      // The change of the book itself always comes first: see changesOf.
      if (book !== undefined && allProducts !== undefined) {
        void books.put(priceBookKey(id), { ...book, allProducts });
      }
      return;
    }
    const key = holdingsKey(id, holder);
    const document = place(holdings.get(key), change);
    if (document !== undefined) void holdings.put(key, document);
  };

  const cellAt = (id: PriceBookId, holder: Holder, currency: Currency, at: string): Cell | undefined => {
    for (const { value } of rows.getRange({
      ...rowsUpTo(id, holder, currency, at),
      reverse: true,
      limit: 1,
    })) {
      return value.cell;
    }
    return undefined;
  };

  /** What a book holds for a product; nothing where the book does not exist. */
  const held = (
    book: PriceBookDocument | undefined,
    priceBookId: PriceBookId,
    productId: ProductId,
    currency: Currency,
    at: string | undefined,
  ): BookHoldings => {
    if (book === undefined || !existsAt(book, at)) {
      return { priceBookId, product: undefined, allProducts: undefined };
    }
    if (at !== undefined) {
      return {
        priceBookId,
        product: cellAt(priceBookId, productId, currency, at),
        allProducts: cellAt(priceBookId, ALL_PRODUCTS, currency, at),
      };
    }
    return {
      priceBookId,
      product: holdings.get(holdingsKey(priceBookId, productId))?.cells[currency],
      allProducts: book.allProducts?.cells[currency],
    };
  };

  return {
    bookOf,
    checkpoint: (): Position | undefined => {
      const saved = progress.get('checkpoint');
      return saved === undefined ? undefined : BigInt(saved);
    },
    saveCheckpoint: (position: Position) => void progress.put('checkpoint', String(position)),
    applyToBook,
    applyToHoldings,
    allBooks: () => books.getRange({}).map(({ value }) => value),
    derivedOf: (id: PriceBookId) => {
      const start = priceBookKey(id);
      const end = Buffer.concat([start, Buffer.alloc(17, 0xff)]);
      return derived.getKeys({ start, end }).map((key) => derivedIdOf(key) as PriceBookId);
    },
    chainOf: (
      id: PriceBookId,
      productId: ProductId,
      currency: Currency,
      at: string | undefined,
    ): ChainHoldings | undefined => {
      const book = bookOf(id);
      if (book === undefined || !isKnownAt(book, at)) return undefined;
      const bases = existsAt(book, at) ? (book.created?.basePriceBookIds ?? []) : [];
      return [
        held(book, id, productId, currency, at),
        ...bases.map((baseId) => held(bookOf(baseId), baseId, productId, currency, at)),
      ];
    },
  };
};
