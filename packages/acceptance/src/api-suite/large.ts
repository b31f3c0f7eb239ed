import { expect } from 'chai';
import {
  type Api,
  bodyOf,
  createBook,
  expectProblem,
  expectStatus,
  getPrice,
  override,
  priceOf,
  putPrices,
  setPrices,
  usd,
} from './kit';

/** The largest requests there may be. They come last: some stores are slower once they hold much. */
export const describeLargeRequests = (api: Api): void => {
  describe('large requests', () => {
    it('takes 10,000 items, 200 currencies and 1,000 rows, and no more', async () => {
      const book = await createBook(api);
      const items = (count: number) =>
        Array.from({ length: count }, (_, i) => usd(`P${String(i)}`, override(i)));
      expect(bodyOf(await setPrices(api, book, items(10_000)))).to.include({ productsSet: 10_000 });
      expect(await priceOf(api, book, 'P9999')).to.equal(9_999);
      expectProblem(await putPrices(api, book, items(10_001)), { status: 400, pointers: [''] });
      const rows = (count: number) => ({
        type: 'range',
        property: 'n',
        values: Array.from({ length: count }, (_, i) => ({ firstUnit: i, lastUnit: i, unitPrice: i })),
      });
      await setPrices(api, book, [usd('Q', rows(1_000))]);
      expect(await priceOf(api, book, 'Q', '?n=999')).to.equal(999);
      expectProblem(await putPrices(api, book, [usd('Q', rows(1_001))]), {
        status: 400,
        pointers: ['/0/adjustments/USD/values'],
      });
    });

    it('answers a quote of 10,000 lines, and others in between', async () => {
      const book = await createBook(api);
      const tiers = [
        { firstUnit: 1, lastUnit: 9, unitPrice: 20 },
        { firstUnit: 10, lastUnit: 99, unitPrice: 15 },
      ];
      await setPrices(api, book, [usd('V', { type: 'volume', tiers }), usd('plain', override(9.99))]);
      const lines = Array.from({ length: 10_000 }, (_, n) => ({
        productId: 'V',
        currency: 'USD',
        quantity: (n % 20) + 1,
      }));
      const ask = (json: unknown, query = '') =>
        api().request('POST', `/v1/pricebooks/${book}/quote${query}`, { json });
      let unanswered = 1;
      const whole = ask(lines).finally(() => {
        unanswered -= 1;
      });
      let others = 0;
      while (unanswered > 0) {
        expectStatus(await getPrice(api, book, 'plain'), 200);
        others += 1;
      }
      const quoted = expectStatus(await whole, 200).body as readonly { readonly price: number }[];
      expect(quoted.map(({ price }) => price)).to.deep.equal(lines.map((_, n) => (n % 20 < 9 ? 20 : 15)));
      expect(others).to.be.greaterThan(2);
      expectProblem(await ask(lines.slice(0, 101), '?explain=true'), { status: 400, says: '100' });
    });
  });
};
