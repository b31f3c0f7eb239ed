/** A book that is listed and set again gives the same prices: over HTTP, by clients that know nothing else. */
import { priceRequests, type RequestJson } from '@pricebook/domain/testing';
import { expect } from 'chai';
import fc from 'fast-check';
import { type Api, bodyOf, createBook, csvOf, expectStatus, setCsv, setPrices } from './kit';
import { pagesFrom } from './pages';

const BOOKS = '/v1/pricebooks';
const RUNS = 6;

const products = ['P', 'P/ü', '\uff5e', '🎈'];
const currencies = ['USD', 'JPY', 'BHD'];
/** Requests that mostly meet in one product and currency. */
const { productRequest, allProductsRequest } = priceRequests(
  fc.oneof(
    { weight: 2, arbitrary: fc.constant('P') },
    { weight: 1, arbitrary: fc.constantFrom(...products) },
  ),
  fc.constantFrom('usd', 'USD', 'Usd', 'jpy', 'BHD'),
);

/** What tables are asked with: some of it in their rows, some of it not. */
const given = [
  {},
  { properties: { region: 'EU', seats: 1.5 } },
  { quantity: 3, properties: { region: '1', seats: 7 } },
  { quantity: 20.5, properties: { region: 'é', seats: '20' } },
];

interface Own {
  readonly productId: string;
  readonly adjustments: unknown;
  readonly percents: unknown;
}

export const describeCopies = (api: Api): void => {
  const act = async (book: string, { operation, body }: RequestJson): Promise<void> => {
    if (operation === 'set') await setPrices(api, book, body);
    else expectStatus(await api().request('DELETE', `${BOOKS}/${book}/prices`, { json: body }), 204);
  };

  const copyAsJson = async (from: string, to: string, limit: number): Promise<void> => {
    const pages = await pagesFrom(api, `${BOOKS}/${from}/prices?limit=${String(limit)}`);
    for (const page of pages as readonly (readonly Own[])[]) {
      for (const of of ['adjustments', 'percents'] as const) {
        await setPrices(
          api,
          to,
          page.map((own) => ({ productId: own.productId, adjustments: own[of] })),
        );
      }
    }
    const percents = bodyOf(expectStatus(await api().request('GET', `${BOOKS}/${from}/percents`), 200));
    const adjustments = (Object.entries(percents) as [string, { adjustment: unknown }][]).map(
      ([code, { adjustment }]) => [code, adjustment] as const,
    );
    await setPrices(api, to, { productId: 'all', adjustments: Object.fromEntries(adjustments) });
  };

  const copyAsCsv = async (from: string, to: string): Promise<void> => {
    await setCsv(api, to, await csvOf(api, from));
  };

  /** Every price, or the reason why there is none; when it came about is different. */
  const pricesOf = async (book: string): Promise<unknown> => {
    const json = products.flatMap((productId) =>
      currencies.flatMap((currency) => given.map((one) => ({ productId, currency, ...one }))),
    );
    const { body } = expectStatus(await api().request('POST', `${BOOKS}/${book}/quote`, { json }), 200);
    return (body as Readonly<Record<string, unknown>>[]).map((line) => ({ ...line, effectiveDate: '' }));
  };

  describe('A book that is listed, and set again in an empty one of the same base', () => {
    it('gives the same prices', async () => {
      const step = fc.record({
        inBase: fc.boolean(),
        request: fc.oneof(
          { weight: 3, arbitrary: productRequest },
          { weight: 1, arbitrary: allProductsRequest },
        ),
      });
      await fc.assert(
        fc.asyncProperty(
          fc.array(step, { minLength: 8, maxLength: 16 }),
          fc.integer({ min: 1, max: 4 }),
          async (steps, limit) => {
            const root = await createBook(api);
            const derived = await createBook(api, { basePriceBookId: root });
            for (const { inBase, request } of steps) await act(inBase ? root : derived, request);
            for (const copy of [copyAsJson, copyAsCsv]) {
              const ofRoot = await createBook(api);
              const ofDerived = await createBook(api, { basePriceBookId: root });
              await copy(root, ofRoot, limit);
              await copy(derived, ofDerived, limit);
              expect(await pricesOf(ofRoot), copy.name).to.deep.equal(await pricesOf(root));
              expect(await pricesOf(ofDerived), copy.name).to.deep.equal(await pricesOf(derived));
            }
          },
        ),
        { numRuns: RUNS },
      );
    }).timeout(120_000);
  });
};
