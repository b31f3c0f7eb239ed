/** Totals of quoted lines: what an order adds up to. */
import Big from 'big.js';
import { roundHalfUp } from '../amounts';
import { type Currency, minorUnitOf } from '../currency';
import { roundWhole, timesWhole, wholeOf } from '../whole-amounts';

/** Above this a line has no total: no sum of totals is to be more than a number in JSON can be. */
const MAX_TOTAL = 1e300;

/** Undefined where whole numbers are not exact. */
const totalInWhole = (unitPrice: number, quantity: number, minorUnit: number): number | undefined => {
  const price = wholeOf(unitPrice);
  const units = wholeOf(quantity);
  const total = price && units && timesWhole(price, units);
  return total && roundWhole(total, minorUnit);
};

/**
 * The unit price times the quantity, in exact decimals, rounded once, half up, to the currency's minor unit. A unit price
 * that is finer than that is not rounded before.
 *
 * @param unitPrice 0 or more, in the currency's major unit.
 * @param quantity above 0.
 * @returns in the currency's major unit; undefined where it is above 1e300.
 */
export const lineTotalOf = (unitPrice: number, quantity: number, currency: Currency): number | undefined => {
  const minorUnit = minorUnitOf(currency);
  const total =
    totalInWhole(unitPrice, quantity, minorUnit) ??
    roundHalfUp(new Big(unitPrice).times(quantity), minorUnit);
  return total <= MAX_TOTAL ? total : undefined;
};

/** The line total of units that have different prices: what they cost together, rounded once, half up. */
export const roundedTotal = (total: Big, currency: Currency): number | undefined => {
  const rounded = roundHalfUp(total, minorUnitOf(currency));
  return rounded <= MAX_TOTAL ? rounded : undefined;
};

/** What the lines of a quote in one currency add up to. */
export interface Total {
  /** In the currency's major unit: the exact sum of the line totals. */
  readonly amount: number;
  /** The lines that are in it. */
  readonly lines: number;
  /** The lines that are not, since they have no price. */
  readonly linesWithoutTotal: number;
}

/** Totals by currency, in the order in which the lines first name these. */
export const totalsOf = (
  lines: readonly { readonly currency: Currency; readonly lineTotal?: number | undefined }[],
): Readonly<Partial<Record<Currency, Total>>> => {
  const sums = new Map<Currency, { amount: Big; lines: number; linesWithoutTotal: number }>();
  for (const { currency, lineTotal } of lines) {
    const sum = sums.get(currency) ?? { amount: new Big(0), lines: 0, linesWithoutTotal: 0 };
    sums.set(currency, sum);
    if (lineTotal === undefined) sum.linesWithoutTotal += 1;
    else {
      sum.amount = sum.amount.plus(lineTotal);
      sum.lines += 1;
    }
  }
  return Object.fromEntries(
    [...sums].map(([currency, { amount, ...counts }]) => [
      currency,
      { amount: Number(amount.toString()), ...counts },
    ]),
  );
};
