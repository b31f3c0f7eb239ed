/** The price of one product in one currency, from what the books of a chain hold: design section 1. */
import Big from 'big.js';
import * as E from 'fp-ts/Either';
import {
  type AbsoluteAdjustment,
  changedBy,
  changedWhole,
  listPriceOf,
  type RelativeAdjustment,
} from '../adjustments/adjustment';
import type { ListPrice } from '../adjustments/kind';
import type { PriceParameters, RowError } from '../adjustments/parameters';
import { endedPrice } from '../adjustments/price-ending';
import { digitsAfterPoint, divideHalfUp, roundHalfUp, roundingDigits } from '../amounts';
import { type Currency, minorUnitOf } from '../currency';
import type { PriceBookId } from '../identifiers';
import { roundWhole, wholeInDigits, wholeOf } from '../whole-amounts';
import { type Held, type Removed, sinceOf, type Standing } from './cell';
import { later } from './instants';

/** What one book of a chain holds for a product and a currency: `C` as it is kept, or as it holds at an instant. */
export interface BookHoldings<C = Held> {
  readonly priceBookId: PriceBookId;
  /** What the product has of its own. */
  readonly product: C | undefined;
  /** What the book has for all products. */
  readonly allProducts: C | undefined;
}

/** A book, its base, the base's base and so on; the last one is a root. */
export type ChainHoldings<C = Held> = readonly [BookHoldings<C>, ...BookHoldings<C>[]];

/** How a relative adjustment changed the price. */
export interface AppliedChange extends Standing<RelativeAdjustment> {
  /** Whose it is: the product's own, or the book's for all products. */
  readonly of: 'product' | 'allProducts';
  /** The changed price before rounding, as an exact decimal. */
  readonly exact: string;
  /** Digits after the point that it was rounded to; null where it came out unchanged, which is not rounded. */
  readonly roundedTo: number | null;
}

type Beneath = Pick<Held, 'absolute' | 'relative'>;

/** What one book did to the price. */
export interface PriceStep {
  readonly priceBookId: PriceBookId;
  /** The absolute adjustment that said the price; absent where the price came from the base book. */
  readonly entered?: Standing<AbsoluteAdjustment> & Pick<ListPrice, 'chosen'>;
  /** The price before this book's change: as entered, or as the base book answers it. */
  readonly listPrice: number;
  readonly change?: AppliedChange;
  /** A removal that this book's part in the price goes back to. */
  readonly removed?: Removed;
  /** When something that lay over this book's part in the price ended or was cancelled: ISO 8601, UTC. */
  readonly ended?: string;
  /** What temporary adjustments that decide lie over, and what shows again when they end. */
  readonly over?: { readonly product?: Beneath; readonly allProducts?: Beneath };
  /** The price that this book answers. */
  readonly price: number;
}

/** A price in the currency's major unit. */
export interface ResolvedPrice {
  readonly price: number;
  /** Since when the price is in force: the latest instant at which what decides it was set, began, ended or was removed. */
  readonly effectiveDate: string;
  /**
   * What all units cost together, exact and not rounded, where they have different prices and nothing changes these:
   * elsewhere it is the price times the quantity.
   */
  readonly total?: Big;
}

/** Why there is no price, or which query parameter is wrong. */
export type PriceError = { readonly _tag: 'NoListPrice' } | RowError;

type ListStep = Pick<PriceStep, 'entered' | 'listPrice'>;

type Before = Pick<ResolvedPrice, 'effectiveDate' | 'total'>;

/** What explains a price is made only where it is asked for: most prices are not explained. */
type Tell = (step: PriceStep) => void;

interface Changed extends Pick<PriceStep, 'price'>, Pick<AppliedChange, 'roundedTo'> {
  readonly exact: () => string;
}

/** An entered price is answered as entered, so a change that changes nothing must not round it. */
const unchanged = (price: number, exact: Changed['exact']): Changed => ({ price, exact, roundedTo: null });

