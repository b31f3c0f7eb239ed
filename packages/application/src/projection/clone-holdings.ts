/** What a cloned book holds to begin with: its event names its source and no prices, and the projection brings these. */
import { setImmediate } from 'node:timers/promises';
import {
  type Adjustment,
  type BookAtRevision,
  type Cell,
  type Cells,
  clonedAdjustments,
  type Currency,
  currencyCodes,
  flattening,
  type OneOrMore,
  type PriceBookId,
  type ProductId,
  type RequestedAdjustment,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { byCodePoints } from '../code-points';
import type { Position } from '../ports/event-store';
import type { ReadModel } from '../ports/read-model';
import { isStoreError, type StoreError } from '../ports/store-error';
import {
  ALL_PRODUCTS,
  type Holder,
  type HoldingsChange,
  type PriceBookChange,
  type ReadModelChange,
} from './changes';

/** Products that are looked at together: each may have tables, so memory is bounded by these. */
const PAGE = 1_000;
/** Adjustments that are applied together, of products that have many planned. */
const MAX_WEIGHT = 3_000;
/** Products after which others are let in. */
const TURN = 100;
/** Rows of one millisecond that are looked at first. */
const ROWS = 100;

/** What is asked of a read model to clone a book in it. */
export type ClonesBooks = Pick<ReadModel, 'apply' | 'findCells' | 'findHoldingsHistory' | 'listHoldings'>;

/** The creation of a book that was cloned from another one. */
type Clone = PriceBookChange & Required<Pick<PriceBookChange, 'clonedFrom'>>;

const isClone = (change: ReadModelChange): change is Clone =>
  change._tag === 'PriceBookChange' && change.clonedFrom !== undefined;

/** The clone among the changes of an event. */
export const cloneIn = (changes: readonly ReadModelChange[]): Clone | undefined => changes.find(isClone);

const oneOrMore = (adjustments: readonly Adjustment[]): OneOrMore<RequestedAdjustment> => {
  const [first, ...others] = adjustments;
  return first === undefined || others.length > 0 ? adjustments : first;
};

/** @throws StoreError */
const orFail = async <A>(result: Promise<E.Either<StoreError, A>>): Promise<A> => {
  const found = await result;
  // A walk has no other way to say why it ends.
  // eslint-disable-next-line @typescript-eslint/only-throw-error
  if (E.isLeft(found)) throw found.left;
  return found.right;
};

/** What a holder had in a currency when its book came to a revision, whatever it has been told since. */
const cellAtRevision = async (
  readModel: ClonesBooks,
  { priceBookId, revision, updatedAt }: BookAtRevision,
  holder: Holder,
  currency: Currency,
): Promise<Cell | undefined> => {
  const before = new Date(Date.parse(updatedAt) - 1).toISOString();
  for (let limit = ROWS; ; limit *= 10) {
    const history = await orFail(
      readModel.findHoldingsHistory(priceBookId, holder as ProductId, currency, before, limit)(),
    );
    if (history === undefined) return undefined;
    const [{ product, allProducts }] = history;
    const { before: cell, rows } = holder === ALL_PRODUCTS ? allProducts : product;
    // A millisecond may hold many: writers that wait share one, and so does all that follows a clock that is set back.
    if (rows.length === limit && rows.every(({ stamp }) => stamp.occurredAt <= updatedAt)) continue;
    const last = rows.findLast(({ stamp }) => stamp.occurredAt <= updatedAt && stamp.revision <= revision);
    return last === undefined ? cell : last.cell;
  }
};

/** The same in some currencies. */
const cellsAtRevision = async (
  readModel: ClonesBooks,
  book: BookAtRevision,
  holder: Holder,
  currencies: readonly Currency[],
): Promise<Cells> => {
  const cells: Partial<Record<Currency, Cell>> = {};
  for (const currency of currencies) {
    const cell = await cellAtRevision(readModel, book, holder, currency);
    if (cell !== undefined) cells[currency] = cell;
  }
  return cells;
};

const allProductsAtRevision = async (readModel: ClonesBooks, book: BookAtRevision): Promise<Cells> => {
  const keys = currencyCodes.map((currency) => ({ holder: ALL_PRODUCTS, currency }) as const);
  const now = await orFail(readModel.findCells(book.priceBookId, keys)());
  const held = currencyCodes.filter((_, place) => now[place] !== undefined);
  return cellsAtRevision(readModel, book, ALL_PRODUCTS, held);
};

const currenciesIn = (cells: Cells): readonly Currency[] => Object.keys(cells) as Currency[];

/** Pages of what the products of some books held when the books came to their revisions, by product and book. */
async function* productsAtRevisions(
  readModel: ClonesBooks,
  books: readonly BookAtRevision[],
): AsyncGenerator<ReadonlyMap<ProductId, ReadonlyMap<PriceBookId, Cells>>> {
  let from: ProductId | undefined;
  do {
    const start = from;
    const parts = await Promise.all(
      books.map(({ priceBookId }) => orFail(readModel.listHoldings(priceBookId, PAGE, start)())),
    );
    // As far as every book has been read.
    from = parts.flatMap(({ next }) => next ?? []).sort(byCodePoints)[0];
    const products = new Map<ProductId, Map<PriceBookId, Cells>>();
    for (const [place, book] of books.entries()) {
      for (const { productId, revision, cells } of parts[place]?.items ?? []) {
        if (from !== undefined && byCodePoints(productId, from) >= 0) break;
        const held = products.get(productId) ?? new Map<PriceBookId, Cells>();
        products.set(productId, held);
        const isNow = revision <= book.revision;
        held.set(
          book.priceBookId,
          isNow ? cells : await cellsAtRevision(readModel, book, productId, currenciesIn(cells)),
        );
      }
    }
    yield products;
  } while (from !== undefined);
}

/** A change that brings a holder of a clone what it begins with, as its first event; none where that is nothing. */
const changeOf = (
  { priceBookId, stamp }: Clone,
  holder: Holder,
  currencies: Iterable<Currency>,
  adjustmentsIn: (currency: Currency) => readonly Adjustment[],
): readonly HoldingsChange[] => {
  const adjustments: Partial<Record<Currency, OneOrMore<RequestedAdjustment>>> = {};
  for (const currency of currencies) {
    const asked = adjustmentsIn(currency);
    if (asked.length > 0) adjustments[currency] = oneOrMore(asked);
  }
  return Object.keys(adjustments).length === 0
    ? []
    : [{ _tag: 'HoldingsChange', priceBookId, holder, stamp, adjustments }];
};

/** What a clone begins with in a currency, by what the books that it is made of hold there for one holder. */
type Begins = (currency: Currency, held: readonly (Cell | undefined)[]) => readonly Adjustment[];

/** Of one that is not flattened: what the source held. */
const asSource =
  (instant: string): Begins =>
  (_currency, [cell]) =>
    cell === undefined ? [] : clonedAdjustments(cell, instant);

/** Of a flattened one: the prices that the chain answers. */
const asPrices = (books: readonly BookAtRevision[], forAll: readonly Cells[], instant: string): Begins => {
  const flattenings = new Map<Currency, ReturnType<typeof flattening>>();
  return (currency, held) => {
    const ofAll = books.map(({ priceBookId }, place) => ({
      priceBookId,
      allProducts: forAll[place]?.[currency],
    }));
    const flatten = flattenings.get(currency) ?? flattening(ofAll, currency, instant);
    flattenings.set(currency, flatten);
    return flatten(held);
  };
};

/** Pages of what the products of a clone begin with. */
async function* productsOf(
  readModel: ClonesBooks,
  clone: Clone,
  books: readonly BookAtRevision[],
  begins: Begins,
  signal: AbortSignal,
): AsyncGenerator<readonly HoldingsChange[]> {
  for await (const products of productsAtRevisions(readModel, books)) {
    let changes: HoldingsChange[] = [];
    let weight = 0;
    let looked = 0;
    for (const [productId, byBook] of products) {
      const currencies = new Set([...byBook.values()].flatMap(currenciesIn));
      const heldIn = (currency: Currency) =>
        books.map(({ priceBookId }) => byBook.get(priceBookId)?.[currency]);
      const begun = changeOf(clone, productId, currencies, (currency) => {
        const adjustments = begins(currency, heldIn(currency));
        weight += adjustments.length;
        return adjustments;
      });
      changes.push(...begun);
      looked += 1;
      if (looked % TURN === 0) await setImmediate();
      if (signal.aborted) return;
      if (weight < MAX_WEIGHT) continue;
      yield changes;
      changes = [];
      weight = 0;
    }
    yield changes;
  }
}

/**
 * Gives the products of a clone what its source held, in a read model that has everything up to the event of the clone.
 * The book is not visible before its own change, which is applied after this. What is cut off is done again: the
 * checkpoint stays where it is.
 *
 * @param checkpoint that of the read model.
 * @returns the changes that are to follow the clone's own; undefined where it was ended by the signal.
 */
export const applyClone = async (
  readModel: ClonesBooks,
  clone: Clone,
  checkpoint: Position,
  signal: AbortSignal,
): Promise<E.Either<StoreError, readonly HoldingsChange[] | undefined>> => {
  const { clonedFrom, flattenedBases, stamp } = clone;
  const books = [clonedFrom, ...(flattenedBases ?? [])];
  const forAll: Cells[] = [];
  /** The page in hand, while the next one is read; nothing ends before it does. */
  let applying: Promise<E.Either<StoreError, void>> = Promise.resolve(E.right(undefined));
  const source = asSource(stamp.occurredAt);
  try {
    for (const book of books) forAll.push(await allProductsAtRevision(readModel, book));
    const begins = flattenedBases === undefined ? source : asPrices(books, forAll, stamp.occurredAt);
    for await (const changes of productsOf(readModel, clone, books, begins, signal)) {
      await orFail(applying);
      applying = readModel.apply(changes, checkpoint, checkpoint)();
    }
    await orFail(applying);
  } catch (failure) {
    if (isStoreError(failure)) return E.left(failure);
    throw failure;
  } finally {
    await applying;
  }
  if (signal.aborted) return E.right(undefined);
  // Flattened, the prices of the products have in them what the source had for all products.
  const cells = flattenedBases === undefined ? (forAll[0] ?? {}) : {};
  return E.right(
    changeOf(clone, ALL_PRODUCTS, currenciesIn(cells), (currency) => source(currency, [cells[currency]])),
  );
};
