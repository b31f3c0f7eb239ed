/** What becomes of a price when what its books hold changes: now, and whenever something begins or ends. */
import * as E from 'fp-ts/Either';
import { choicesOf } from '../adjustments/adjustment';
import type { RowChoice } from '../adjustments/kind';
import type { Currency } from '../currency';
import type { Cell } from './cell';
import { earlier, later } from './instants';
import { chainAt, currentInstant, nextBoundary } from './price-at';
import { type ChainHoldings, listAdjustmentOf, resolvePrice } from './resolve-price';

/** A price that is another one after than before. Null is none. */
export interface PriceChange {
  /** What the tables are asked with; empty where no table decides. */
  readonly choices: readonly RowChoice[];
  /** An instant at which what is planned begins or ends, ISO 8601, UTC; absent for now. */
  readonly at?: string;
  readonly before: number | null;
  readonly after: number | null;
}

/** What chooses each row of the table that decides; one without any choice where none does. */
const questionsAbout = (chain: ChainHoldings): readonly (readonly RowChoice[])[] => {
  const adjustment = listAdjustmentOf(chain);
  const choices = adjustment === undefined ? [] : choicesOf(adjustment);
  return choices.length === 0 ? [[]] : choices.map((choice) => [choice]);
};

const propertyOf = ([choice]: readonly RowChoice[]): string | undefined => choice?.property;

/** Every row of both tables; where they read different parameters, each with the first row of the other. */
const questionsBetween = (before: ChainHoldings, after: ChainHoldings): readonly (readonly RowChoice[])[] => {
  const [ofBefore, ofAfter] = [questionsAbout(before), questionsAbout(after)];
  const [[firstBefore = []], [firstAfter = []]] = [ofBefore, ofAfter];
  const [one, other] = [propertyOf(firstBefore), propertyOf(firstAfter)];
  const all =
    one === undefined || other === undefined || one === other
      ? [...ofAfter, ...ofBefore]
      : [
          ...ofAfter.map((choices) => [...choices, ...firstBefore]),
          ...ofBefore.map((choices) => [...firstAfter, ...choices]),
        ];
  const rows = all.filter(({ length }) => length > 0);
  return rows.length === 0
    ? [[]]
    : [...new Map(rows.map((choices) => [JSON.stringify(choices), choices])).values()];
};

const priceOf = (chain: ChainHoldings, currency: Currency, choices: readonly RowChoice[]): number | null => {
  const parameters = new Map(choices.map(({ property, value }) => [property, [value]]));
  const resolved = resolvePrice(chain, currency, parameters);
  return E.isRight(resolved) ? resolved.right.price : null;
};

/**
 * Compares prices one by one: yields each that differs, and undefined for those that do not, so that who asks can stop
 * after so many. What differs in the same way as at the instant before it is not told again.
 *
 * @param now ISO 8601, UTC.
 */
export const comparePrices = function* (
  before: ChainHoldings<Cell>,
  after: ChainHoldings<Cell>,
  currency: Currency,
  now: string,
): Generator<PriceChange | undefined> {
  const [beforeNow, afterNow] = [currentInstant(before, now), currentInstant(after, now)];
  let told = new Map<string, string>();
  for (let at: string | undefined; ;) {
    const [held, coming] = [chainAt(before, at ?? beforeNow), chainAt(after, at ?? afterNow)];
    const found = new Map<string, string>();
    for (const choices of questionsBetween(held, coming)) {
      const [was, is] = [priceOf(held, currency, choices), priceOf(coming, currency, choices)];
      const [question, answer] = [JSON.stringify(choices), JSON.stringify([was, is])];
      found.set(question, answer);
      yield was === is || told.get(question) === answer
        ? undefined
        : { choices, ...(at !== undefined && { at }), before: was, after: is };
    }
    told = found;
    const from: string = at ?? later(beforeNow, afterNow);
    at = earlier(nextBoundary(before, from), nextBoundary(after, from));
    if (at === undefined) return;
  }
};
