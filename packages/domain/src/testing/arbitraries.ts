/** What requests can hold, as arbitraries of fast-check. It holds no tests itself. */
import * as fc from 'fast-check';
import type { AdjustmentJson } from './oracle';

/** Amounts as price lists have them: whole, with cents, finer, and the ends of what is allowed. */
const amount: fc.Arbitrary<number> = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 2_000 }) },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 100_000 }).map((cents) => cents / 100) },
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 10_000_000 }).map((units) => units / 100_000) },
  { weight: 2, arbitrary: fc.double({ min: 0, max: 1e15, noNaN: true }).map(Math.abs) },
  { weight: 1, arbitrary: fc.constantFrom(0, 5e-324, 0.049999999999999996, 0.1 + 0.2, 1e-7, 1e15) },
);

/** Signed percents, also with decimals and the ends of what is allowed. */
const percent: fc.Arbitrary<number> = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -100, max: 150 }) },
  { weight: 3, arbitrary: fc.integer({ min: -10_000, max: 20_000 }).map((hundredths) => hundredths / 100) },
  { weight: 1, arbitrary: fc.double({ min: -100, max: 1e6, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(0, 0, -100, 1e6, 5e-324, 1e-9) },
);

export interface UnitRowJson {
  readonly firstUnit: number;
  readonly lastUnit: number;
  readonly unitPrice: number;
}

/** Distances in tenths of a unit: touching, within reach of "at most 1 above", just past it, far. */
const gap = fc.constantFrom(0, 1, 5, 9, 10, 10, 11, 15, 40);

/** Rows in ascending order without overlaps, on bounds of whole tenths; every `unitPrice` only once. */
export const ascendingRows: fc.Arbitrary<readonly UnitRowJson[]> = fc
  .record({
    start: fc.integer({ min: 0, max: 30 }),
    steps: fc.array(fc.record({ width: fc.integer({ min: 0, max: 40 }), gap }), {
      minLength: 1,
      maxLength: 8,
    }),
  })
  .map(({ start, steps }) => {
    let next = start;
    return steps.map(({ width, gap: between }, index) => {
      const first = next;
      const last = first + width;
      // Rows of no width that touch would have equal firstUnits.
      next = last + (width === 0 ? Math.max(1, between) : between);
      return { firstUnit: first / 10, lastUnit: last / 10, unitPrice: index + 0.5 };
    });
  });

export const shuffled = <A>(items: readonly A[]): fc.Arbitrary<A[]> =>
  fc.shuffledSubarray([...items], { minLength: items.length, maxLength: items.length });

const withPrices = (rows: readonly UnitRowJson[]): fc.Arbitrary<UnitRowJson[]> =>
  fc
    .array(amount, { minLength: rows.length, maxLength: rows.length })
    .map((prices) => rows.map((row, index) => ({ ...row, unitPrice: prices[index] ?? 0 })));

const rows: fc.Arbitrary<UnitRowJson[]> = ascendingRows.chain(withPrices).chain(shuffled);

/** The last tier is open in either way, or closed. */
const tiers = fc
  .tuple(ascendingRows.chain(withPrices), fc.constantFrom('absent', 'null', 'closed'))
  .chain(([ascending, end]) =>
    shuffled(
      ascending.map(({ firstUnit, lastUnit, unitPrice }, index) => {
        if (end === 'closed' || index < ascending.length - 1) return { firstUnit, lastUnit, unitPrice };
        return end === 'null' ? { firstUnit, lastUnit: null, unitPrice } : { firstUnit, unitPrice };
      }),
    ),
  );

/** Tiers without a gap from 0 or 1 on, which touch or follow by one; the last one is open or closed. */
const graduatedTiers = fc
  .record({
    first: fc.constantFrom(0, 1),
    steps: fc.array(fc.record({ width: fc.integer({ min: 1, max: 20 }), gap: fc.constantFrom(0, 1) }), {
      minLength: 1,
      maxLength: 5,
    }),
    prices: fc.array(amount, { minLength: 5, maxLength: 5 }),
    isOpen: fc.boolean(),
  })
  .map(({ first, steps, prices, isOpen }) => {
    let next = first;
    return steps.map(({ width, gap: between }, index) => {
      const [firstUnit, lastUnit] = [next, next + width];
      next = lastUnit + between;
      const row = { firstUnit, unitPrice: prices[index] ?? 0 };
      return isOpen && index === steps.length - 1 ? row : { ...row, lastUnit };
    });
  })
  .chain(shuffled);

/** Few names, so that tables and requests meet. */
const property = fc.constantFrom('region', 'seats', 'quantity');

export const enumValue = fc.constantFrom('EU', 'US', '1', '2', 'é', '😀');

const enumRows = fc.uniqueArray(fc.record({ value: enumValue, unitPrice: amount }), {
  minLength: 1,
  maxLength: 5,
  selector: ({ value }) => value,
});

const removal = fc.constant<AdjustmentJson>({ type: 'null', amount: null });

export const percentAdjustment = fc.record({ type: fc.constant('percent' as const), amount: percent });

const signedAmount: fc.Arbitrary<number> = fc
  .tuple(amount, fc.boolean())
  .map(([n, isLess]) => (isLess ? 0 - n : n));

/** As price lists end, and anything else: `ending` is a part of `roundTo`. */
const ending = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      { roundTo: 1, ending: 0.99 },
      { roundTo: 0.05 },
      { roundTo: 10, ending: 9.99 },
      { roundTo: 0.01, ending: 0.009 },
      { roundTo: 3, ending: 1 },
      { roundTo: 1000 },
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 5_000 }), fc.nat({ max: 4_999 }), fc.constantFrom(1, 100, 7))
      .map(([step, end, unit]) => ({ roundTo: step / unit, ending: (end % step) / unit })),
  },
);

/** What changes a price: percents and fixed amounts, with endings or without. */
export const changeAdjustment = fc
  .tuple(
    fc.oneof(
      { weight: 3, arbitrary: percentAdjustment },
      {
        weight: 2,
        arbitrary: fc.record({ type: fc.constant('fixedAmount' as const), amount: signedAmount }),
      },
    ),
    ending,
  )
  .map(([change, end]) => ({ ...change, ...end }));

/** Each of the kinds, as a request holds it. */
export const adjustmentJson: fc.Arbitrary<AdjustmentJson> = fc.oneof(
  { weight: 2, arbitrary: removal },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('override' as const), amount }) },
  { weight: 4, arbitrary: changeAdjustment },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('enum' as const), property, values: enumRows }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('range' as const), property, values: rows }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('volume' as const), tiers }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('graduated' as const), tiers: graduatedTiers }) },
);
