import {
  ALL_PRODUCTS,
  type BookHistory,
  type ChainHistory,
  existsAt,
  foldPriceBook,
  type Holder,
  type HistoryRow,
  type HoldingsDocument,
  type HoldingsSeries,
  isKnownAt,
  type KeptRows,
  placeChange,
  type Position,
  type PriceBookDocument,
  type ReadModelChange,
} from '@pricebook/application';
import type { BookHoldings, Cell, ChainHoldings, Currency, PriceBookId, ProductId } from '@pricebook/domain';
import type { RootDatabase } from 'lmdb';
import {
  derivedIdOf,
  derivedKey,
  holdingsKey,
  isOfSameSeries,
  latestRowKeys,
  priceBookKey,
  rowCurrencyOf,
  rowKey,
  rowsAfter,
  rowsOf,
} from './keys';
import { fromKeptRow, type KeptRow, toKeptRow } from './kept-row';

/** A book that was looked up, whether or not it is there. */
interface Book {
  readonly id: PriceBookId;
  readonly key: Buffer;
  readonly document: PriceBookDocument | undefined;
}

/** What a holder has, as the changes of a batch make it. */
interface Held {
  readonly book: PriceBookId;
  readonly holder: Holder;
  document: HoldingsDocument | undefined;
  /** Rows that come beside those that are kept, or take their place. */
  added: HistoryRow[];
  replacesRows: boolean;
}

/** When a cell came to be what it is: every change of it leaves its time in it. */
const lastChangeOf = ({ absolute, relative, removed }: Cell): string => {
  // A relative adjustment is never older than the absolute one beside it, and a removal stands alone.
  const last = relative ?? absolute ?? removed;
  return last?.occurredAt ?? '';
};

export type Tables = ReturnType<typeof openTables>;

