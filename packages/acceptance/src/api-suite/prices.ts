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
  priceOf,
  setPrices,
  UNKNOWN_BOOK,
  usd,
} from './kit';

const tiers = {
  type: 'volume',
  tiers: [
    { firstUnit: 10, unitPrice: 15 },
    { firstUnit: 1, lastUnit: 9, unitPrice: 20 },
  ],
};
const colours = {
  type: 'enum',
  property: 'colour',
  values: [
    { value: 'red', unitPrice: 1 },
    { value: 'dark blue', unitPrice: 2 },
  ],
};
const lengths = {
  type: 'range',
  property: 'length',
  values: [
    { firstUnit: 0, lastUnit: 10, unitPrice: 1 },
    { firstUnit: 20, lastUnit: 30, unitPrice: 2 },
  ],
};

export const describePrices = (api: Api): void => {
  const put = (book: string, json: unknown) =>
    api().request('PUT', `/v1/pricebooks/${book}/prices`, { json });
  const removeEntries = (book: string, json: unknown) =>
    api().request('DELETE', `/v1/pricebooks/${book}/prices`, { json });
  const revisionOf = async (book: string) =>
    (await api().request('GET', `/v1/pricebooks/${book}`)).headers.get('etag');

  describe('Set Product Prices', () => {
    it('answers the revision, the time and how many products were set', async () => {
      const book = await createBook(api);
      const answer = await setPrices(api, book, [
        { productId: 'P', adjustments: { usd: override(1), Eur: override(2) } },
        { productId: 'Q' },
        { productId: 'R', adjustments: {} },
        usd('S', percent(5)),
      ]);
      const { updatedAt, ...others } = bodyOf(answer);
      expect(others).to.deep.equal({ priceBookId: book, revision: 1, productsSet: 2 });
      expect(answer.headers.get('etag')).to.equal('"1"');
      const shown = bodyOf(await api().request('GET', `/v1/pricebooks/${book}`));
      expect(shown['updatedAt']).to.equal(updatedAt);
      expect([await priceOf(api, book, 'P'), await priceOf(api, book, 'P', '', 'eur')]).to.deep.equal([1, 2]);
    });

    it('answers null for how many products an all-products request sets', async () => {
      const book = await createBook(api);
      const answer = await setPrices(api, book, {
        productId: 'all',
        adjustments: { USD: percent(5), EUR: null },
      });
      expect(bodyOf(answer)).to.include({ revision: 1, productsSet: null });
    });

    it('makes no event of a request without adjustments', async () => {
      const book = await createBook(api);
      for (const [json, productsSet] of [
        [[], 0],
        [[{ productId: 'P' }, { productId: 'Q', adjustments: {} }], 0],
        [{ productId: 'all', adjustments: {} }, null],
      ] as const) {
        expect(bodyOf(await setPrices(api, book, json))).to.include({ revision: 0, productsSet });
      }
      expect(await revisionOf(book)).to.equal('"0"');
    });

    it('sets all or nothing, and tells every fault with its pointer', async () => {
      const book = await createBook(api);
      const items = [
        usd('P', override(1)),
        { productId: 'P', adjustments: { USD: override(2) } },
        { productId: '', adjustments: {} },
        { productId: 'all', adjustments: { USD: override(1) } },
        { productId: 'a\u0000b', extra: true },
        usd('x/y', { type: 'override', amount: -1 }),
        usd('Q', { type: 'percent', amount: -101 }),
        usd('R', { type: 'gift', amount: 1 }),
        { productId: 'S', adjustments: { XAU: override(1), usd: override(1), USD: override(1) } },
        usd('T', null),
        usd('U', { type: 'null' }),
        usd('V', { ...tiers, tiers: [] }),
        usd('W', { ...colours, property: 'at' }),
      ];
      expectProblem(await put(book, items), {
        status: 400,
        pointers: [
          '/2/productId',
          '/3/productId',
          '/4/productId',
          '/4/extra',
          '/5/adjustments/USD/amount',
          '/6/adjustments/USD/amount',
          '/7/adjustments/USD/type',
          '/8/adjustments/XAU',
          '/8/adjustments/USD',
          '/9/adjustments/USD',
          '/10/adjustments/USD/amount',
          '/11/adjustments/USD/tiers',
          '/12/adjustments/USD/property',
          '/1/productId',
        ],
      });
      expectProblem(await put(book, items.slice(0, 2)), { status: 400, pointers: ['/1/productId'] });
      expect(await revisionOf(book)).to.equal('"0"');
      expect(await priceOf(api, book, 'P')).to.equal(undefined);
    });

    it('takes only percents and JSON null for all products', async () => {
      const book = await createBook(api);
      for (const adjustment of [override(1), nothing, tiers, 5]) {
        const answer = await put(book, { productId: 'all', adjustments: { USD: adjustment } });
        expectProblem(answer, { status: 400 });
        expect(JSON.stringify(answer.body)).to.include('/adjustments/USD');
      }
      expectProblem(await put(book, { productId: 'P', adjustments: {} }), {
        status: 400,
        pointers: ['/productId'],
      });
      expectProblem(await put(book, { productId: 'all' }), { status: 400, pointers: ['/adjustments'] });
      expectProblem(await put(book, 'all'), { status: 400, pointers: [''] });
    });

    it('answers 404 where there is no such book, after the rules of the body', async () => {
      for (const book of [UNKNOWN_BOOK, 'x']) {
        expectProblem(await put(book, [usd('P', override(1))]), {
          status: 404,
          type: 'price-book-not-found',
        });
        expectProblem(await put(book, [usd('P', override(-1))]), { status: 400 });
      }
    });
  });

  describe('Delete Price Book Entries', () => {
    it('removes what products have in every currency, and passes over unknown ones', async () => {
      const book = await createBook(api);
      await setPrices(api, book, [
        { productId: 'P', adjustments: { USD: override(1), EUR: override(2) } },
        usd('Q', override(3)),
      ]);
      const answer = expectStatus(await removeEntries(book, ['P', 'unknown', 'P']), 204);
      expect(answer.headers.get('etag')).to.equal('"2"');
      expect(await priceOf(api, book, 'P')).to.equal(undefined);
      expect(await priceOf(api, book, 'P', '', 'EUR')).to.equal(undefined);
      expect(await priceOf(api, book, 'Q')).to.equal(3);
    });

    it('never takes a missing body for all products', async () => {
      const book = await createBook(api);
      await setPrices(api, book, [usd('P', override(1))]);
      const target = `/v1/pricebooks/${book}/prices`;
      const json = { 'content-type': 'application/json' };
      expectProblem(await api().request('DELETE', target), { status: 400, pointers: [''] });
      expectProblem(await api().request('DELETE', target, { headers: json }), {
        status: 400,
        pointers: [''],
      });
      expectProblem(await api().request('DELETE', target, { headers: json, raw: ' ' }), {
        status: 400,
        pointers: [''],
      });
      expectProblem(await removeEntries(book, null), { status: 400, pointers: [''] });
      expectProblem(await removeEntries(book, {}), { status: 400, pointers: [''] });
      expectProblem(await removeEntries(book, ['P', 7, 'all', '']), {
        status: 400,
        pointers: ['/1', '/2', '/3'],
      });
      expectStatus(await removeEntries(book, []), 204);
      expect(await revisionOf(book)).to.equal('"1"');
      expect(await priceOf(api, book, 'P')).to.equal(1);
    });
  });

  describe('Get Product Price', () => {
    it('answers exactly the four fields of a product price', async () => {
      const book = await createBook(api);
      const { updatedAt } = bodyOf(await setPrices(api, book, [usd('P', override(0.049999999999999996))]));
      expect((await getPrice(api, book, 'P', '', 'usd')).body).to.deep.equal({
        productId: 'P',
        price: 0.049999999999999996,
        currency: 'USD',
        effectiveDate: updatedAt,
      });
    });

    it('takes product ids of any text', async () => {
      const book = await createBook(api);
      const ids = ['a/b', 'ü 🎈', '%2F', 'a?b#c', 'prices', '*', ':x', '"', 'ALL-x', '...', 'x'.repeat(256)];
      await setPrices(
        api,
        book,
        ids.map((id, index) => usd(id, override(index))),
      );
      for (const [index, id] of ids.entries()) expect(await priceOf(api, book, id), id).to.equal(index);
    });

    it('refuses in the path what can be no product and no currency', async () => {
      const book = await createBook(api);
      for (const id of ['all', 'ALL', 'x'.repeat(257), '\u0007']) {
        expectProblem(await getPrice(api, book, id), { status: 400, says: 'product id' });
      }
      for (const currency of ['XAU', 'XYZ', 'US', 'dollar']) {
        expectProblem(await getPrice(api, book, 'P', '', currency), { status: 400, says: 'currency' });
      }
    });

    it('tells a book that is not there from a price that is not there', async () => {
      const book = await createBook(api);
      expectProblem(await getPrice(api, book, 'P'), { status: 404, type: 'no-price' });
      for (const id of [UNKNOWN_BOOK, 'x']) {
        expectProblem(await getPrice(api, id, 'P'), { status: 404, type: 'price-book-not-found' });
      }
    });

    it('chooses rows by query parameters, and says what is wrong with one', async () => {
      const book = await createBook(api);
      await setPrices(api, book, [usd('V', tiers), usd('E', colours), usd('L', lengths)]);
      expect(await priceOf(api, book, 'V')).to.equal(20);
      expect(await priceOf(api, book, 'V', '?quantity=9.5')).to.equal(20);
      expect(await priceOf(api, book, 'V', '?quantity=1e3&colour=none&colour=twice')).to.equal(15);
      expect(await priceOf(api, book, 'E', '?colour=dark+blue&length=nonsense')).to.equal(2);
      expect(await priceOf(api, book, 'L', '?length=10')).to.equal(1);
      for (const query of [
        '?quantity=0',
        '?quantity=-1',
        '?quantity=x',
        '?quantity=',
        '?quantity=1&quantity=1',
      ]) {
        // Also where no table needs it, or there is no price.
        for (const product of ['V', 'E', 'unknown']) {
          expectProblem(await getPrice(api, book, product, query), { status: 400, says: 'quantity' });
        }
      }
      expectProblem(await getPrice(api, book, 'V', '?quantity=two'), {
        status: 400,
        says: 'The value of "quantity" must be a number above 0, not "two".',
      });
      expectProblem(await getPrice(api, book, 'E'), { status: 400, says: '"red", "dark blue"' });
      expectProblem(await getPrice(api, book, 'L'), { status: 400, says: 'length' });
      expectProblem(await getPrice(api, book, 'E', '?colour=Red'), {
        status: 404,
        type: 'no-price',
        says: 'dark blue',
      });
      expectProblem(await getPrice(api, book, 'L', '?length=15'), { status: 404, says: '20 to 30' });
      expectProblem(await getPrice(api, book, 'V', '?quantity=0.5'), { status: 404, says: '10 and more' });
    });

    it('answers the price as it was at a time', async () => {
      const book = await createBook(api);
      const times: string[] = [];
      for (const amount of [1, 2]) {
        const { updatedAt } = bodyOf(await setPrices(api, book, [usd('P', override(amount))]));
        times.push(String(updatedAt));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      const [first = '', second = ''] = times;
      const at = (time: string) => priceOf(api, book, 'P', `?at=${time}`);
      expect(await at(first)).to.equal(1);
      expect(await at(second)).to.equal(2);
      expect(await at('2999-01-01T00:00:00Z')).to.equal(2);
      expect(await at('9999-12-31T23:59:59-23:59')).to.equal(2);
      expectProblem(await getPrice(api, book, 'P', '?at=2000-01-01T02:00:00%2B02:00'), {
        status: 404,
        type: 'no-price',
        says: 'At 2000-01-01T00:00:00.000Z, the product "P" has no list price in USD, in this book',
      });
      const shifted = `${new Date(Date.parse(first) + 7_200_000).toISOString().slice(0, -1)}+02:00`;
      expect(await at(shifted), 'a + that arrives as a space').to.equal(1);
      expect(await at(encodeURIComponent(shifted))).to.equal(1);
      for (const wrong of [
        'yesterday',
        '2026-01-01',
        '2026-02-30T00:00:00Z',
        '2026-01-01T00:00:00',
        '',
        `${first}&at=${first}`,
      ]) {
        expectProblem(await getPrice(api, book, 'P', `?at=${wrong}`), { status: 400, says: '"at"' });
      }
      expectProblem(await getPrice(api, book, 'P', '?at=yesterday'), {
        status: 400,
        says: 'The query parameter "at" must be an ISO 8601 date-time with offset, such as 2026-01-31T12:00:00Z, not "yesterday".',
      });
      expectStatus(await api().request('DELETE', `/v1/pricebooks/${book}`), 204);
      expect(await at(second), 'in a book deleted since').to.equal(2);
      expectProblem(await getPrice(api, book, 'P', '?at=2999-01-01T00:00:00Z'), {
        status: 404,
        type: 'no-price',
      });
      expectProblem(await getPrice(api, book, 'P'), { status: 404, type: 'price-book-not-found' });
    });

    it('explains how the price came about', async () => {
      const root = await createBook(api);
      const derived = await createBook(api, { basePriceBookId: root });
      await setPrices(api, root, [usd('P', tiers)]);
      await setPrices(api, root, { productId: 'all', adjustments: { USD: percent(7.5) } });
      const { updatedAt } = bodyOf(
        await setPrices(api, derived, { productId: 'all', adjustments: { USD: percent(10) } }),
      );
      const answer = bodyOf(await getPrice(api, derived, 'P', '?quantity=10&explain=true'));
      expect(answer).to.include({ price: 17.74, effectiveDate: updatedAt });
      const { steps } = answer['explanation'] as { steps: Readonly<Record<string, unknown>>[] };
      expect(steps).to.have.length(2);
      expect(steps[0]).to.deep.nested.include({
        priceBookId: root,
        'entered.adjustment.type': 'volume',
        'entered.chosen': {
          property: 'quantity',
          value: 10,
          row: { firstUnit: 10, lastUnit: null, unitPrice: 15 },
        },
        'entered.revision': 1,
        listPrice: 15,
        'change.of': 'allProducts',
        'change.adjustment': percent(7.5),
        'change.exact': '16.125',
        'change.roundedTo': 2,
        price: 16.13,
      });
      expect(steps[1]).to.deep.nested.include({
        priceBookId: derived,
        listPrice: 16.13,
        'change.exact': '17.743',
        'change.revision': 1,
        'change.occurredAt': updatedAt,
        'change.actor': 'bootstrap',
        price: 17.74,
      });
      expect(bodyOf(await getPrice(api, derived, 'P', '?explain=false'))).not.to.have.property('explanation');
      expect(bodyOf(await getPrice(api, derived, 'P', '?explain=True'))).to.have.property('explanation');
      expectProblem(await getPrice(api, derived, 'P', '?explain=maybe'), { status: 400, says: 'explain' });
    });
  });
};
