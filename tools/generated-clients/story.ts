/** The story of the README, with a client that OpenAPI Generator makes for TypeScript and fetch. */
import assert from 'node:assert/strict';
import process from 'node:process';
import { Configuration, HistoryApi, PriceBooksApi, PricesApi, ResponseError } from './client/index.js';

const configuration = new Configuration({
  basePath: process.env['PRICEBOOK_URL'] ?? '',
  apiKey: process.env['PRICEBOOK_KEY'] ?? '',
});
const books = new PriceBooksApi(configuration);
const prices = new PricesApi(configuration);
const history = new HistoryApi(configuration);

const noPrice = async (asked: Promise<unknown>): Promise<string> => {
  const error: unknown = await asked.catch((reason: unknown) => reason);
  assert(error instanceof ResponseError);
  return ((await error.response.json()) as { type: string }).type;
};

const { id: priceBookId } = await books.createPriceBook({ createPriceBook: { name: 'Retail' } });
const { productsSet } = await prices.setProductPrices({
  priceBookId,
  setProductPrices: [
    { productId: 'lamp', adjustments: { USD: { type: 'override', amount: 49.99 } } },
    { productId: 'crane', adjustments: { USD: { type: 'override', amount: 1234567.89 } } },
  ],
});
assert.equal(productsSet, 2);
const of = (productId: string) => ({ priceBookId, productId, currency: 'USD' });
assert.equal((await prices.getProductPrice(of('crane'))).price, 1234567.89);

await prices.setProductPrices({
  priceBookId,
  setProductPrices: { productId: 'all', adjustments: { USD: { type: 'percent', amount: 10 } } },
});
const lamp = await prices.getProductPrice({ ...of('lamp'), explain: true });
assert.equal(lamp.price, 54.99);
assert(lamp.effectiveDate instanceof Date);
const entered = lamp.explanation?.steps[0]?.entered?.adjustment;
assert(entered?.type === 'override');
assert.equal(entered.amount, 49.99);

const yesterday = new Date(Date.now() - 86_400_000);
assert.equal(await noPrice(prices.getProductPrice({ ...of('lamp'), at: yesterday })), '/problems/no-price');

const [crane, seat] = await prices.quote({
  priceBookId,
  quoteLine: [
    { productId: 'crane', currency: 'USD' },
    { productId: 'seat', currency: 'USD' },
  ],
});
assert(crane !== undefined && 'price' in crane && crane.price === 1358024.68);
assert(seat !== undefined && 'problem' in seat && seat.problem.type === '/problems/no-price');

const entries = (await history.getPriceBookHistory({ priceBookId })) ?? [];
assert.deepEqual(
  entries.map(({ type }) => type),
  ['PriceBookCreated', 'ProductPricesSet', 'AllProductsAdjusted'],
);
const period = (await history.getPriceHistory(of('crane'))).at(-1);
assert(period?.to === null && period.price === 1358024.68);

await prices.deletePriceBookEntries({ priceBookId, requestBody: ['lamp'] });
assert.equal(await noPrice(prices.getProductPrice(of('lamp'))), '/problems/no-price');
await books.deletePriceBook({ priceBookId });
assert.equal(await noPrice(books.getPriceBook({ priceBookId })), '/problems/price-book-not-found');
