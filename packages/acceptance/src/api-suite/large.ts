import { expect } from 'chai';
import {
  type Api,
  bodyOf,
  createBook,
  expectProblem,
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
    }).timeout(60_000);
  });
};
