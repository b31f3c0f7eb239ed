/**
 * What a file would change of a book's own prices: what the book has and what it would have, product by product, by the
 * same code as the service.
 */
import {
  type Adjustment,
  ALL,
  type Cell,
  cellAfter,
  type Currency,
  csvLine,
  holderOf,
  ownPricesOf,
  readHolder,
  type RequestedAdjustment,
  requestedRows,
  type SheetRow,
  type Stamp,
} from '@pricebook/domain';
import { adjustmentText, type AnyAdjustment } from '../../ui/adjustment-words';
import { createBreather } from './breather';
import { differingRows } from './differing-rows';
import type { PlannedHolder } from './plan-requests';
import { createRowReader, PIECE } from './read-rows';

/** So many changes are listed. */
const MAX_LISTED = 100;

interface Change {
  /** Undefined for what holds for all products. */
  readonly productId: string | undefined;
  readonly currency: string;
  readonly kind: 'new' | 'changed' | 'removed';
  readonly before: string;
  readonly after: string;
  /** Which rows of a table differ: long ones read the same. */
  readonly rows: string | undefined;
}

export interface Comparison {
  /** By product and currency. */
  readonly counts: Readonly<Record<Change['kind'] | 'unchanged', number>>;
  /** The first ones. */
  readonly changes: readonly Change[];
}

/** What a product has of its own in one currency. */
type Own = readonly Adjustment[];

interface Moment {
  readonly before: Stamp;
  readonly after: Stamp;
}

const momentOf = (now: number): Moment => {
  const at = (ms: number): string => new Date(ms).toISOString();
  return {
    before: { revision: 0, occurredAt: at(now - 1), actor: '' },
    after: { revision: 1, occurredAt: at(now), actor: '' },
  };
};

/** What the book has of one holder, read from its rows. */
const heldIn = (
  [first, ...others]: readonly SheetRow[],
  { before }: Moment,
): ReadonlyMap<string, Cell | undefined> => {
  if (first === undefined) return new Map();
  const read = readHolder([first, ...others]);
  if (read._tag === 'Left') throw new Error('The book has rows that this page does not know.');
  return new Map(
    (Object.entries(read.right) as [string, readonly RequestedAdjustment[]][]).map(
      ([currency, adjustments]) => [currency, cellAfter(undefined, adjustments, before)],
    ),
  );
};

const ownOf = (currency: Currency, cell: Cell | undefined, isRoot: boolean, { after }: Moment): Own => {
  const own = cell && ownPricesOf({ [currency]: cell }, isRoot, after.occurredAt);
  return [own?.adjustments[currency], own?.percents[currency], ...(own?.dated[currency] ?? [])].filter(
    (adjustment) => adjustment !== undefined,
  );
};

/** The order of what is dated is no difference. */
const csvOf = (own: Own, currency: Currency): string =>
  own
    .map((adjustment) =>
      requestedRows('', { [currency]: [adjustment] })
        .map(csvLine)
        .join(''),
    )
    .sort()
    .join('');

const inWords = (own: Own, currency: Currency): string =>
  // The types of the API are the same, but for `readonly`.
  own.map((one) => adjustmentText(one as AnyAdjustment, currency)).join(', ') || '–';

const kindOf = (before: Own, after: Own, currency: Currency): keyof Comparison['counts'] => {
  if (csvOf(before, currency) === csvOf(after, currency)) return 'unchanged';
  if (before.length === 0) return 'new';
  return after.length === 0 ? 'removed' : 'changed';
};

/** The rows that the book has for those in the file. */
const ownRows = async (
  book: ReadableStream<Uint8Array>,
  holders: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly SheetRow[]>> => {
  const found = new Map<string, SheetRow[]>();
  const read = createRowReader();
  const breathe = createBreather();
  const take = (text: string, isLast = false): void => {
    for (const row of read(text, isLast).rows) {
      const holder = holderOf(row);
      if (!holders.has(holder)) continue;
      const others = found.get(holder);
      if (others === undefined) found.set(holder, [row]);
      else others.push(row);
    }
  };
  const decoder = new TextDecoder();
  const reader = book.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    // What has been waiting comes as one piece, however large it is.
    for (let start = 0; start < value.length; start += PIECE) {
      take(decoder.decode(value.subarray(start, start + PIECE), { stream: true }));
      await breathe();
    }
  }
  take(decoder.decode(), true);
  return found;
};

/**
 * @param book all that it has, as CSV.
 * @param asked what the file sets.
 * @throws Error where the answer breaks off.
 */
export const compare = async (
  book: ReadableStream<Uint8Array>,
  asked: readonly PlannedHolder[],
  isRoot: boolean,
): Promise<Comparison> => {
  const rowsOf = await ownRows(book, new Set(asked.map(([holder]) => holder)));
  const breathe = createBreather();
  const moment = momentOf(Date.now());
  const counts = { new: 0, changed: 0, removed: 0, unchanged: 0 };
  const changes: Change[] = [];
  for (const [holder, prices] of asked) {
    await breathe();
    const held = heldIn(rowsOf.get(holder) ?? [], moment);
    for (const [currency, adjustments] of Object.entries(prices) as [
      Currency,
      readonly RequestedAdjustment[],
    ][]) {
      const cell = held.get(currency);
      const before = ownOf(currency, cell, isRoot, moment);
      const after = ownOf(currency, cellAfter(cell, adjustments, moment.after), isRoot, moment);
      const kind = kindOf(before, after, currency);
      counts[kind] += 1;
      if (kind === 'unchanged' || changes.length >= MAX_LISTED) continue;
      changes.push({
        productId: holder === ALL ? undefined : holder,
        currency,
        kind,
        before: inWords(before, currency),
        after: inWords(after, currency),
        rows: differingRows(before, after, currency),
      });
    }
  }
  return { counts, changes };
};
