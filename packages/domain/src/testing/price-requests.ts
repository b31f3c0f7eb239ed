/** Requests that set prices, and what prices are asked with, as arbitraries of fast-check. It holds no tests itself. */
import * as fc from 'fast-check';
import { isSeveral } from '../adjustments/adjustments';
import type { PriceParameters } from '../adjustments/parameters';
import { adjustmentJson, enumValue, changeAdjustment } from './arbitraries';
import type { AdjustmentJson, RequestJson } from './oracle';

/** What a request may hold in the place of one adjustment. */
type Varied = AdjustmentJson | readonly AdjustmentJson[];

/** For all products JSON null stands for an undated removal. */
const forAll = (one: AdjustmentJson): AdjustmentJson | null =>
  one.type === 'null' && one.validFrom === undefined && one.validUntil === undefined ? null : one;

/**
 * Requests for some products and for all, in the JSON of the API.
 *
 * @param productId few of them, so that requests meet.
 * @param code of currencies, in any letter case; mostly one.
 * @param vary makes of undated adjustments what is sent; by default they themselves.
 */
export const priceRequests = (
  productId: fc.Arbitrary<string>,
  code: fc.Arbitrary<string>,
  vary: (one: fc.Arbitrary<AdjustmentJson>) => fc.Arbitrary<Varied> = (one) => one,
) => {
  const mapOf = <A>(value: fc.Arbitrary<A>): fc.Arbitrary<Readonly<Record<string, A>>> =>
    fc
      .uniqueArray(fc.tuple(code, value), {
        minLength: 1,
        maxLength: 3,
        selector: ([key]) => key.toUpperCase(),
      })
      .map((entries) => Object.fromEntries(entries));

  const productRequest: fc.Arbitrary<RequestJson> = fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .uniqueArray(fc.record({ productId, adjustments: mapOf(vary(adjustmentJson)) }), {
          minLength: 1,
          maxLength: 2,
          selector: (item) => item.productId,
        })
        .map((body) => ({ operation: 'set' as const, body })),
    },
    {
      weight: 1,
      arbitrary: fc
        .array(fc.oneof(productId, fc.constant('never priced')), { minLength: 1, maxLength: 3 })
        .map((body) => ({ operation: 'delete' as const, body })),
    },
  );

  const ofAll = fc.oneof<fc.WeightedArbitrary<AdjustmentJson>[]>(
    { weight: 3, arbitrary: changeAdjustment },
    { weight: 1, arbitrary: fc.constant({ type: 'null', amount: null }) },
  );
  const allProductsRequest: fc.Arbitrary<RequestJson> = mapOf(
    vary(ofAll).map((asked) => (isSeveral(asked) ? asked.map(forAll) : forAll(asked))),
  ).map((adjustments) => ({
    operation: 'set' as const,
    body: { productId: 'all' as const, adjustments },
  }));

  return { productRequest, allProductsRequest };
};

const number = fc.oneof(
  fc.integer({ min: 1, max: 300 }).map((tenths) => String(tenths / 10)),
  fc.constantFrom('1', '10', '0', '-1', 'ten', '1e2', '1e400'),
);
const values = <A extends string>(value: fc.Arbitrary<A>): fc.Arbitrary<string[]> =>
  fc.oneof(
    { weight: 9, arbitrary: value.map((text) => [text]) },
    { weight: 1, arbitrary: fc.array<string>(value, { maxLength: 2 }) },
  );

/** Query parameters; a table that needs one sometimes misses it. */
export const parameters: fc.Arbitrary<PriceParameters> = fc
  .record(
    { quantity: values(number), seats: values(number), region: values(fc.oneof(enumValue, number)) },
    { requiredKeys: [] },
  )
  .map((given) => new Map(Object.entries(given)));
