import type {
  BookAtRevision,
  Cell,
  Cells,
  ChainHoldings,
  Currency,
  Metadata,
  PriceBookId,
  ProductId,
} from '@pricebook/domain';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { DoneRequest } from '../idempotency/idempotent-request';
import type { Creation, Holder, LifecycleEvent, ReadModelChange } from '../projection/changes';
import type { HistoryRow } from '../projection/holdings-document';
import type { Position } from './event-store';
import type { StoreError } from './store-error';

/** A price book as clients see it. */
export interface PriceBookView {
  readonly priceBookId: PriceBookId;
  readonly revision: number;
  readonly name: string;
  /** The revision that gave the book its name. */
  readonly nameRevision: number;
  readonly description: string;
  /** The revision that gave the book its description. */
  readonly descriptionRevision: number;
  /** The client's own; null where it has none. */
  readonly key: string | null;
  /** The revision that gave the book its key, or took it away; 0 where it never had one. */
  readonly keyRevision: number;
  readonly metadata: Metadata;
  /** The revision that gave the book its metadata. */
  readonly metadataRevision: number;
  /** The chain of bases, nearest first. */
  readonly basePriceBookIds: readonly PriceBookId[];
  /** The source of a clone; absent in other books. */
  readonly clonedFrom?: BookAtRevision;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC. */
  readonly updatedAt: string;
}

/** What a holder had in a currency at a time, and what changed it from then on. */
export interface HoldingsSeries {
  readonly before: Cell | undefined;
  /** By time and revision. */
  readonly rows: readonly HistoryRow[];
}

/** What lists of books can be sorted by. */
export type BookSort = 'createdAt' | 'name' | 'updatedAt';

export interface BookOrder {
  readonly by: BookSort;
  readonly isDescending: boolean;
}

export const OLDEST_FIRST: BookOrder = { by: 'createdAt', isDescending: false };

/** A place in a list of books, whether or not there is such a book. */
export interface BookPlace {
  readonly priceBookId: PriceBookId;
  /** By what the book stands there: see `placeValueOf`. Absent in the order of creation, which is that of the ids. */
  readonly value?: string;
}

/** What a book held, for a product and for all products, from a time on. */
export interface BookHistory {
  readonly priceBookId: PriceBookId;
  /** Undefined where the book never existed. */
  readonly created: Creation | undefined;
  /** Its deletions and restorations by revision; undefined where it was never deleted. */
  readonly lifecycle: readonly LifecycleEvent[] | undefined;
  readonly product: HoldingsSeries;
  readonly allProducts: HoldingsSeries;
}

/** A book, its base, the base's base and so on. */
export type ChainHistory = readonly [BookHistory, ...BookHistory[]];

/** A part of a list. It may hold less than was asked for, or nothing, and not be the last. */
export interface Part<Item, Id> {
  readonly items: readonly Item[];
  /** Where the list goes on; undefined where it ends here. */
  readonly next: Id | undefined;
}

/** What a product holds in a book. */
export interface ProductHoldings {
  readonly productId: ProductId;
  /** The revision of the last change in it, or of a later one of its book. */
  readonly revision: number;
  readonly cells: Cells;
}

/** What a book holds for all products. */
export interface AllProductsHoldings {
  readonly revision: number;
  readonly cells: Cells;
}

/** What a holder has in a currency. */
export interface CellOf {
  readonly holder: Holder;
  readonly currency: Currency;
}

/** A place in the list of a book's boundaries; with an instant alone, the first of that instant. */
export interface BoundaryPlace extends Partial<CellOf> {
  /** ISO 8601, UTC. */
  readonly at: string;
}

/** An instant at which something was to begin or end, and what the holder has in the currency now. */
export interface Boundary extends CellOf {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly cell: Cell;
}

/** A question for what a book holds for a product in a currency: see `findHoldings`. */
export interface HoldingsQuestion {
  readonly productId: ProductId;
  readonly currency: Currency;
  /** ISO 8601, UTC; absent for now. */
  readonly at?: string | undefined;
}

/** Answers queries from what the projection has put together. */
export interface ReadModel {
  /** How many changes it likes to be given at once; absent where a step is best kept short. */
  readonly changesTogether?: number;

  /** The position up to which events have been applied; undefined before the first. */
  readonly checkpoint: () => TaskEither<StoreError, Position | undefined>;

  /**
   * Applies changes, then remembers the checkpoint. Changes that were applied before change nothing, in
   * whatever order they come again; a change that comes late finds its place in the order of its book.
   *
   * @param after the checkpoint that the changes follow: a read model that can go back refuses them where it has not
   *   come so far, since it would pass over what is missing. Absent where anything may be missing.
   */
  readonly apply: (
    changes: readonly ReadModelChange[],
    checkpoint: Position,
    after?: Position,
  ) => TaskEither<StoreError, void>;

  /** A book that exists and is not deleted. */
  readonly findPriceBook: (id: PriceBookId) => TaskEither<StoreError, PriceBookView | undefined>;

  /** A book that is deleted: as it was, at the revision of its deletion. */
  readonly findDeletedPriceBook: (id: PriceBookId) => TaskEither<StoreError, PriceBookView | undefined>;

  /**
   * Books in an order, by an index: it looks at as many as the limit, and leaves out those that are deleted. That of
   * creation is that of their ids; names go by the code points of their form in any letter case.
   *
   * @param from where it begins; absent for the first.
   * @param order oldest first where it is absent.
   */
  readonly listPriceBooks: (
    limit: number,
    from?: BookPlace,
    order?: BookOrder,
  ) => TaskEither<StoreError, Part<PriceBookView, BookPlace>>;

