import Big from 'big.js';
import { type JsonCodec, numberBetween } from './codecs/codecs';

/**
 * Amounts and units are JSON numbers. A number means the shortest decimal that reads back as the same double,
 * which is how JavaScript prints it and how big.js takes it: 0.049999999999999996 is itself, not 0.05.
 */
const MAX_AMOUNT = 1e15;
const MAX_PERCENT = 1e6;

/** An amount of money in the currency's major unit: 0 to 1e15. */
export const amountCodec: JsonCodec<number> = numberBetween('Amount', 0, MAX_AMOUNT);

/** A bound of a table, in units of what the table is about: 0 to 1e15. */
export const unitCodec: JsonCodec<number> = numberBetween('Unit', 0, MAX_AMOUNT);

/** A signed change in percent: -100 to 1,000,000. */
export const percentCodec: JsonCodec<number> = numberBetween('Percent', -100, MAX_PERCENT);

/** The exact sum of an amount and that many percent of it, as a decimal. */
export const plusPercent = (amount: number, percent: number): Big =>
  new Big(amount).times(new Big(100).plus(percent)).times('0.01');

/** Digits after the point that a computed price keeps when the list price is finer than the minor unit. */
const FINE_DIGITS = 12;

const digitsAfterPoint = (value: Big): number => Math.max(0, value.c.length - 1 - value.e);

/**
 * The digits after the point to which a price computed from this list price is rounded: the currency's
 * minor unit, or, for a finer list price, 12 or the list price's own if those are more (design section 1, rule 6).
 */
export const roundingDigits = (listPrice: number, minorUnit: number): number => {
  const own = digitsAfterPoint(new Big(listPrice));
  return own > minorUnit ? Math.max(FINE_DIGITS, own) : minorUnit;
};

/** Half up, which is away from zero: prices are never negative. */
export const roundHalfUp = (value: Big, digits: number): number =>
  Number(value.round(digits, Big.roundHalfUp).toString());

/** Whether `next` begins at most 1 above `last`, reckoned in decimals. */
export const isWithinOne = (last: number, next: number): boolean => new Big(next).minus(last).lte(1);
