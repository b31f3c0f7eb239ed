/** What a cloned book is told, for it to hold what its source held: docs/prices.md, "Clones". */
import * as E from 'fp-ts/Either';
import { type AbsoluteAdjustment, type Adjustment, withPrices } from '../adjustments/adjustment';
import { nullAdjustment } from '../adjustments/null';
import { noParameters } from '../adjustments/parameters';
import type { Currency } from '../currency';
import type { Cell, Held } from './cell';
import { beginOf, heldAt, plannedAt, standingAt } from './dated';
import { nextBoundary } from './price-at';
import { type BookHoldings, type ChainHoldings, enteredPlace, resolvePrice } from './resolve-price';

/** As many instants at which something is planned for all products as a chain may have to be flattened. */
export const MAX_FLATTENED = 100;

const undated = <A extends Adjustment>({ validFrom: _from, validUntil: _until, ...said }: A): A => said as A;

/**
 * The adjustments that lead to what a cell holds from an instant on: what stands, and what is still to begin or to end.
 *
 * @param instant ISO 8601, UTC: not before the last change in the cell.
 * @returns to be set in this order, at the instant; none where nothing is left.
 */
export const clonedAdjustments = (cell: Cell, instant: string): readonly Adjustment[] => {
  const { absolute, relative } = standingAt(cell, instant);
  const planned = plannedAt(cell, instant);
  // Of several temporary ones, the one that began last decides: what begins with the clone would come after these.
  const lastBegun = planned.findLastIndex(
    ({ adjustment: { validFrom } }) => validFrom !== undefined && validFrom <= instant,
  );
  return [
    ...(absolute === undefined ? [] : [undated(absolute.adjustment)]),
    ...(relative === undefined ? [] : [undated(relative.adjustment)]),
    ...planned.map((entry, place) =>
      place < lastBegun ? { ...entry.adjustment, validFrom: beginOf(entry) } : entry.adjustment,
    ),
  ];
};

/**
 * The adjustment that says in one book what a chain says: each price that it can answer, as the chain answers it.
 *
 * @returns undefined where the chain has no list price.
 */
const flattened = (chain: ChainHoldings, currency: Currency): AbsoluteAdjustment | undefined => {
  const place = enteredPlace(chain);
  const entered = chain[place]?.product?.absolute;
  if (entered === undefined) return undefined;
  const priceOf = (amount: number): number => {
    const absolute = { ...entered, adjustment: { type: 'override', amount } as const };
    const priced = chain.map((book, index) =>
      index === place ? { ...book, product: { ...book.product, absolute } } : book,
    ) as readonly BookHoldings[] as ChainHoldings;
    const resolved = resolvePrice(priced, currency, noParameters);
    if (E.isLeft(resolved)) throw new TypeError('a chain with a price has none');
    return resolved.right.price;
  };
  return withPrices(undated(entered.adjustment), priceOf);
};

/** What the books of a chain, nearest first, hold for all products. */
export type ForAllProducts = readonly Pick<BookHoldings<Cell>, 'priceBookId' | 'allProducts'>[];

const instantsAfter = (chain: readonly BookHoldings<Cell>[], instant: string): readonly string[] => {
  const instants: string[] = [];
  const next = (after: string) => nextBoundary(chain as ChainHoldings<Cell>, after);
  for (let at = next(instant); at !== undefined; at = next(at)) instants.push(at);
  return instants;
};

/** The instants after another at which what books plan for all products begins or ends, in their order. */
export const plannedForAll = (books: ForAllProducts, instant: string): readonly string[] =>
  instantsAfter(
    books.map((book) => ({ ...book, product: undefined })),
    instant,
  );

/**
 * Makes a product of a root book have the prices that a chain answers from an instant on, where nothing changes the
 * chain any more but what is planned. Of graduated tiers each tier has its price, of which the average is another one
 * than the price that the chain makes of the average.
 *
 * @param books what they hold for all products.
 * @param instant ISO 8601, UTC: not before the last change in the chain.
 * @returns the adjustments by what the books hold for a product, to be set in this order at the instant; none where
 *   there is no price, now or planned.
 */
export const flattening = (
  books: ForAllProducts,
  currency: Currency,
  instant: string,
): ((products: readonly (Cell | undefined)[]) => readonly Adjustment[]) => {
  const planned = plannedForAll(books, instant);
  const heldForAll = (at: string): readonly (Held | undefined)[] =>
    books.map(({ allProducts }) => heldAt(allProducts, at));
  // The same for every product.
  const known = new Map([instant, ...planned].map((at) => [at, heldForAll(at)]));

  return (products) => {
    const saidAt = (at: string): AbsoluteAdjustment | undefined => {
      const forAll = known.get(at) ?? heldForAll(at);
      const chain = books.map(({ priceBookId }, place) => ({
        priceBookId,
        product: heldAt(products[place], at),
        allProducts: forAll[place],
      }));
      return flattened(chain as readonly BookHoldings[] as ChainHoldings, currency);
    };
    const own = products.some((cell) => cell?.dated !== undefined)
      ? instantsAfter(
          books.map(({ priceBookId }, place) => ({
            priceBookId,
            product: products[place],
            allProducts: undefined,
          })),
          instant,
        )
      : [];
    const instants = own.length === 0 ? planned : [...new Set([...planned, ...own])].sort();
    const now = saidAt(instant);
    const adjustments: Adjustment[] = now === undefined ? [] : [now];
    let last = JSON.stringify(now);
    for (const at of instants) {
      const next = saidAt(at);
      const said = JSON.stringify(next);
      if (said === last) continue;
      last = said;
      adjustments.push({ ...(next ?? nullAdjustment), validFrom: at });
    }
    return adjustments;
  };
};
