/** What a batch of changes is folded into: the documents that it touches, loaded together before they are written. */
import {
  ALL_PRODUCTS,
  EVERY_CURRENCY,
  firstRowOf,
  type HistoryRow,
  type Holder,
  type HoldingsChange,
  type ReadModelChange,
} from '@pricebook/application';
import type { Currency, PriceBookId } from '@pricebook/domain';
import type { Collections } from './collections';
import {
  bookName,
  type BookState,
  type CellDocument,
  cellName,
  type CellState,
  type CurrencyOrEvery,
  rowName,
  toRow,
} from './documents';
import { findByNames, type Server } from './server';

/** A document as it was loaded, and as it is to be. */
export interface Tracked<State> {
  readonly loaded: State | undefined;
  state: State | undefined;
  /** Whether a change was put into its past, so that it differs though its revision may not. */
  isRewritten: boolean;
}

/** What a product has, in the currencies that the batch is about or in all. */
export interface TrackedHolder {
  readonly book: PriceBookId;
  readonly holder: Holder;
  readonly cells: Map<CurrencyOrEvery, Tracked<CellState>>;
  /** Rows to be added. */
  rows: HistoryRow[];
  /** Whether they take the place of all that are stored. */
  replacesRows: boolean;
}

export interface WorkingSet {
  readonly book: (id: PriceBookId) => Tracked<BookState>;
  readonly holder: (id: PriceBookId, holder: Holder) => TrackedHolder;
  readonly books: ReadonlyMap<PriceBookId, Tracked<BookState>>;
  readonly holders: ReadonlyMap<string, TrackedHolder>;
  /** Whether the row of a change that may have been applied before is stored. */
  readonly hasRow: (name: string) => boolean;
  readonly storedRows: (book: PriceBookId, holder: Holder) => Promise<readonly HistoryRow[]>;
}

const track = <State>(loaded: State | undefined): Tracked<State> => ({
  loaded,
  state: loaded,
  isRewritten: false,
});

const currenciesOf = ({ adjustments }: HoldingsChange): readonly Currency[] =>
  adjustments === 'removeAll' ? [] : (Object.keys(adjustments) as Currency[]);

/** The value of a map, made where it is missing. */
const obtain = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const found = map.get(key);
  if (found !== undefined) return found;
  const made = make();
  map.set(key, made);
  return made;
};

/**
 * Loads what a batch touches: in one round trip, and two more where a product loses all that it has, or where
 * changes come again.
 *
 * A change that is newer than its book comes in order: of its product only the currencies that it sets are needed.
 * For any other one, all that the product has is loaded, and it is looked whether its row is there.
 */
export const loadWorkingSet = async (
  server: Server,
  { current, history }: Collections,
  changes: readonly ReadModelChange[],
): Promise<WorkingSet> => {
  const books = new Map<PriceBookId, Tracked<BookState>>();
  const holders = new Map<string, TrackedHolder>();
  const holder = (book: PriceBookId, name: Holder): TrackedHolder =>
    obtain(holders, `${book}/${name}`, () => ({
      book,
      holder: name,
      cells: new Map(),
      rows: [],
      replacesRows: false,
    }));

  const holdings = changes.filter((change) => change._tag === 'HoldingsChange');
  const ofProducts = holdings.filter((change) => change.holder !== ALL_PRODUCTS);

  const ids = [...new Set(changes.map(({ priceBookId }) => priceBookId))];
  const cellNames = ofProducts.flatMap((change) =>
    currenciesOf(change).map((currency) => cellName(change.priceBookId, change.holder, currency)),
  );
  const names = [...new Set([...ids.map(bookName), ...cellNames])];
  const found = await server.command(() => findByNames(server, current, names));
  for (const id of ids) books.set(id, track(found.get(bookName(id))?.state as BookState | undefined));
  for (const change of ofProducts) {
    const { cells } = holder(change.priceBookId, change.holder);
    for (const currency of currenciesOf(change)) {
      const name = cellName(change.priceBookId, change.holder, currency);
      cells.set(currency, track(found.get(name)?.state));
    }
  }

  const isNewer = (change: HoldingsChange): boolean => {
    const { priceBookId, stamp } = change;
    const { cells } = holder(priceBookId, change.holder);
    return [books.get(priceBookId), ...currenciesOf(change).map((currency) => cells.get(currency))].every(
      (tracked) => tracked?.loaded === undefined || stamp.revision > tracked.loaded.revision,
    );
  };
  const again = holdings.filter((change) => !isNewer(change));

  const wholly = new Map<PriceBookId, Set<Holder>>();
  for (const change of [...again, ...holdings.filter(({ adjustments }) => adjustments === 'removeAll')]) {
    if (change.holder === ALL_PRODUCTS) continue;
    obtain(wholly, change.priceBookId, () => new Set<Holder>()).add(change.holder);
    obtain(holder(change.priceBookId, change.holder).cells, EVERY_CURRENCY, () =>
      track<CellState>(undefined),
    );
  }
  await Promise.all(
    [...wholly].map(async ([book, named]) => {
      const filter = { book, holder: { $in: [...named] } };
      const documents = (await server.command(() =>
        current.find(filter).toArray(),
      )) as readonly CellDocument[];
      for (const document of documents) {
        holder(book, document.holder).cells.set(document.currency, track(document.state));
      }
    }),
  );

  const rowNames = again.map((change) => rowName(change.priceBookId, change.holder, firstRowOf(change)));
  const stored = await server.command(() => findByNames(server, history, [...new Set(rowNames)]));

  return {
    book: (id) => obtain(books, id, () => track<BookState>(undefined)),
    holder,
    books,
    holders,
    hasRow: (name) => stored.has(name),
    storedRows: async (book, name) => {
      const rows = await server.command(() => history.find({ book, holder: name }).toArray());
      return rows.map(toRow);
    },
  };
};
