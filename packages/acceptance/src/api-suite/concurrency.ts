import { expect } from 'chai';
import {
  type Api,
  bodyOf,
  createBook,
  expectStatus,
  override,
  percent,
  priceOf,
  setPrices,
  usd,
} from './kit';

export const describeConcurrency = (api: Api): void => {
  describe('many at once', () => {
    it('300 writes to one book all succeed, each with its own revision, and the last is read', async () => {
      const book = await createBook(api);
      const answers = await Promise.all(
        Array.from({ length: 300 }, (_, i) =>
          setPrices(api, book, [usd('P', override(i)), usd(`P${String(i)}`, override(i))]),
        ),
      );
      const revisions = answers.map((answer) => Number(bodyOf(answer)['revision']));
      expect([...revisions].sort((a, b) => a - b)).to.deep.equal(
        Array.from({ length: 300 }, (_, i) => i + 1),
      );
      expect(await priceOf(api, book, 'P')).to.equal(revisions.indexOf(300));
      expect(await priceOf(api, book, 'P299')).to.equal(299);
    });

    it('100 updates of one book are each answered with what they made of it', async () => {
      const book = await createBook(api);
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          api().request('PATCH', `/v1/pricebooks/${book}`, { json: { name: `name ${String(i)}` } }),
        ),
      );
      expect(answers.map((answer) => bodyOf(answer)['name'])).to.deep.equal(
        Array.from({ length: 100 }, (_, i) => `name ${String(i)}`),
      );
      expect(new Set(answers.map(({ headers }) => headers.get('etag'))).size).to.equal(100);
    });

    it('a write is readable the moment it is answered, also while others write', async () => {
      const books = await Promise.all([1, 2, 3, 4].map(() => createBook(api)));
      await Promise.all(
        books.map(async (book) => {
          for (let i = 0; i < 50; i += 1) {
            await setPrices(api, book, [usd('P', override(i))]);
            expect(await priceOf(api, book, 'P')).to.equal(i);
            await setPrices(api, book, { productId: 'all', adjustments: { USD: percent(100) } });
            expect(await priceOf(api, book, 'P')).to.equal(2 * i);
            await setPrices(api, book, { productId: 'all', adjustments: { USD: null } });
          }
        }),
      );
    }).timeout(30_000);

    it('a book and the book based on it are made and used at once', async () => {
      const root = await createBook(api);
      await setPrices(api, root, [usd('P', override(100))]);
      await Promise.all(
        Array.from({ length: 20 }, async (_, i) => {
          const derived = await createBook(api, { basePriceBookId: root });
          await setPrices(api, derived, { productId: 'all', adjustments: { USD: percent(i) } });
          expect(await priceOf(api, derived, 'P')).to.equal(100 + i);
          expectStatus(await api().request('DELETE', `/v1/pricebooks/${derived}`), 204);
        }),
      );
      expectStatus(await api().request('DELETE', `/v1/pricebooks/${root}`), 204);
    }).timeout(30_000);
  });
};
