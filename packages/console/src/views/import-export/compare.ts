/** What a file would change of a book's own prices: what the book has and what it would have, product by product. */
import { ALL, csvLine, type HolderPrices, holderOf, requestedRows, type SheetCells } from '@pricebook/domain';
import { createBreather } from './breather';
import { cellInWords } from './cell-in-words';
import { createRowReader } from './read-rows';

/** So many changes are listed. */
const MAX_LISTED = 100;

interface Change {
  /** Undefined for what holds for all products. */
  readonly productId: string | undefined;
  readonly currency: string;
  readonly kind: 'new' | 'changed' | 'removed';
  readonly before: string;
  readonly after: string;
}

export interface Comparison {
  /** By product and currency. */
  readonly counts: Readonly<Record<Change['kind'] | 'unchanged', number>>;
  /** The first ones. */
  readonly changes: readonly Change[];
}

/** What one product has in one currency: its price, what changes it, and what is dated, each as rows. */
type Cell = Map<string, SheetCells[]>;

/** By currency. */
type Cells = Map<string, Cell>;

const CHANGES: readonly string[] = ['percent', 'fixedAmount'];

const placeOf = ({ type, validFrom, validUntil }: SheetCells): string => {
  if (validFrom !== '' || validUntil !== '') return `${validFrom} ${validUntil}`;
  return CHANGES.includes(type) ? 'change' : 'price';
};

const PLACES_WITHOUT_DATES = ['price', 'change'];

const cellsOf = (rows: readonly SheetCells[]): Cells => {
  const cells: Cells = new Map();
  for (const row of rows) {
    const cell: Cell = cells.get(row.currency) ?? new Map<string, SheetCells[]>();
    cells.set(row.currency, cell);
    const place = placeOf(row);
    cell.set(place, [...(cell.get(place) ?? []), row]);
  }
  return cells;
};

/** What is there after a request, by the rules of docs/prices.md. */
const afterwards = (before: Cell, set: Cell, hasBase: boolean): Cell => {
  const after: Cell = new Map(before);
  const isRemoved = set.get('price')?.[0]?.type === 'null';
  if (isRemoved) after.clear();
  else if (set.has('price') || (hasBase && set.has('change'))) {
    // A price drops the percent; in a book with a base each of them drops the other.
    for (const place of PLACES_WITHOUT_DATES) after.delete(place);
  }
  for (const [place, rows] of set) {
    const type = rows[0]?.type;
    if (type === 'cancel') after.delete(place);
    else if (type !== 'null' || !PLACES_WITHOUT_DATES.includes(place)) after.set(place, rows);
  }
  if (hasBase && set.has('price') && set.has('change')) after.delete('price');
  return after;
};

const textOf = (cell: Cell): string =>
  [...cell.keys()]
    .sort()
    .map((place) => (cell.get(place) ?? []).map(csvLine).join(''))
    .join('');

const kindOf = (before: Cell, after: Cell): keyof Comparison['counts'] => {
  if (textOf(before) === textOf(after)) return 'unchanged';
  if (before.size === 0) return 'new';
  return after.size === 0 ? 'removed' : 'changed';
};

/** The rows that the book has for those in the file. */
const ownRows = async (
  book: ReadableStream<Uint8Array>,
  holders: ReadonlyMap<string, HolderPrices>,
): Promise<ReadonlyMap<string, readonly SheetCells[]>> => {
  const found = new Map<string, SheetCells[]>();
  const read = createRowReader();
  const breathe = createBreather();
  const take = (text: string, isLast: boolean): void => {
    for (const row of read(text, isLast).rows) {
      const holder = holderOf(row);
      if (!holders.has(holder)) continue;
      const others = found.get(holder);
      if (others === undefined) found.set(holder, [row.cells]);
      else others.push(row.cells);
    }
  };
  const decoder = new TextDecoder();
  const reader = book.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    take(decoder.decode(value, { stream: true }), false);
    await breathe();
  }
  take(decoder.decode(), true);
  return found;
};

/**
 * @param book all that it has, as CSV.
 * @param holders what the file sets, by product id.
 * @throws Error where the answer breaks off.
 */
export const compare = async (
  book: ReadableStream<Uint8Array>,
  holders: ReadonlyMap<string, HolderPrices>,
  hasBase: boolean,
): Promise<Comparison> => {
  const own = await ownRows(book, holders);
  const breathe = createBreather();
  const counts = { new: 0, changed: 0, removed: 0, unchanged: 0 };
  const changes: Change[] = [];
  for (const [holder, prices] of holders) {
    await breathe();
    const before = cellsOf(own.get(holder) ?? []);
    for (const [currency, set] of cellsOf(requestedRows(holder, prices))) {
      const held: Cell = before.get(currency) ?? new Map<string, SheetCells[]>();
      const after = afterwards(held, set, hasBase);
      const kind = kindOf(held, after);
      counts[kind] += 1;
      if (kind === 'unchanged' || changes.length >= MAX_LISTED) continue;
      changes.push({
        productId: holder === ALL ? undefined : holder,
        currency,
        kind,
        before: cellInWords([...held.values()].flat(), currency),
        after: cellInWords([...after.values()].flat(), currency),
      });
    }
  }
  return { counts, changes };
};
