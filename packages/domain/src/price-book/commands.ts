/** What can be asked of a price book. */
import type { Adjustments, AllProductsAdjustments } from '../adjustments/adjustments';
import type { Currency } from '../currency';
import type { PriceBookId, ProductId } from '../identifiers';
import type { Metadata } from './details';
import type { BookAtRevision } from './events';
import type { PriceBookState } from './state';

/** The book that another names as its base, as found. */
export interface BaseBook {
  readonly priceBookId: PriceBookId;
  readonly state: PriceBookState;
  /** Its own chain of bases, nearest first. */
  readonly basePriceBookIds: readonly PriceBookId[];
}

/** Why a book cannot have a key. */
export type KeyRefusal =
  | {
      readonly _tag: 'PriceBookKeyTaken';
      readonly key: string;
      /** The book that has it. */
      readonly priceBookId: PriceBookId;
      /** Whether that book does not have it yet, but is being given it. */
      readonly isPending: boolean;
    }
  | { readonly _tag: 'PriceBookNotFound' }
  | { readonly _tag: 'RevisionMismatch'; readonly actual: number };

export interface CreatePriceBook {
  readonly _tag: 'CreatePriceBook';
  readonly name: string;
  readonly description: string;
  readonly base?: BaseBook;
  readonly key?: string;
  readonly metadata?: Metadata;
  /** Why the key cannot be given to the book. */
  readonly keyRefusal?: KeyRefusal | undefined;
}

/** Creates a book that holds what another one does. */
export interface ClonePriceBook {
  readonly _tag: 'ClonePriceBook';
  readonly name: string;
  readonly description: string;
  readonly key?: string;
  readonly metadata?: Metadata;
  /** The book to clone, its base, the base of that and so on, as found; empty where there is no such book. */
  readonly chain: readonly BookAtRevision[];
  /** Whether the new book is a root that has the prices of the source as its own. */
  readonly flattensBase: boolean;
  /** What the chain plans for all products in a currency, where that is too much to be flattened. */
  readonly crowded?: Crowded | undefined;
  /** Why the key cannot be given to the book. */
  readonly keyRefusal?: KeyRefusal | undefined;
}

/** Changes the fields that are given. */
export interface UpdatePriceBook {
  readonly _tag: 'UpdatePriceBook';
  readonly name?: string;
  readonly description?: string;
  /** Null takes it away. */
  readonly key?: string | null;
  /** All of it. */
  readonly metadata?: Metadata;
  /** Why the key cannot be given to the book. */
  readonly keyRefusal?: KeyRefusal | undefined;
}

export interface DeletePriceBook {
  readonly _tag: 'DeletePriceBook';
  /** Books that have this one as their base. */
  readonly derivedPriceBookIds: readonly PriceBookId[];
}

/** Makes a deleted book what it was again. */
export interface RestorePriceBook {
  readonly _tag: 'RestorePriceBook';
  /** The revision of the deletion that the rest of the command goes by; absent where none was found. */
  readonly deletion?: number | undefined;
  /** Absent where it had none. */
  readonly base?: BaseBook | undefined;
  /** The key that it gets; null for none, absent for the one that it had. */
  readonly key?: string | null;
  /** Why the key cannot be given to the book. */
  readonly keyRefusal?: KeyRefusal | undefined;
}

/** What to do with one product; a product without adjustments is left as it is. */
export interface ProductItem {
  readonly productId: ProductId;
  readonly adjustments: Adjustments;
}

/** A holder, a product or `all`, that would have more dated adjustments in a currency than it can. */
export interface Crowded {
  readonly holder: string;
  readonly currency: Currency;
}

interface SetsPrices {
  /** One that the command would bring over the bound, as the read side knows. */
  readonly crowded?: Crowded | undefined;
}

export interface SetProductPrices extends SetsPrices {
  readonly _tag: 'SetProductPrices';
  readonly items: readonly ProductItem[];
}

export interface AdjustAllProducts extends SetsPrices {
  readonly _tag: 'AdjustAllProducts';
  readonly adjustments: AllProductsAdjustments;
}

/** What a price sheet says: in this order, all or nothing. */
export interface SetPriceSheet extends SetsPrices {
  readonly _tag: 'SetPriceSheet';
  readonly items: readonly ProductItem[];
  readonly allProducts: AllProductsAdjustments;
}

export type SetPrices = SetProductPrices | AdjustAllProducts | SetPriceSheet;

export interface DeletePriceBookEntries {
  readonly _tag: 'DeletePriceBookEntries';
  readonly productIds: readonly ProductId[];
}

export type PriceBookCommand =
  | CreatePriceBook
  | ClonePriceBook
  | UpdatePriceBook
  | DeletePriceBook
  | RestorePriceBook
  | SetProductPrices
  | AdjustAllProducts
  | SetPriceSheet
  | DeletePriceBookEntries;
