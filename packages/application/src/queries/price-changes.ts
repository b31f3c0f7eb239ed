/** What changed the holdings that a price is made of, in the order in which it happened. */
import {
  type Adjustment,
  type BookHoldings,
  type ChainHoldings,
  type PriceBookEvent,
  type PriceBookId,
  type Stamp,
} from '@pricebook/domain';
import type { BookHistory, ChainHistory } from '../ports/read-model';
import type { HistoryRow } from '../projection/holdings-document';
import { existsAt } from '../projection/price-book-document';

/** An event that changed a price. */
export interface PriceCause {
  readonly type: Exclude<PriceBookEvent['type'], 'PriceBookUpdated'>;
  /** The book of the chain in which it happened. */
  readonly priceBookId: PriceBookId;
  readonly revision: number;
  /** The id of the key that asked for it. */
  readonly actor: string;
  /** What was asked; absent where entries or a book came or went. */
  readonly adjustment?: Adjustment;
}

/** What a book of the chain is at an instant. */
interface BookState {
  readonly exists: boolean;
  readonly holdings: BookHoldings;
}

/** A chain at an instant, the book that is asked first. */
export type ChainState = readonly BookState[];

/** One event, as far as it is about the product. */
export interface PriceChange {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly cause: PriceCause;
  readonly apply: (chain: ChainState) => ChainState;
}

/** The chain at the time from which on a history was read. */
export const stateAt = (history: ChainHistory, after: string | undefined): ChainState =>
  history.map((book) => ({
    exists: after !== undefined && existsAt(book, after),
    holdings: {
      priceBookId: book.priceBookId,
      product: book.product.before,
      allProducts: book.allProducts.before,
    },
  }));

/** What counts of a chain: a book that does not exist holds nothing, and asked for a price has no bases. */
export const holdingsIn = (chain: ChainState): ChainHoldings | undefined => {
  const [asked, ...bases] = chain;
  if (asked?.exists !== true) return undefined;
  return [
    asked.holdings,
    ...bases.map(({ exists, holdings }) =>
      exists ? holdings : { priceBookId: holdings.priceBookId, product: undefined, allProducts: undefined },
    ),
  ];
};

const changeOf =
  (place: number, stamp: Stamp, cause: PriceCause) =>
  (apply: (book: BookState) => BookState): PriceChange & { readonly place: number } => ({
    at: stamp.occurredAt,
    place,
    cause,
    apply: (chain) => chain.map((book, index) => (index === place ? apply(book) : book)),
  });

const causeOf = (
  priceBookId: PriceBookId,
  of: 'product' | 'allProducts',
  { adjustment, stamp: { revision, actor } }: HistoryRow,
): PriceCause => {
  const who = { priceBookId, revision, actor };
  const asked = adjustment !== undefined && { adjustment };
  if (of === 'allProducts') return { type: 'AllProductsAdjusted', ...who, ...asked };
  return { type: asked === false ? 'PriceBookEntriesDeleted' : 'ProductPricesSet', ...who, ...asked };
};

const changesOfBook = (
  { priceBookId, created, deleted, product, allProducts }: BookHistory,
  place: number,
): readonly (PriceChange & { readonly place: number })[] => {
  const existence = (
    stamp: Stamp | undefined,
    type: 'PriceBookCreated' | 'PriceBookDeleted',
    exists: boolean,
  ) => {
    if (stamp === undefined) return [];
    const { revision, actor } = stamp;
    return [changeOf(place, stamp, { type, priceBookId, revision, actor })((book) => ({ ...book, exists }))];
  };
  const holdings = (rows: readonly HistoryRow[], of: 'product' | 'allProducts') =>
    rows.map((row) =>
      changeOf(
        place,
        row.stamp,
        causeOf(priceBookId, of, row),
      )((book) => ({
        ...book,
        holdings: { ...book.holdings, [of]: row.cell },
      })),
    );
  return [
    ...existence(created, 'PriceBookCreated', true),
    ...holdings(product.rows, 'product'),
    ...holdings(allProducts.rows, 'allProducts'),
    ...existence(deleted, 'PriceBookDeleted', false),
  ];
};

/**
 * What changed a chain after a time, and before another where one is given: by time, and what happened in one
 * instant from the root to the book that is asked, in each book by revision.
 */
export const changesIn = (
  history: ChainHistory,
  after: string | undefined,
  before: string | undefined,
): readonly PriceChange[] =>
  history
    .flatMap(changesOfBook)
    .filter(({ at }) => (after === undefined || at > after) && (before === undefined || at < before))
    .sort((a, b) => {
      if (a.at !== b.at) return a.at < b.at ? -1 : 1;
      return b.place - a.place || a.cause.revision - b.cause.revision;
    });
