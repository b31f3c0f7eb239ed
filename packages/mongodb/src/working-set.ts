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
import {
  type Currency,
  isAbsolute,
  isDated,
  listed,
  type OneOrMore,
  type PriceBookId,
  type RequestedAdjustment,
} from '@pricebook/domain';
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
  /** Whether they take the place of those that are stored. */
  replacesRows: boolean;
  /** The stored ones, where they were read. */
  storedRows: readonly HistoryRow[];
  /** The names of those rows by which changes that were put into the past are known to have been applied. */
  readonly proofs: Set<string>;
}

export interface WorkingSet {
  readonly book: (id: PriceBookId) => Tracked<BookState>;
  readonly holder: (id: PriceBookId, holder: Holder) => TrackedHolder;
  readonly books: ReadonlyMap<PriceBookId, Tracked<BookState>>;
  readonly holders: ReadonlyMap<string, TrackedHolder>;
  /** By name, the last revisions that named them. */
  readonly boundaries: Map<string, number>;
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

type Asked = OneOrMore<RequestedAdjustment>;

/** Whether what comes out of it hangs on what is there, unless that is dated: it sets a price from now on. */
const beginsAnew = (asked: Asked): boolean =>
  listed(asked).every((one) => one.type !== 'cancel' && isAbsolute(one) && !isDated(one));

/** The first change of a batch in each currency of each product. */
const firstChanges = (
  changes: readonly HoldingsChange[],
): ReadonlyMap<string, { readonly book: PriceBookId; readonly asked: Asked }> => {
  const first = new Map<string, { readonly book: PriceBookId; readonly asked: Asked }>();
  for (const { priceBookId, holder, adjustments } of changes) {
    if (adjustments === 'removeAll') continue;
    for (const [currency, asked] of Object.entries(adjustments) as [Currency, Asked][]) {
      const name = cellName(priceBookId, holder, currency);
      if (!first.has(name)) first.set(name, { book: priceBookId, asked });
    }
  }
  return first;
};

/**
 * Loads what a batch touches, as far as it makes a difference.
 *
 * A change that is newer than its book comes in order: of its product only the currencies that it sets are needed,
 * and those not that begin again with an absolute adjustment, where nothing in the book was ever dated. For any other change all that the product has is
 * loaded, and it is looked whether its row is there.
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
      storedRows: [],
      proofs: new Set(),
    }));
  const find = (names: readonly string[]) => findByNames(current, names, server.read);
  const holdings = changes.filter((change) => change._tag === 'HoldingsChange');
  const ofProducts = holdings.filter((change) => change.holder !== ALL_PRODUCTS);

  const ids = [...new Set(changes.map(({ priceBookId }) => priceBookId))];
  const firsts = firstChanges(ofProducts);
  const needed = [...firsts].filter(([, { asked }]) => !beginsAnew(asked)).map(([name]) => name);
  const found = new Map(await find([...ids.map(bookName), ...needed]));
  const stateOf = (name: string) => found.get(name)?.state;
  const hasDated = (id: PriceBookId) => (stateOf(bookName(id)) as BookState | undefined)?.hasDated === true;
  const others = [...firsts].filter(([, { asked, book }]) => beginsAnew(asked) && hasDated(book));
  for (const [name, document] of await find(others.map(([name]) => name))) found.set(name, document);
  for (const id of ids) books.set(id, track(stateOf(bookName(id)) as BookState | undefined));
  for (const change of ofProducts) {
    const { cells } = holder(change.priceBookId, change.holder);
    for (const currency of currenciesOf(change)) {
      const name = cellName(change.priceBookId, change.holder, currency);
      cells.set(currency, track(stateOf(name)));
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
      const documents = (await server.read(() => current.find(filter).toArray())) as readonly CellDocument[];
      for (const document of documents) {
        holder(book, document.holder).cells.set(document.currency, track(document.state));
      }
    }),
  );

  // Another projector may have come further since the book was read: then its rows are there as well.
  const isPassed = ({ priceBookId, holder: name, stamp }: HoldingsChange): boolean =>
    [books.get(priceBookId), ...holder(priceBookId, name).cells.values()].some(
      (tracked) => tracked?.loaded !== undefined && stamp.revision <= tracked.loaded.revision,
    );
  const asked = new Set([...again, ...holdings.filter(isPassed)]);
  const rowNames = [...asked].map((change) => rowName(change.priceBookId, change.holder, firstRowOf(change)));
  const rows = await findByNames(history, [...new Set(rowNames)], server.read);

  return {
    book: (id) => obtain(books, id, () => track<BookState>(undefined)),
    holder,
    books,
    holders,
    boundaries: new Map(),
    hasRow: (name) => rows.has(name),
    storedRows: async (book, name) => {
      const found = await server.read(() => history.find({ book, holder: name }).toArray());
      return found.map(toRow);
    },
  };
};
