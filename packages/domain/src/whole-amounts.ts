/**
 * Decimals as whole numbers of parts, for speed: a double has all digits of a whole number up to 1e15, and nearly all
 * prices and percents are such numbers of hundredths or of some smaller part. What is not is left to big.js; both give the
 * same.
 */

/** 12.5 is 125 parts with 1 digit after the point. */
export interface Whole {
  readonly parts: number;
  readonly digits: number;
}

/** Decimals with at most 15 digits are told apart by their doubles. */
const MAX_PARTS = 1e15;
const MAX_DIGITS = 6;

const powers = Array.from({ length: 23 }, (_, digits) => 10 ** digits);
const power = (digits: number): number => powers[digits] ?? 10 ** digits;

/** @returns the number with as few digits as it takes; undefined where it has more than 6, or is above 1e15 parts. */
export const wholeOf = (value: number): Whole | undefined => {
  for (let digits = 0; digits <= MAX_DIGITS; digits += 1) {
    const parts = Math.round(value * power(digits));
    if (Math.abs(parts) > MAX_PARTS) return undefined;
    if (parts / power(digits) === value) return { parts, digits };
  }
  return undefined;
};

/** Both amounts are 0 or more. @returns undefined where the product has too many parts. */
export const timesWhole = (a: Whole, b: Whole): Whole | undefined => {
  const parts = a.parts * b.parts;
  return parts > MAX_PARTS ? undefined : { parts, digits: a.digits + b.digits };
};

/** Half up, for 0 or more. */
export const roundWhole = ({ parts, digits }: Whole, to: number): number => {
  if (digits <= to) return parts / power(digits);
  const part = power(digits - to);
  const rest = parts % part;
  const kept = (parts - rest) / part;
  return (rest * 2 >= part ? kept + 1 : kept) / power(to);
};

/** Below this JavaScript writes numbers with an exponent. */
const MIN_PLAIN = 1e-6;

/** All its digits, without zeros at the end: as big.js writes decimals. */
export const wholeInDigits = ({ parts, digits }: Whole): string => {
  // At most 15 digits: the shortest decimal of the double is the number itself.
  const value = parts / power(digits);
  return value === 0 || Math.abs(value) >= MIN_PLAIN
    ? String(value)
    : value.toFixed(digits).replace(/0+$/, '');
};
