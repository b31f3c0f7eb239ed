import { expect } from 'chai';
import {
  type Api,
  bodyOf,
  createBook,
  expectProblem,
  expectStatus,
  getPrice,
  nothing,
  override,
  percent,
  setPrices,
  UNKNOWN_BOOK,
  usd,
} from './kit';
import { cursorOf, pagesFrom } from './pages';

const regions = { type: 'enum', property: 'region', values: [{ value: 'EU', unitPrice: 12 }] };
const sale = { ...percent(-20), validFrom: '2999-01-01T00:00:00.000Z' };

export const describeProducts = (api: Api): void => {
  let made = 0;
  /** An id of its own: books of other tests hold products as well. */
  const newProduct = (): string => `product ${String(Date.now())}/${String((made += 1))}`;
  const booksOf = (product: string) => `/v1/products/${encodeURIComponent(product)}/pricebooks`;
  const get = (path: string) => api().request('GET', path);

  describe('List Product Books', () => {
    it('answers the books in which it has something of its own, with what it has', async () => {
      const product = newProduct();
      const base = await createBook(api, { name: 'Base' });
      const book = await createBook(api, { name: 'Retail', basePriceBookId: base });
      const [percentOnly, removed, gone] = [
        await createBook(api, { basePriceBookId: base }),
        await createBook(api),
        await createBook(api),
      ];
      await setPrices(api, base, [
        { productId: product, adjustments: { USD: [override(100), percent(5)], EUR: override(90) } },
        usd(`${product}0`, override(1)),
      ]);
      await setPrices(api, book, [usd(product, sale)]);
      await setPrices(api, percentOnly, { productId: 'all', adjustments: { USD: percent(10) } });
      for (const one of [removed, gone]) await setPrices(api, one, [usd(product, override(1))]);
      await setPrices(api, removed, [usd(product, nothing)]);
      expectStatus(await api().request('DELETE', `/v1/pricebooks/${gone}`), 204);
      const expected = [
        {
          priceBookId: base,
          name: 'Base',
          adjustments: { EUR: override(90), USD: override(100) },
          percents: { USD: percent(5) },
        },
        { priceBookId: book, name: 'Retail', adjustments: {}, percents: {}, dated: { USD: [sale] } },
      ];
      expect(expectStatus(await get(booksOf(product)), 200).body).to.deep.equal(expected);
      const pages = await pagesFrom(api, `${booksOf(product)}?limit=1`);
      expect(pages.flat()).to.deep.equal(expected);
    });

    it('is empty where no book knows the product, and refuses what it cannot read', async () => {
      const product = newProduct();
      expect(expectStatus(await get(booksOf(product)), 200).body).to.deep.equal([]);
      for (const [query, says] of [
        ['?limit=0', '"limit"'],
        ['?cursor=x', '"cursor"'],
        [`?cursor=${cursorOf('pricebooks:x')}`, '"cursor"'],
        ['?currency=USD', '"currency"'],
      ] as const) {
        expectProblem(await get(`${booksOf(product)}${query}`), { status: 400, says });
      }
      expectProblem(await get(booksOf('all')), { status: 400, says: 'product id' });
    });
  });

  describe('Get Product in Price Book', () => {
    const inBook = (product: string, book: string, query = '') => get(`${booksOf(product)}/${book}${query}`);

    it('answers what the product has of its own, and its price in every currency', async () => {
      const product = newProduct();
      const base = await createBook(api);
      const book = await createBook(api, { basePriceBookId: base });
      await setPrices(api, base, [
        { productId: product, adjustments: { USD: override(100), EUR: regions, BHD: percent(5) } },
      ]);
      await setPrices(api, book, [{ productId: product, adjustments: { USD: sale, JPY: override(7) } }]);
      await setPrices(api, book, { productId: 'all', adjustments: { USD: percent(-50), EUR: percent(10) } });
      for (const query of ['', '?region=EU', '?region=EU&explain=true']) {
        const { prices, ...own } = bodyOf(expectStatus(await inBook(product, book, query), 200));
        expect(own).to.deep.equal({
          productId: product,
          priceBookId: book,
          adjustments: { JPY: override(7) },
          percents: {},
          dated: { USD: [sale] },
        });
        const expected = [];
        for (const currency of ['EUR', 'JPY', 'USD']) {
          const answer = await getPrice(api, book, product, query, currency);
          const { requestId, ...body } = bodyOf(answer);
          expect(requestId === undefined).to.equal(answer.status === 200);
          expected.push(answer.status === 200 ? body : { productId: product, currency, problem: body });
        }
        expect(prices).to.deep.equal(expected);
      }
    });

    it('is empty where the book has nothing of the product, and not there without the book', async () => {
      const [product, book] = [newProduct(), await createBook(api)];
      expect(expectStatus(await inBook(product, book), 200).body).to.deep.equal({
        productId: product,
        priceBookId: book,
        adjustments: {},
        percents: {},
        prices: [],
      });
      for (const id of [UNKNOWN_BOOK, 'x']) {
        expectProblem(await inBook(product, id), { status: 404, type: 'price-book-not-found' });
      }
      for (const name of ['at', 'knownAt']) {
        const answer = await inBook(product, book, `?${name}=2026-01-01T00:00:00Z`);
        expectProblem(answer, { status: 400, says: `"${name}"` });
      }
      expectProblem(await inBook(product, book, '?explain=yes'), { status: 400, says: '"explain"' });
    });

    it('is at no address of a price: products and books may be called anything', async () => {
      const book = await createBook(api);
      await setPrices(api, book, [usd('products', override(3)), usd('effective-prices', override(4))]);
      for (const [product, price] of [
        ['products', 3],
        ['effective-prices', 4],
      ] as const) {
        expect(bodyOf(expectStatus(await getPrice(api, book, product), 200))).to.include({ price });
        const { prices } = bodyOf(expectStatus(await inBook(product, book), 200));
        expect((prices as readonly object[])[0]).to.include({ price });
      }
    });
  });
};
