import fs from 'node:fs';
import path from 'node:path';
import {
  ALL_PRODUCTS,
  existsAt,
  foldPriceBook,
  isKnownAt,
  type KeptRows,
  type HistoryRow,
  type Holder,
  type HoldingsChange,
  type HoldingsDocument,
  type Position,
  type PriceBookChange,
  type PriceBookDocument,
  type ReadModel,
  placeChange,
  type StoreError,
  viewOf,
} from '@pricebook/application';
import type { BookHoldings, Cell, ChainHoldings, Currency, PriceBookId, ProductId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import type { RootDatabase } from 'lmdb';
import { Damage, toStoreError } from './damage';
import { openEnvironment } from './environment';
import { checkFile } from './file-check';
import { READ_MODEL_FILE } from './files';
import { derivedIdOf, derivedKey, holdingsKey, priceBookKey, rowKey, rowsOf, rowsUpTo } from './keys';
import { readModelState } from './read-model-state';

/** Of what is kept; a read model of another version is made anew. */
const VERSION = 1;

/** What a read model is made of. */
interface EventSource {
  readonly id: string;
  readonly head: Position | undefined;
}

export interface EmbeddedReadModel extends ReadModel {
  readonly close: () => Promise<void>;
}

/** The tables of the read model, read and written without waiting. */
const openTables = (environment: RootDatabase) => {
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

const removeFile = (file: string): void => {
  fs.rmSync(file, { force: true });
  fs.rmSync(`${file}-lock`, { force: true });
};

/**
 * Sees to it that only a file that can be trusted is opened: one that is not is taken away, and the projector
 * makes a new one from the events.
 */
const clearDistrusted = (file: string, isIntact: boolean, report: (message: string) => void): void => {
  if (!fs.existsSync(file)) return;
  if (!isIntact) {
    report(`${file} is of another version or of other events, or was open at a power cut; it is made anew`);
    removeFile(file);
    return;
  }
  try {
    checkFile(file);
  } catch (failure) {
    if (!(failure instanceof Damage)) throw failure;
    const aside = `${file}.damaged`;
    fs.renameSync(file, aside);
    removeFile(file);
    report(`${failure.message}; it is kept as ${aside} and made anew from the events`);
  }
};

/**
 * Opens the read model of a folder on LMDB, for the one process that holds the folder's lock.
 *
 * @param events the event store: its id, and the position of its last event. A read model of another store, or
 *   one that has come further, as after a backup of the events was brought back, is made anew.
 * @param report told, in a sentence, where the read model has to be made anew and why.
 */
export const openEmbeddedReadModel = async (
  folder: string,
  events: EventSource,
  report: (message: string) => void,
): Promise<EmbeddedReadModel> => {
  const file = path.join(folder, READ_MODEL_FILE);
  const state = readModelState(folder, VERSION, events.id);
  clearDistrusted(file, state.isIntact, report);
  state.markOpen();
  let environment = openEnvironment({ file, readOnly: false, isDurable: false });
  let tables = openTables(environment);
  const checkpoint = tables.checkpoint();
  if (checkpoint !== undefined && (events.head === undefined || checkpoint > events.head)) {
    report(`${file} has come further than the events; it is made anew`);
    await environment.close();
    removeFile(file);
    environment = openEnvironment({ file, readOnly: false, isDurable: false });
    tables = openTables(environment);
  }
  let isClosed = false;

  /** lmdb ends the process where it is used after it was closed. */
  const query = <A>(use: () => A): TE.TaskEither<StoreError, A> =>
    TE.fromIOEither(() =>
      isClosed
        ? E.left({ _tag: 'StoreUnavailable', reason: `${file} is closed` })
        : E.tryCatch(use, (failure) => toStoreError(file, failure)),
    );

  return {
    checkpoint: () => query(tables.checkpoint),

    apply: (changes, checkpoint) =>
      query(() => {
        environment.transactionSync(() => {
          for (const change of changes) {
            if (change._tag === 'PriceBookChange') tables.applyToBook(change);
            else tables.applyToHoldings(change);
          }
          const before = tables.checkpoint();
          if (before === undefined || checkpoint > before) tables.saveCheckpoint(checkpoint);
        });
      }),

    findPriceBook: (id) =>
      query(() => {
        const document = tables.bookOf(id);
        return document === undefined ? undefined : viewOf(document);
      }),

    listPriceBooks: () =>
      query(() => [...tables.allBooks()].map(viewOf).filter((view) => view !== undefined)),

    findDerivedPriceBooks: (id, limit) =>
      query(() => {
        const found: PriceBookId[] = [];
        for (const derivedId of tables.derivedOf(id)) {
          const document = tables.bookOf(derivedId);
          if (document !== undefined && existsAt(document)) found.push(derivedId);
          if (found.length === limit) break;
        }
        return found;
      }),

    findHoldings: (id, productId, currency, at) => query(() => tables.chainOf(id, productId, currency, at)),

    close: async () => {
      isClosed = true;
      await environment.close();
      const descriptor = fs.openSync(file, 'r');
      fs.fsyncSync(descriptor);
      fs.closeSync(descriptor);
      state.markClosed();
    },
  };
};
