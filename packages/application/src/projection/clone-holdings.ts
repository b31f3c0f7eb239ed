/** What a cloned book holds to begin with: its event names its source and no prices, and the projection brings these. */
import {
  type Adjustment,
  type Adjustments,
  type BookAtRevision,
  type Cell,
  type Cells,
  type ChainHoldings,
  clonedAdjustments,
  type Currency,
  currencyCodes,
  flattenedAdjustments,
  type PriceBookId,
  type ProductId,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { byCodePoints } from '../code-points';
import type { Position } from '../ports/event-store';
import type { ReadModel } from '../ports/read-model';
import type { StoreError } from '../ports/store-error';
import {
  ALL_PRODUCTS,
  type Holder,
  type HoldingsChange,
  type PriceBookChange,
  type ReadModelChange,
} from './changes';

/** Products that are looked at together. */
const PAGE = 1_000;
/** Rows of one millisecond that are looked at together. */
const ROWS = 100;

/** What is asked of a read model to clone a book in it. */
export type ClonesBooks = Pick<ReadModel, 'apply' | 'findCells' | 'findHoldingsHistory' | 'listHoldings'>;

/** The creation of a book that was cloned from another one. */
type Clone = PriceBookChange & Required<Pick<PriceBookChange, 'clonedFrom'>>;

const isClone = (change: ReadModelChange): change is Clone =>
  change._tag === 'PriceBookChange' && change.clonedFrom !== undefined;

/** The clone among the changes of an event. */
export const cloneIn = (changes: readonly ReadModelChange[]): Clone | undefined => changes.find(isClone);

/** Cells by currency of a product in one of the books. */
type HeldIn = (priceBookId: PriceBookId, currency: Currency) => Cell | undefined;

const oneOrMore = (adjustments: readonly Adjustment[]): Adjustment | readonly Adjustment[] => {
  const [first, ...others] = adjustments;
  return first === undefined || others.length > 0 ? adjustments : first;
};

/** Ends a walk where a store fails. */
class Failed extends Error {
  constructor(readonly error: StoreError) {
    super(error._tag);
  }
}

const orFail = async <A>(result: Promise<E.Either<StoreError, A>>): Promise<A> => {
  const found = await result;
  if (E.isLeft(found)) throw new Failed(found.left);
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
  const history = await orFail(
    readModel.findHoldingsHistory(priceBookId, holder as ProductId, currency, before, ROWS)(),
  );
  if (history === undefined) return undefined;
  const [{ product, allProducts }] = history;
  const series = holder === ALL_PRODUCTS ? allProducts : product;
  const last = series.rows.findLast(
    ({ stamp }) => stamp.occurredAt <= updatedAt && stamp.revision <= revision,
  );
  return last === undefined ? series.before : last.cell;
};

const allProductsAtRevision = async (readModel: ClonesBooks, book: BookAtRevision): Promise<Cells> => {
  const keys = currencyCodes.map((currency) => ({ holder: ALL_PRODUCTS, currency }) as const);
  const now = await orFail(readModel.findCells(book.priceBookId, keys)());
  const cells: Partial<Record<Currency, Cell>> = {};
  for (const [place, { currency }] of keys.entries()) {
    if (now[place] === undefined) continue;
    const cell = await cellAtRevision(readModel, book, ALL_PRODUCTS, currency);
    if (cell !== undefined) cells[currency] = cell;
  }
  return cells;
};

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
        if (revision <= book.revision) held.set(book.priceBookId, cells);
        else {
          const then: Partial<Record<Currency, Cell>> = {};
          for (const currency of Object.keys(cells) as Currency[]) {
            const cell = await cellAtRevision(readModel, book, productId, currency);
            if (cell !== undefined) then[currency] = cell;
          }
          held.set(book.priceBookId, then);
        }
      }
    }
    yield products;
  } while (from !== undefined);
}

/** Pages of changes that give a clone what its source held, as its first event. */
async function* holdingsOf(readModel: ClonesBooks, clone: Clone): AsyncGenerator<readonly HoldingsChange[]> {
  const { priceBookId, stamp, clonedFrom, flattenedBases = [] } = clone;
  const { occurredAt } = stamp;
  const books = [clonedFrom, ...flattenedBases] as const;
  const forAll = new Map<PriceBookId, Cells>();
  for (const book of books) forAll.set(book.priceBookId, await allProductsAtRevision(readModel, book));

  const changeOf = (
    holder: Holder,
    currencies: Iterable<Currency>,
    adjustmentsIn: (currency: Currency) => readonly Adjustment[],
  ): readonly HoldingsChange[] => {
    const adjustments: Partial<Record<Currency, unknown>> = {};
    for (const currency of currencies) {
      const asked = adjustmentsIn(currency);
      if (asked.length > 0) adjustments[currency] = oneOrMore(asked);
    }
    return Object.keys(adjustments).length === 0
      ? []
      : [{ _tag: 'HoldingsChange', priceBookId, holder, stamp, adjustments: adjustments as Adjustments }];
  };

  const cloned = (held: HeldIn) => (currency: Currency) => {
    const cell = held(clonedFrom.priceBookId, currency);
    return cell === undefined ? [] : clonedAdjustments(cell, occurredAt);
  };

  const flattened = (held: HeldIn) => (currency: Currency) => {
    const holdingsIn = ({ priceBookId: id }: BookAtRevision) => ({
      priceBookId: id,
      product: held(id, currency),
      allProducts: forAll.get(id)?.[currency],
    });
    const chain: ChainHoldings<Cell> = [holdingsIn(clonedFrom), ...flattenedBases.map(holdingsIn)];
    return flattenedAdjustments(chain, currency, occurredAt);
  };

  const isFlattened = flattenedBases.length > 0;
  if (!isFlattened) {
    const cells = forAll.get(clonedFrom.priceBookId) ?? {};
    yield changeOf(
      ALL_PRODUCTS,
      Object.keys(cells) as Currency[],
      cloned((_, currency) => cells[currency]),
    );
  }
  for await (const products of productsAtRevisions(readModel, books)) {
    const changes: HoldingsChange[] = [];
    for (const [productId, byBook] of products) {
      const held: HeldIn = (id, currency) => byBook.get(id)?.[currency];
      const currencies = new Set([...byBook.values()].flatMap((cells) => Object.keys(cells) as Currency[]));
      changes.push(...changeOf(productId, currencies, (isFlattened ? flattened : cloned)(held)));
    }
    yield changes;
  }
}

/**
 * Gives a clone what its source held, in a read model that has everything up to the event of the clone. Nobody sees the
 * book before its own change is applied after this. What is cut off is done again: the checkpoint stays where it is.
 *
 * @param checkpoint that of the read model.
 * @returns false where it was ended by the signal.
 */
export const applyClone = async (
  readModel: ClonesBooks,
  clone: Clone,
  checkpoint: Position,
  signal: AbortSignal,
): Promise<E.Either<StoreError, boolean>> => {
  try {
    for await (const changes of holdingsOf(readModel, clone)) {
      if (signal.aborted) return E.right(false);
      if (changes.length > 0) await orFail(readModel.apply(changes, checkpoint, checkpoint)());
    }
    return E.right(true);
  } catch (failure) {
    if (failure instanceof Failed) return E.left(failure.error);
    throw failure;
  }
};
