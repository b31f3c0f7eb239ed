/** Adjustments with dates around those at which tests set them, as arbitraries of fast-check. */
import fc from 'fast-check';

interface Dates {
  readonly validFrom?: string;
  readonly validUntil?: string;
}

/** An adjustment of any shape: in the JSON of the API, or as events hold it. */
interface Typed extends Dates {
  readonly type: string;
}

/** The instants of tests are seconds of one hour. */
export const instant = (second: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

const someDates = (seconds: number): fc.Arbitrary<Dates> =>
  fc
    .tuple(
      fc.uniqueArray(fc.integer({ min: 0, max: seconds }), { minLength: 2, maxLength: 2 }),
      fc.constantFrom('from', 'until', 'both'),
    )
    .map(([[a = 0, b = 0], which]) => ({
      ...(which !== 'until' && { validFrom: instant(Math.min(a, b)) }),
      ...(which !== 'from' && { validUntil: instant(Math.max(a, b)) }),
    }));

/** Of those with the same, an array may hold one. */
const placeOf = ({ type, validFrom, validUntil }: Typed): string => {
  if (validFrom !== undefined || validUntil !== undefined)
    return `${String(validFrom)} ${String(validUntil)}`;
  return type === 'null' ? type : type === 'percent' || type === 'fixedAmount' ? 'relative' : 'absolute';
};

/**
 * One or several, some of them dated or cancelled.
 *
 * @param adjustment undated.
 * @param seconds all dates are within so many.
 */
export const datedOrNot = <A extends Typed>(
  adjustment: fc.Arbitrary<A>,
  seconds: number,
): fc.Arbitrary<(A & Dates) | readonly (A & Dates)[]> => {
  const dated = fc
    .tuple(
      fc.oneof(
        { weight: 5, arbitrary: adjustment },
        { weight: 1, arbitrary: fc.constant({ type: 'cancel' } as A) },
      ),
      someDates(seconds),
    )
    .map(([one, dates]): A & Dates => ({ ...one, ...dates }));
  const one = fc.oneof({ weight: 1, arbitrary: adjustment }, { weight: 1, arbitrary: dated });
  return fc.oneof(
    { weight: 3, arbitrary: one },
    { weight: 1, arbitrary: fc.uniqueArray(one, { minLength: 2, maxLength: 5, selector: placeOf }) },
  );
};