const changedInDecimals = (listPrice: number, adjustment: RelativeAdjustment, minorUnit: number): Changed => {
  const before = new Big(listPrice);
  const exact = changedBy(adjustment, before);
  const inDigits = () => exact.toFixed();
  const ended = endedPrice(adjustment, exact);
  if (ended !== undefined) {
    return { price: Number(ended.price.toString()), exact: inDigits, roundedTo: ended.digits };
  }
  if (exact.eq(before)) return unchanged(listPrice, inDigits);
  const roundedTo = roundingDigits(digitsAfterPoint(before), minorUnit);
  return { price: roundHalfUp(exact, roundedTo), exact: inDigits, roundedTo };
};

/** The same in whole numbers; undefined where these are not exact. */
const changedInWhole = (
  listPrice: number,
  adjustment: RelativeAdjustment,
  minorUnit: number,
): Changed | undefined => {
  const before = wholeOf(listPrice);
  if (before === undefined) return undefined;
  const exact = changedWhole(adjustment, before);
  if (exact === undefined) return undefined;
  const inDigits = () => wholeInDigits(exact);
  if (roundWhole(exact, exact.digits) === listPrice) return unchanged(listPrice, inDigits);
  const roundedTo = roundingDigits(before.digits, minorUnit);
  return { price: roundWhole(exact, roundedTo), exact: inDigits, roundedTo };
};

const change = (listPrice: number, adjustment: RelativeAdjustment, minorUnit: number): Changed =>
  changedInWhole(listPrice, adjustment, minorUnit) ?? changedInDecimals(listPrice, adjustment, minorUnit);

const removalSince = ({ occurredAt, validFrom }: Removed): string => later(occurredAt, validFrom);

/** The removal that was in force last, where nothing was set after it. */
const latestRemoval = ({ product, allProducts }: BookHoldings): Removed | undefined => {
  const ofProduct = product?.removed;
  const ofAll = allProducts?.relative === undefined ? allProducts?.removed : undefined;
  if (ofProduct === undefined || ofAll === undefined) return ofProduct ?? ofAll;
  const [a, b] = [removalSince(ofProduct), removalSince(ofAll)];
  return a > b || (a === b && ofProduct.revision > ofAll.revision) ? ofProduct : ofAll;
};

/** When something that would decide the price ended last. */
const latestEnd = ({ product, allProducts }: BookHoldings, isRoot: boolean): string | undefined =>
  [
    product?.ended?.own,
    isRoot ? product?.ended?.list : undefined,
    product?.relative === undefined ? allProducts?.ended?.own : undefined,
  ].reduce((a, b) => later(a, b), undefined);

const adjustmentsIn = ({ absolute, relative }: Held): Beneath => ({
  ...(absolute !== undefined && { absolute }),
  ...(relative !== undefined && { relative }),
});

/** What the temporary adjustments that decide lie over. */
const overOf = ({ product, allProducts }: BookHoldings): PriceStep['over'] => {
  const ofProduct = product?.over;
  const ofAll = product?.relative === undefined ? allProducts?.over : undefined;
  if (ofProduct === undefined && ofAll === undefined) return undefined;
  return {
    ...(ofProduct !== undefined && { product: adjustmentsIn(ofProduct) }),
    ...(ofAll !== undefined && { allProducts: adjustmentsIn(ofAll) }),
  };
};

/** The price that a book makes of a list price. */
const finish = (
  book: BookHoldings,
  list: ListStep,
  before: Before,
  minorUnit: number,
  isRoot: boolean,
  tell: Tell | undefined,
): ResolvedPrice => {
  const own = book.product?.relative;
  const relative = own ?? book.allProducts?.relative;
  const changed = relative && change(list.listPrice, relative.adjustment, minorUnit);
  const price = changed === undefined ? list.listPrice : changed.price;
  const removed = own === undefined ? latestRemoval(book) : undefined;
  const ended = latestEnd(book, isRoot);
  if (tell !== undefined) {
    const over = overOf(book);
    const of = own === undefined ? 'allProducts' : 'product';
    tell({
      priceBookId: book.priceBookId,
      ...list,
      price,
      ...(relative !== undefined &&
        changed !== undefined && {
          change: { ...relative, of, exact: changed.exact(), roundedTo: changed.roundedTo },
        }),
      ...(removed !== undefined && { removed }),
      ...(ended !== undefined && { ended }),
      ...(over !== undefined && { over }),
    });
  }
  const set = relative && sinceOf(relative);
  const removedSince = removed && removalSince(removed);
  const effectiveDate = later(later(later(before.effectiveDate, set), removedSince), ended);
  // A change is one of the price of a unit, and rounds that.
  const keepsTotal = before.total !== undefined && price === list.listPrice;
  return keepsTotal ? { price, effectiveDate, total: before.total } : { price, effectiveDate };
};

