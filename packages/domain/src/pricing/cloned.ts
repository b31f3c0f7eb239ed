/** What a cloned book is told, for it to hold what its source held: docs/prices.md, "Clones". */
import * as E from 'fp-ts/Either';
import { type AbsoluteAdjustment, type Adjustment, withPrices } from '../adjustments/adjustment';
import { nullAdjustment } from '../adjustments/null';
import { noParameters } from '../adjustments/parameters';
import type { Currency } from '../currency';
import type { Cell } from './cell';
import { beginOf, plannedAt, standingAt } from './dated';
import { chainAt, nextBoundary } from './price-at';
import { type ChainHoldings, enteredPlace, resolvePrice } from './resolve-price';

const undated = <A extends Adjustment>({ validFrom: _from, validUntil: _until, ...said }: A): A => said as A;

/**
 * The adjustments that lead to what a cell holds from an instant on: what stands, and what is still to begin or to end.
 *
 * @param instant ISO 8601, UTC: not before the last change in the cell.
 * @returns to be set in this order, at the instant; none where nothing is left.
 */
export const clonedAdjustments = (cell: Cell, instant: string): readonly Adjustment[] => {
  const { absolute, relative } = standingAt(cell, instant);
  return [
    ...(absolute === undefined ? [] : [undated(absolute.adjustment)]),
    ...(relative === undefined ? [] : [undated(relative.adjustment)]),
    // One that holds keeps its beginning, since of several the one that began last decides.
    ...plannedAt(cell, instant).map((entry) => ({ ...entry.adjustment, validFrom: beginOf(entry) })),
  ];
};

/**
 * The adjustment that says in one book what a chain says: each price that it can answer, as the chain answers it.
 *
 * @returns undefined where the chain has no list price.
 */
const flattenedAt = (
  chain: ChainHoldings<Cell>,
  currency: Currency,
  instant: string,
): AbsoluteAdjustment | undefined => {
  const held = chainAt(chain, instant);
  const place = enteredPlace(held);
  const entered = held[place]?.product?.absolute;
  if (entered === undefined) return undefined;
  const priceOf = (amount: number): number => {
    const override = { ...entered, adjustment: { type: 'override', amount } as const };
    const [first, ...bases] = held.map((book, index) =>
      index === place ? { ...book, product: { ...book.product, absolute: override } } : book,
    );
    const resolved = resolvePrice([first ?? held[0], ...bases], currency, noParameters);
    return E.isRight(resolved) ? resolved.right.price : amount;
  };
  return withPrices(undated(entered.adjustment), priceOf);
};

/**
 * The adjustments that give a product of a root book the prices that a chain answers from an instant on, where nothing
 * changes the chain any more but what is planned. Of graduated tiers each tier has its price, so an average may differ
 * by what rounding makes of it.
 *
 * @param chain what the books hold.
 * @param instant ISO 8601, UTC: not before the last change in the chain.
 * @returns to be set in this order, at the instant; none where there is no price, now or planned.
 */
export const flattenedAdjustments = (
  chain: ChainHoldings<Cell>,
  currency: Currency,
  instant: string,
): readonly Adjustment[] => {
  const now = flattenedAt(chain, currency, instant);
  const adjustments: Adjustment[] = now === undefined ? [] : [now];
  let last = JSON.stringify(now);
  for (let at = nextBoundary(chain, instant); at !== undefined; at = nextBoundary(chain, at)) {
    const next = flattenedAt(chain, currency, at);
    const said = JSON.stringify(next);
    if (said === last) continue;
    last = said;
    adjustments.push({ ...(next ?? nullAdjustment), validFrom: at });
  }
  return adjustments;
};
