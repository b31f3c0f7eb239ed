/** A price at an instant, where what decides it may be dated. */
import * as E from 'fp-ts/Either';
import type { PriceParameters } from '../adjustments/parameters';
import type { Currency } from '../currency';
import type { Cell } from './cell';
import { boundaryAfter, heldAt } from './dated';
import { earlier, later } from './instants';
import {
  type BookHoldings,
  type ChainHoldings,
  type PriceError,
  type ResolvedPrice,
  resolvePrice,
} from './resolve-price';

/** Whether an instant matters to what a chain holds. */
export const hasDated = (chain: ChainHoldings<Cell>): boolean =>
  chain.some(({ product, allProducts }) => product?.dated !== undefined || allProducts?.dated !== undefined);

const bookAt = (
  { priceBookId, product, allProducts }: BookHoldings<Cell>,
  instant: string,
): BookHoldings => ({
  priceBookId,
  product: heldAt(product, instant),
  allProducts: heldAt(allProducts, instant),
});

/** What a chain holds at an instant: ISO 8601, UTC, not before its last change. */
export const chainAt = ([first, ...bases]: ChainHoldings<Cell>, instant: string): ChainHoldings => [
  bookAt(first, instant),
  ...bases.map((book) => bookAt(book, instant)),
];

/**
 * The instant of a current price. A change may have been made by a clock that is ahead: what was set is not still to
 * begin, whatever this clock says.
 *
 * @param now ISO 8601, UTC.
 */
export const currentInstant = (chain: ChainHoldings<Cell>, now: string): string => {
  let latest = now;
  for (const { product, allProducts } of chain) {
    latest = later(later(latest, product?.changedAt), allProducts?.changedAt);
  }
  return latest;
};

/** The next instant after another at which something that a chain holds begins or ends; undefined where nothing does. */
export const nextBoundary = (chain: ChainHoldings<Cell>, after: string): string | undefined => {
  let next: string | undefined;
  for (const { product, allProducts } of chain) {
    next = earlier(earlier(next, boundaryAfter(product, after)), boundaryAfter(allProducts, after));
  }
  return next;
};

type PriceAnswer = E.Either<PriceError, ResolvedPrice>;

const isSamePrice = (a: PriceAnswer, b: PriceAnswer): boolean =>
  E.isRight(a) ? E.isRight(b) && a.right.price === b.right.price : E.isLeft(b);

/**
 * The next instant at which what is planned makes a price another one.
 *
 * @param instant of the price, ISO 8601, UTC.
 * @param price that of this instant.
 * @returns undefined where it stays as it is.
 */
export const validUntilOf = (
  chain: ChainHoldings<Cell>,
  currency: Currency,
  parameters: PriceParameters,
  instant: string,
  price: PriceAnswer,
): string | undefined => {
  for (let at = nextBoundary(chain, instant); at !== undefined; at = nextBoundary(chain, at)) {
    if (!isSamePrice(resolvePrice(chainAt(chain, at), currency, parameters), price)) return at;
  }
  return undefined;
};
