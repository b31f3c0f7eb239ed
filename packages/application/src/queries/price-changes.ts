/** What changed the holdings that a price is made of, in the order in which it happened. */
import {
  type BookHoldings,
  nextBoundary as nextBoundaryIn,
  type Cell,
  type ChainHoldings,
  listed,
  type PriceBookEvent,
  type PriceBookId,
  type RequestedAdjustment,
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
  /** Why, in the words of the client; absent where it gave no reason. */
  readonly reason?: string;
  /** What was asked; absent where entries or a book came or went. Of several, the one that decides the price. */
  readonly adjustment?: RequestedAdjustment;
  /** Where nothing happened but that the adjustment began or ended, as it was planned. */
  readonly planned?: 'begins' | 'ends';
}

/** What a book of the chain is at an instant. */
interface BookState {
  readonly exists: boolean;
  readonly holdings: BookHoldings<Cell>;
}

/** A chain at an instant, the book that is asked first. */
export type ChainState = readonly BookState[];

/** One event, as far as it is about the product, or something planned that begins or ends. */
export interface PriceChange {
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Without what was asked, of which there may be several. */
  readonly cause: Omit<PriceCause, 'adjustment'>;
  readonly asked: readonly RequestedAdjustment[];
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
export const holdingsIn = (chain: ChainState): ChainHoldings<Cell> | undefined => {
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
  (place: number, stamp: Stamp, cause: PriceChange['cause'], asked: PriceChange['asked'] = []) =>
  (apply: (book: BookState) => BookState): PriceChange & { readonly place: number } => ({
    at: stamp.occurredAt,
    place,
    cause,
    asked,
    apply: (chain) => chain.map((book, index) => (index === place ? apply(book) : book)),
  });

type Of = 'product' | 'allProducts';

/** What a cause says of its event. */
const sourceOf = ({ revision, actor, reason }: Stamp): Pick<PriceCause, 'revision' | 'actor' | 'reason'> =>
  reason === undefined ? { revision, actor } : { revision, actor, reason };

const causeOf = (
  priceBookId: PriceBookId,
  of: Of,
  { adjustment, stamp }: HistoryRow,
): PriceChange['cause'] => {
  const set = of === 'allProducts' ? 'AllProductsAdjusted' : 'ProductPricesSet';
  const later = adjustment === undefined ? 'PriceBookEntriesDeleted' : set;
  return {
    // What a book holds with its first event it has from its source.
    type: stamp.revision === 0 ? 'PriceBookCloned' : later,
    priceBookId,
    ...sourceOf(stamp),
  };
};

const changesOfBook = (
  { priceBookId, created, lifecycle = [], product, allProducts }: BookHistory,
  place: number,
): readonly (PriceChange & { readonly place: number })[] => {
  const existence = (type: PriceCause['type'], stamp: Stamp) =>
    changeOf(place, stamp, { type, priceBookId, ...sourceOf(stamp) })((book) => ({
      ...book,
      exists: type !== 'PriceBookDeleted',
    }));
  const holdings = (rows: readonly HistoryRow[], of: Of) =>
    rows.map((row) =>
      changeOf(
        place,
        row.stamp,
        causeOf(priceBookId, of, row),
        row.adjustment === undefined ? [] : listed(row.adjustment),
      )((book) => ({
        ...book,
        holdings: { ...book.holdings, [of]: row.cell },
      })),
    );
  return [
    ...(created === undefined
      ? []
      : [existence(created.clonedFrom === undefined ? 'PriceBookCreated' : 'PriceBookCloned', created)]),
    ...holdings(product.rows, 'product'),
    ...holdings(allProducts.rows, 'allProducts'),
    ...lifecycle.map((event) => existence(event.type, event)),
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

/** The next instant after another at which something begins or ends in a chain, as it is planned. */
export const nextBoundary = (chain: ChainState, after: string): string | undefined => {
  const holdings = holdingsIn(chain);
  return holdings && nextBoundaryIn(holdings, after);
};

/** What begins and then what ends at an instant in a chain, as it is planned. */
export const plannedChanges = (chain: ChainState, at: string): readonly PriceChange[] => {
  const entries = chain
    .toReversed()
    .flatMap(({ holdings }) =>
      (['allProducts', 'product'] as const).flatMap((of) =>
        (holdings[of]?.dated ?? []).map((entry) => ({ ...entry, of, priceBookId: holdings.priceBookId })),
      ),
    );
  return (['begins', 'ends'] as const).flatMap((planned) =>
    entries
      .filter(({ adjustment }) => adjustment[planned === 'begins' ? 'validFrom' : 'validUntil'] === at)
      .map(({ adjustment, of, priceBookId, ...stamp }) => ({
        at,
        cause: {
          type: of === 'product' ? ('ProductPricesSet' as const) : ('AllProductsAdjusted' as const),
          priceBookId,
          ...sourceOf(stamp),
          planned,
        },
        asked: [adjustment],
        apply: (state: ChainState) => state,
      })),
  );
};