/** The tables of the read model, read and written without waiting. */
export const openTables = (environment: RootDatabase) => {
  const books = environment.openDB<PriceBookDocument, Buffer>('books', {
    keyEncoding: 'binary',
    encoding: 'json',
  });
  const derived = environment.openDB<true, Buffer>('derived', { keyEncoding: 'binary' });
  const holdings = environment.openDB<HoldingsDocument, Buffer>('holdings', {
    keyEncoding: 'binary',
    encoding: 'json',
  });
  const rows = environment.openDB<KeptRow, Buffer>('rows', { keyEncoding: 'binary', encoding: 'json' });
  const progress = environment.openDB<string, string>('progress', { encoding: 'string' });

  const lookUp = (id: PriceBookId): Book => {
    const key = priceBookKey(id);
    return { id, key, document: books.get(key) };
  };

  const bookOf = (id: PriceBookId): PriceBookDocument | undefined => lookUp(id).document;

  const rowOf = ({ key, value }: { readonly key: Buffer; readonly value: KeptRow }): HistoryRow =>
    fromKeptRow(rowCurrencyOf(key) as HistoryRow['currency'], value);

  const storedRows = (id: PriceBookId, holder: Holder): readonly HistoryRow[] =>
    [...rows.getRange(rowsOf(priceBookKey(id), holder))].map(rowOf);

  const keptRows = ({ book, holder, added, replacesRows }: Held): KeptRows => ({
    has: ({ currency, stamp }) =>
      added.some((row) => row.currency === currency && row.stamp.revision === stamp.revision) ||
      (!replacesRows && rows.doesExist(rowKey(priceBookKey(book), holder, currency, stamp))),
    all: () => (replacesRows ? added : [...storedRows(book, holder), ...added]),
  });

  const write = ({ book: id, holder, document, added, replacesRows }: Held): void => {
    const book = priceBookKey(id);
    if (replacesRows) for (const key of [...rows.getKeys(rowsOf(book, holder))]) void rows.remove(key);
    for (const row of added) void rows.put(rowKey(book, holder, row.currency, row.stamp), toKeptRow(row));
    const isChanged = added.length > 0 && document !== undefined && holder !== ALL_PRODUCTS;
    if (isChanged) void holdings.put(holdingsKey(book, holder), document);
  };

  /**
   * Folds changes and then writes what has come out, so that a document which many of them are about is written
   * once, and a change that cannot be folded leaves nothing behind. To be called within a transaction or a batch.
   */
  const apply = (changes: readonly ReadModelChange[]): void => {
    const changedBooks = new Map<PriceBookId, PriceBookDocument>();
    const changedHoldings = new Map<string, Held>();
    const created: Buffer[] = [];

    const heldBy = (book: PriceBookId, holder: Holder, ofAll: HoldingsDocument | undefined): Held => {
      const name = `${book}/${holder}`;
      const found = changedHoldings.get(name);
      if (found !== undefined) return found;
      const document =
        holder === ALL_PRODUCTS ? ofAll : holdings.get(holdingsKey(priceBookKey(book), holder));
      const held: Held = { book, holder, document, added: [], replacesRows: false };
      changedHoldings.set(name, held);
      return held;
    };

    for (const change of changes) {
      const id = change.priceBookId;
      const book = changedBooks.get(id) ?? bookOf(id);
      if (change._tag === 'PriceBookChange') {
        changedBooks.set(id, foldPriceBook(book, change));
        const base = change.basePriceBookIds?.[0];
        if (base !== undefined) created.push(derivedKey(base, id));
        continue;
      }
      const held = heldBy(id, change.holder, book?.allProducts);
      const placed = placeChange(held.document, keptRows(held), change);
      if (placed === undefined) continue;
      held.document = placed.document;
      if (placed.replacesRows) {
        held.added = [...placed.rows];
        held.replacesRows = true;
      } else held.added.push(...placed.rows);
      // The change of the book itself always comes first: see changesOf.
      if (change.holder === ALL_PRODUCTS && book !== undefined) {
        changedBooks.set(id, { ...book, allProducts: placed.document });
      }
    }

    for (const held of changedHoldings.values()) write(held);
    for (const [id, book] of changedBooks) void books.put(priceBookKey(id), book);
    for (const key of created) void derived.put(key, true);
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

  /** What a book holds for a product now or at a time; nothing where the book does not exist. */
  const holdingsOf = (
    productId: ProductId,
    currency: Currency,
    at: string | undefined,
  ): ((book: Book) => BookHoldings) => {
    const nothing = { product: undefined, allProducts: undefined };
    if (at === undefined) {
      return ({ id: priceBookId, key, document }) => {
        if (document === undefined || !existsAt(document)) return { priceBookId, ...nothing };
        const product = holdings.get(holdingsKey(key, productId))?.cells[currency];
        return { priceBookId, product, allProducts: document.allProducts?.cells[currency] };
      };
    }
    const ofProduct = latestRowKeys(productId, currency, at);
    const ofAllProducts = latestRowKeys(ALL_PRODUCTS, currency, at);
    return ({ id: priceBookId, key, document }) => {
      if (document === undefined || !existsAt(document, at)) return { priceBookId, ...nothing };
      const product = cellUpTo(ofProduct(key));
      const last = document.allProducts?.cells[currency];
      // What the document of the book says needs no look-up: what once was held leaves at least its removal.
      const isLast = last === undefined || lastChangeOf(last) <= at;
      return { priceBookId, product, allProducts: isLast ? last : cellUpTo(ofAllProducts(key)) };
    };
  };

  return {
    /** For those who look at what is kept rather than ask what it means. */
    kept: { books, derived, holdings, rows },
    bookOf,
    checkpoint: (): Position | undefined => {
      const saved = progress.get('checkpoint');
      return saved === undefined ? undefined : BigInt(saved);
    },
    saveCheckpoint: (position: Position) => void progress.put('checkpoint', String(position)),
    apply,
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
      const book = lookUp(id);
      const { document } = book;
      if (document === undefined || !isKnownAt(document, at)) return undefined;
      const bases = existsAt(document, at) ? (document.created?.basePriceBookIds ?? []) : [];
      const heldBy = holdingsOf(productId, currency, at);
      return [heldBy(book), ...bases.map((baseId) => heldBy(lookUp(baseId)))];
    },
    chainHistoryOf: (
      id: PriceBookId,
      productId: ProductId,
      currency: Currency,
      after: string | undefined,
      limit: number,
    ): ChainHistory | undefined => {
      const historyOf = (priceBookId: PriceBookId): BookHistory => {
        const { key, document } = lookUp(priceBookId);
        const { created, deleted } = document ?? {};
        const series = (holder: Holder): HoldingsSeries => seriesOf(key, holder, currency, { after, limit });
        return {
          priceBookId,
          created,
          deleted,
          product: series(productId),
          allProducts: series(ALL_PRODUCTS),
        };
      };
      const created = bookOf(id)?.created;
      return created && [historyOf(id), ...created.basePriceBookIds.map(historyOf)];
    },
  };
};
