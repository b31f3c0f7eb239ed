/** A price at an instant, where what decides it may be dated. */
import * as E from 'fp-ts/Either';
import type { PriceParameters } from '../adjustments/parameters';
import type { Currency } from '../currency';
import type { Cell, Held } from './cell';
import { boundariesOf, heldAt } from './dated';
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
export const currentInstant = (chain: ChainHoldings<Cell>, now: string): string =>
  chain
    .flatMap(({ product, allProducts }) => [...(product?.dated ?? []), ...(allProducts?.dated ?? [])])
    .reduce((latest, { occurredAt }) => (occurredAt > latest ? occurredAt : latest), now);

/** The instants after another at which something that a chain holds begins or ends, each once, in their order. */
export const boundariesIn = (chain: ChainHoldings<Cell>, after: string): readonly string[] => [
  ...new Set(
    chain
      .flatMap(({ product, allProducts }) => [product, allProducts])
      .flatMap((cell) => boundariesOf(cell, after))
      .sort(),
  ),
];

const isSamePrice = (
  a: E.Either<PriceError, ResolvedPrice>,
  b: E.Either<PriceError, ResolvedPrice>,
): boolean => (E.isRight(a) ? E.isRight(b) && a.right.price === b.right.price : E.isLeft(b));

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
  price: E.Either<PriceError, ResolvedPrice>,
): string | undefined => {
  const isAnother = (next: ChainHoldings): boolean =>
    !isSamePrice(resolvePrice(next, currency, parameters), price);
  const cells = chain.flatMap(({ product, allProducts }) => [product, allProducts]);
  const ends = cells.map((cell) => new Set(boundariesOf(cell, instant)));
  const held: (Held | undefined)[] = cells.map((cell) => heldAt(cell, instant));
  return boundariesIn(chain, instant).find((boundary) => {
    // Only those that have the boundary are another then.
    ends.forEach((own, place) => {
      if (own.has(boundary)) held[place] = heldAt(cells[place], boundary);
    });
    const [first, ...bases] = chain.map(({ priceBookId }, book) => ({
      priceBookId,
      product: held[2 * book],
      allProducts: held[2 * book + 1],
    }));
    return first !== undefined && isAnother([first, ...bases]);
  });
};