  /** How many books there are that are not deleted. It costs by these. */
  readonly countPriceBooks: () => TaskEither<StoreError, number>;

  /** The book that is not deleted and has a key; of several, which should not be, the one with the lowest id. */
  readonly findByKey: (key: string) => TaskEither<StoreError, PriceBookId | undefined>;

  /** Some books, at most `limit`, that are not deleted and have this one as their base. */
  readonly findDerivedPriceBooks: (
    id: PriceBookId,
    limit: number,
  ) => TaskEither<StoreError, readonly PriceBookId[]>;

  /**
   * What the products of a book hold, in the order of the code points of their ids: at most as many products as the
   * limit, those among them from which all was taken away. It costs by these, not by the products that there are.
   *
   * @param from the id at which it begins, whether or not there is such a product; absent for the first.
   * @param currency what is held in others may be left out, and so may products that never held anything in it.
   * @returns whatever is there, also where the book is deleted or never was.
   */
  readonly listHoldings: (
    id: PriceBookId,
    limit: number,
    from?: ProductId,
    currency?: Currency,
  ) => TaskEither<StoreError, Part<ProductHoldings, ProductId>>;

  /**
   * The products of a book, in the order of the code points of their ids: at most as many as the limit, those among
   * them from which all was taken away. It costs by these, not by the products that there are.
   *
   * @param currency products that never held anything in it may be left out.
   * @param from the id at which it begins, whether or not there is such a product; absent for the first.
   * @returns whatever is there, also where the book is deleted or never was.
   */
  readonly listProducts: (
    id: PriceBookId,
    currency: Currency,
    limit: number,
    from?: ProductId,
  ) => TaskEither<StoreError, Part<ProductId, ProductId>>;

  /**
   * The books that hold something of a product, in the order of their ids: at most as many as the limit, those among
   * them from which it was taken away, or that are deleted. It costs by these, not by the books that there are.
   *
   * @param from the id at which it begins, whether or not it is of such a book; absent for the first.
   */
  readonly listBooksOfProduct: (
    productId: ProductId,
    limit: number,
    from?: PriceBookId,
  ) => TaskEither<StoreError, Part<PriceBookId, PriceBookId>>;

  /**
   * What a product holds in some books, whether or not these are deleted: in the order asked, undefined where it never
   * held anything.
   */
  readonly findProduct: (
    ids: readonly PriceBookId[],
    productId: ProductId,
  ) => TaskEither<StoreError, readonly (Cells | undefined)[]>;

  /** What a book that exists and is not deleted holds for all products, all of it as of one revision. */
  readonly findAllProducts: (id: PriceBookId) => TaskEither<StoreError, AllProductsHoldings | undefined>;

  /**
   * What a book and its chain of bases hold for a product in a currency. Each book is seen as one of its events
   * left it; a store on a server may show the books of a chain as of slightly different moments.
   *
   * @param at an ISO 8601 UTC time: what they held then, everything up to and including that instant, also
   *   in a book deleted since; absent for now.
   * @returns undefined where the book does not exist; asked for a time, where it never did. Before its creation,
   *   and from a deletion to the restoration, a book held nothing and had no bases.
   */
  readonly findHoldings: (
    id: PriceBookId,
    productId: ProductId,
    currency: Currency,
    at?: string,
  ) => TaskEither<StoreError, ChainHoldings<Cell> | undefined>;

  /**
   * The same for many products of one book, in the order asked. It looks up the books of the chain once for all that is
   * asked of now. What is asked of a time costs as much as one by one.
   */
  readonly findManyHoldings: (
    id: PriceBookId,
    questions: readonly HoldingsQuestion[],
  ) => TaskEither<StoreError, readonly (ChainHoldings<Cell> | undefined)[]>;

  /** What holders of a book hold, each in one currency: in the order asked, undefined for those that never held any. */
  readonly findCells: (
    id: PriceBookId,
    keys: readonly CellOf[],
  ) => TaskEither<StoreError, readonly (Cell | undefined)[]>;

  /**
   * Where something that a book holds begins or ends, or was to before it was cancelled: by instant, then holder in the order of code points (`all` among
   * the products), then currency. It costs by what it brings, not by what the book holds.
   *
   * @param from where it begins: an instant, or the place that `next` named.
   * @param until an ISO 8601 UTC time: instants before it; absent for all.
   * @returns whatever is there, also where the book is deleted or never was.
   */
  readonly listBoundaries: (
    id: PriceBookId,
    limit: number,
    from: BoundaryPlace,
    until?: string,
  ) => TaskEither<StoreError, Part<Boundary, BoundaryPlace>>;

  /**
   * How what a book and its chain of bases hold for a product in a currency came about, from a time on. The chain
   * is whole whether or not its books existed then. It costs by the rows that it brings, not by those that there are.
   *
   * @param after an ISO 8601 UTC time: what was held then, everything up to and including that instant, and the
   *   rows after it; absent for all from the beginning.
   * @param limit the most rows of each series: one that has as many may go on.
   * @returns undefined where the book never existed.
   */
  readonly findHoldingsHistory: (
    id: PriceBookId,
    productId: ProductId,
    currency: Currency,
    after: string | undefined,
    limit: number,
  ) => TaskEither<StoreError, ChainHistory | undefined>;

  /**
   * The latest request that is remembered by a name (see `rememberedName`). One that is older than a day may be
   * found or not: who asks looks at its time.
   */
  readonly findRemembered: (name: string) => TaskEither<StoreError, DoneRequest | undefined>;
}