const enteredPrice = (
  entered: Standing<AbsoluteAdjustment>,
  parameters: PriceParameters,
  minorUnit: number,
): E.Either<RowError, { readonly list: ListStep; readonly total?: Big }> => {
  const listPrice = listPriceOf(entered.adjustment, parameters);
  if (E.isLeft(listPrice)) return listPrice;
  const { amount, chosen, graduated } = listPrice.right;
  const shown = chosen === undefined ? entered : { ...entered, chosen };
  if (graduated === undefined) return E.right({ list: { entered: shown, listPrice: amount } });
  const { total, quantity, digits } = graduated;
  const average = divideHalfUp(total, quantity, roundingDigits(digits, minorUnit));
  return E.right({ list: { entered: shown, listPrice: Number(average.toString()) }, total });
};

/** What sets the price in a book; undefined where the price comes from its base, or from nowhere. */
const enteredIn = ({ product }: BookHoldings, isRoot: boolean): Standing<AbsoluteAdjustment> | undefined =>
  isRoot || product?.relative === undefined ? product?.absolute : undefined;

/** Where in a chain the book is from whose product it has its list price; -1 where there is none. */
export const enteredPlace = (chain: ChainHoldings): number =>
  chain.findIndex((book, place) => enteredIn(book, place === chain.length - 1) !== undefined);

/** The adjustment from which a chain has its list price; undefined where there is none. */
export const listAdjustmentOf = (chain: ChainHoldings): AbsoluteAdjustment | undefined =>
  chain[enteredPlace(chain)]?.product?.absolute?.adjustment;

/** @param tell told of each step, from the book that said a price to the book that was asked. */
const resolve = (
  chain: ChainHoldings,
  currency: Currency,
  parameters: PriceParameters,
  tell?: Tell,
): E.Either<PriceError, ResolvedPrice> => {
  const minorUnit = minorUnitOf(currency);
  const resolveFrom = (place: number): E.Either<PriceError, ResolvedPrice> => {
    const book = chain[place];
    if (book === undefined) return E.left({ _tag: 'NoListPrice' });
    const isRoot = place === chain.length - 1;
    const absolute = enteredIn(book, isRoot);
    if (absolute !== undefined) {
      const entered = enteredPrice(absolute, parameters, minorUnit);
      if (E.isLeft(entered)) return entered;
      const { list, total } = entered.right;
      const effectiveDate = sinceOf(absolute);
      const before = total === undefined ? { effectiveDate } : { effectiveDate, total };
      const own = isRoot ? book : { ...book, allProducts: undefined };
      return E.right(finish(own, list, before, minorUnit, isRoot, tell));
    }
    const base = resolveFrom(place + 1);
    return E.isLeft(base)
      ? base
      : E.right(finish(book, { listPrice: base.right.price }, base.right, minorUnit, isRoot, tell));
  };
  return resolveFrom(0);
};

/**
 * The price that the first book of the chain answers.
 *
 * In a root book an absolute adjustment is the list price, changed by the product's own relative adjustment or
 * else by that of the book. In a book with a base the product's own adjustment decides alone; a relative one,
 * and the book's where the product has none, is taken of the price that the base book answers.
 */
export const resolvePrice = (
  chain: ChainHoldings,
  currency: Currency,
  parameters: PriceParameters,
): E.Either<PriceError, ResolvedPrice> => resolve(chain, currency, parameters);

/**
 * How the price came about that `resolvePrice` answers.
 *
 * @returns a step for each book, from the one that said a price to the one that was asked; none where there is no price.
 */
export const explainPrice = (
  chain: ChainHoldings,
  currency: Currency,
  parameters: PriceParameters,
): readonly PriceStep[] => {
  const steps: PriceStep[] = [];
  resolve(chain, currency, parameters, (step) => steps.push(step));
  return steps;
};
