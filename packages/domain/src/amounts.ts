import Big from 'big.js';
import { described, type JsonCodec, numberBetween } from './codecs/codecs';
import { timesWhole, type Whole, wholeOf } from './whole-amounts';

/**
 * Amounts and units are JSON numbers. A number means the shortest decimal that reads back as the same double,
 * which is how JavaScript prints it and how big.js takes it: 0.049999999999999996 is itself, not 0.05.
 */
const MAX_AMOUNT = 1e15;
const MAX_PERCENT = 1e6;

/** An amount of money in the currency's major unit: 0 to 1e15. */
export const amountCodec: JsonCodec<number> = described(numberBetween('Amount', 0, MAX_AMOUNT), {
  description:
    "An amount of money in the currency's major unit. It means the shortest decimal that reads back as the same double.",
  examples: [49.99],
});

/** A signed amount of money in the currency's major unit: -1e15 to 1e15. */
export const signedAmountCodec: JsonCodec<number> = described(
  numberBetween('SignedAmount', -MAX_AMOUNT, MAX_AMOUNT),
  {
    description: "A signed amount of money in the currency's major unit: -5 takes 5 off the price.",
    examples: [-5],
  },
);

/** A bound of a table, in units of what the table is about: 0 to 1e15. */
export const unitCodec: JsonCodec<number> = described(numberBetween('Unit', 0, MAX_AMOUNT), {
  description: 'A bound of a row, inclusive, in units of what the table is about.',
  examples: [10],
});

/** A signed change in percent: -100 to 1,000,000. */
export const percentCodec: JsonCodec<number> = described(numberBetween('Percent', -100, MAX_PERCENT), {
  description: 'A signed change in percent: 10 is +10 %, -15 is -15 %, 0 holds the price.',
  examples: [10],
});

const HUNDRED = new Big(100);
const HUNDREDTH = new Big('0.01');

/** The exact sum of an amount and that many percent of it. */
export const plusPercent = (amount: Big, percent: number): Big =>
  amount.times(new Big(percent).plus(HUNDRED)).times(HUNDREDTH);

/** The same in whole numbers; undefined where these are not exact. */
export const plusPercentWhole = (amount: Whole, percent: number): Whole | undefined => {
  const whole = wholeOf(percent);
  if (whole === undefined) return undefined;
  const { parts, digits } = whole;
  return timesWhole(amount, { parts: parts + 100 * 10 ** digits, digits: digits + 2 });
};

/** Digits after the point that a computed price keeps when the list price is finer than the minor unit. */
const FINE_DIGITS = 12;

/** Of the shortest decimal. */
export const digitsAfterPoint = (value: Big): number => Math.max(0, value.c.length - 1 - value.e);

/**
 * The digits after the point to which a price computed from this list price is rounded: the currency's
 * minor unit, or, for a finer list price, 12 or the list price's own if those are more (design section 1, rule 6).
 *
 * @param own digits of the list price after the point.
 */
export const roundingDigits = (own: number, minorUnit: number): number =>
  own > minorUnit ? Math.max(FINE_DIGITS, own) : minorUnit;

/** Half up, which is away from zero: prices are never negative. */
export const roundHalfUp = (value: Big, digits: number): number =>
  Number(value.round(digits, Big.roundHalfUp).toString());

/** The quotient, rounded half up without an error of the division before. Both are 0 or more, `by` above 0. */
export const divideHalfUp = (value: Big, by: Big, digits: number): Big => {
  const shift = new Big(10).pow(digits);
  const parts = value.times(shift);
  const lower = parts.div(by).round(0, Big.roundDown);
  const rounded = parts.minus(lower.times(by)).times(2).gte(by) ? lower.plus(1) : lower;
  return rounded.times(`1e-${String(digits)}`);
};

/** Whether `next` begins at most 1 above `last`, reckoned in decimals. */
export const isWithinOne = (last: number, next: number): boolean => new Big(next).minus(last).lte(1);
