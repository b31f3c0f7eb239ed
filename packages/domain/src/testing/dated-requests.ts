/** Requests with dates, as arbitraries of fast-check. It holds no tests itself. */
import * as fc from 'fast-check';
import { adjustmentJson, changeAdjustment } from './arbitraries';
import type { AdjustmentJson, RequestJson } from './oracle';

const removal: AdjustmentJson = { type: 'null', amount: null };
const cancel: AdjustmentJson = { type: 'cancel' };

const boundsAmong = (instants: fc.Arbitrary<string>) =>
  fc
    .record({ validFrom: instants, validUntil: instants }, { requiredKeys: [] })
    .map(({ validFrom, validUntil }) => {
      if (validFrom === undefined) return validUntil === undefined ? {} : { validUntil };
      if (validUntil === undefined || validUntil === validFrom) return { validFrom };
      return validFrom < validUntil
        ? { validFrom, validUntil }
        : { validFrom: validUntil, validUntil: validFrom };
    });

/** What tells an adjustment from others in an array. */
const placeOf = ({ type, validFrom, validUntil }: AdjustmentJson): string => {
  if (validFrom !== undefined || validUntil !== undefined)
    return `${String(validFrom)} ${String(validUntil)}`;
  return type === 'null' ? type : type === 'percent' || type === 'fixedAmount' ? 'relative' : 'absolute';
};

/** Mostly plain ones, so that prices differ by the dates and not by their tables. */
const adjustment = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .integer({ min: 1, max: 9 })
      .map((n): AdjustmentJson => ({ type: 'override', amount: n * 100 })),
  },
  {
    weight: 3,
    arbitrary: fc
      .integer({ min: -9, max: 9 })
      .map((n): AdjustmentJson => ({ type: 'percent', amount: n * 10 })),
  },
  { weight: 1, arbitrary: fc.constant(removal) },
  { weight: 1, arbitrary: adjustmentJson },
);

/**
 * Requests for the products P and Q and for all products, in USD.
 *
 * @param instants few of them, so that sets, beginnings and ends meet.
 */
export const datedRequests = (instants: fc.Arbitrary<string>): fc.Arbitrary<RequestJson> => {
  const bounds = boundsAmong(instants);
  const dated = (one: fc.Arbitrary<AdjustmentJson>): fc.Arbitrary<AdjustmentJson> =>
    fc
      .tuple(fc.oneof({ weight: 5, arbitrary: one }, fc.constant(cancel)), bounds)
      .map(([asked, its]) =>
        asked.type === 'cancel' && Object.keys(its).length === 0 ? removal : { ...asked, ...its },
      );
  const oneOrMore = (one: fc.Arbitrary<AdjustmentJson>) =>
    fc.oneof(
      { weight: 3, arbitrary: one },
      { weight: 2, arbitrary: fc.uniqueArray(one, { minLength: 1, maxLength: 6, selector: placeOf }) },
    );

  const ofProduct = fc
    .tuple(fc.constantFrom('P', 'P', 'P', 'Q'), oneOrMore(dated(adjustment)))
    .map(([productId, USD]) => ({
      operation: 'set' as const,
      body: [{ productId, adjustments: { USD } }],
    }));
  const ofAll = oneOrMore(
    dated(fc.oneof({ weight: 4, arbitrary: changeAdjustment }, fc.constant(removal))),
  ).map((asked) => {
    const forAll = (one: AdjustmentJson) => (placeOf(one) === 'null' ? null : one);
    const USD = Array.isArray(asked) ? asked.map(forAll) : forAll(asked);
    return { operation: 'set' as const, body: { productId: 'all' as const, adjustments: { USD } } };
  });
  return fc.oneof(
    { weight: 8, arbitrary: ofProduct },
    { weight: 3, arbitrary: ofAll },
    { weight: 1, arbitrary: fc.constant<RequestJson>({ operation: 'delete', body: ['P'] }) },
  );
};

/** Whether the service refuses a request: it sets what could never be seen. */
export const setsWhatHasEnded = ({ body }: RequestJson, now: string): boolean => {
  const looksEnded = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null) return false;
    const { type, validUntil } = value as Partial<AdjustmentJson>;
    if (typeof validUntil === 'string' && validUntil <= now && type !== 'cancel') return true;
    return Object.values(value).some(looksEnded);
  };
  return looksEnded(body);
};
