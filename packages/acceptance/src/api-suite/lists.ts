import { expect } from 'chai';
import {
  type Api,
  bodyOf,
  createBook,
  expectProblem,
  expectStatus,
  nothing,
  override,
  percent,
  setPrices,
  UNKNOWN_BOOK,
  usd,
} from './kit';
import { cursorOf, nextOf, pagesFrom } from './pages';

const BOOKS = '/v1/pricebooks';

interface Own {
  readonly productId: string;
  readonly adjustments: Readonly<Record<string, unknown>>;
  readonly percents: Readonly<Record<string, unknown>>;
}

export const describeLists = (api: Api): void => {
  const get = (path: string, headers = {}) => api().request('GET', path, { headers });
  const idsIn = (books: unknown): readonly string[] => (books as { id: string }[]).map(({ id }) => id);
  const removeBook = async (id: string) => expectStatus(await api().request('DELETE', `${BOOKS}/${id}`), 204);

  describe('List Price Books in pages', () => {
    it('brings every book once, in pages of any size, in the order of the whole list', async () => {
      for (let n = 0; n < 4; n += 1) await createBook(api);
      await removeBook(await createBook(api));
      const whole = expectStatus(await get(BOOKS), 200);
      expect(whole.headers.get('link')).to.equal(null);
      for (const limit of [2, 7, 1_000]) {
        const pages = await pagesFrom(api, `${BOOKS}?limit=${String(limit)}`);
        expect(pages.flat()).to.deep.equal(whole.body);
        for (const page of pages) expect(page.length).to.be.at.most(limit);
      }
    }).timeout(60_000);

    it('loses no book that stays while others come and go between the pages', async () => {
      const ids = [];
      for (let n = 0; n < 6; n += 1) ids.push(await createBook(api));
      const seen: string[] = [];
      for (let next: string | undefined = `${BOOKS}?limit=3`; next !== undefined;) {
        const answer = expectStatus(await get(next), 200);
        seen.push(...idsIn(answer.body));
        next = nextOf(next, answer);
        // Sooner or later it is the one at which the next page was to begin.
        const gone = ids.find((id) => !seen.includes(id));
        if (gone === undefined) continue;
        await removeBook(gone);
        ids.splice(ids.indexOf(gone), 1);
        if (ids.length > 2) await createBook(api);
      }
      expect(seen).to.include.members(ids);
      expect(new Set(seen).size).to.equal(seen.length);
    }).timeout(60_000);

    it('filters by part of the name, in any letter case and as it is', async () => {
      const marker = `m${String(Date.now())}`;
      const named = async (name: string) => createBook(api, { name: `${marker} ${name}` });
      const [street, dots, operator, sigma] = [
        await named('Große Straße (retail)'),
        await named('a.c*'),
        await named('{"$gt": ""}'),
        await named('ΟΔΟΣ'),
      ];
      const find = async (part: string, query = '') =>
        (await pagesFrom(api, `${BOOKS}?name=${encodeURIComponent(part)}${query}`)).flatMap(idsIn);
      expect(await find(marker.toUpperCase())).to.deep.equal([street, dots, operator, sigma]);
      expect(await find(marker, '&limit=1')).to.deep.equal([street, dots, operator, sigma]);
      expect(await find(`${marker} GROSSE STRASSE`)).to.deep.equal([street]);
      expect(await find(`${marker} οδος`)).to.deep.equal([sigma]);
      expect(await find(`${marker} A.C*`)).to.deep.equal([dots]);
      expect(await find(`${marker} a.*`)).to.deep.equal([]);
      expect(await find(`${marker} {"$gt`)).to.deep.equal([operator]);
    }).timeout(60_000);

    it('refuses parameters that it does not know, that are malformed, or given twice', async () => {
      const id = await createBook(api);
      for (const [query, says] of [
        ['limit=0', '"limit"'],
        ['limit=1001', '"limit"'],
        ['limit=1&limit=1', '"limit"'],
        ['name=a&name=b', '"name"'],
        ['name[$ne]=a', 'name[$ne]'],
        ['cursor=', '"cursor"'],
        [`cursor=${cursorOf(`prices:${id}`)}`, '"cursor"'],
        [`cursor=${cursorOf(`pricebooks:${id.toUpperCase()}`)}`, '"cursor"'],
        [`cursor=${cursorOf('pricebooks:x')}`, '"cursor"'],
        ['Limit=1', '"Limit"'],
      ] as const) {
        expectProblem(await get(`${BOOKS}?${query}`), { status: 400, type: 'invalid-request', says });
      }
      expectStatus(await get(`${BOOKS}?cursor=${cursorOf(`pricebooks:${id}`)}`), 200);
    });
  });

  describe('List Product Prices', () => {
    const pricesOf = (book: string, query = '') => `${BOOKS}/${book}/prices${query}`;
    const list = async (book: string, query = ''): Promise<readonly Own[]> =>
      (await pagesFrom(api, pricesOf(book, query))).flat() as readonly Own[];
    const volume = { type: 'volume', tiers: [{ firstUnit: 1, lastUnit: null, unitPrice: 3 }] };

    it('answers what the products of a root book have of their own', async () => {
      const book = await createBook(api);
      await setPrices(api, book, [
        { productId: 'P', adjustments: { usd: override(100), EUR: volume, JPY: percent(5) } },
        { productId: 'Q', adjustments: { USD: percent(-20) } },
        usd('gone', override(1)),
      ]);
      await setPrices(api, book, { productId: 'all', adjustments: { USD: percent(10) } });
      await setPrices(api, book, [usd('P', percent(7)), usd('gone', nothing)]);
      const answer = expectStatus(await get(pricesOf(book)), 200);
      expect(answer.body).to.deep.equal([
        {
          productId: 'P',
          adjustments: { EUR: volume, USD: override(100) },
          percents: { JPY: percent(5), USD: percent(7) },
        },
        { productId: 'Q', adjustments: {}, percents: { USD: percent(-20) } },
      ]);
      expect(answer.headers.get('link')).to.equal(null);
    });

    it('answers what decides alone in a book with a base', async () => {
      const root = await createBook(api);
      const book = await createBook(api, { basePriceBookId: root });
      await setPrices(api, root, [usd('only in the base', override(1))]);
      await setPrices(api, book, [usd('P', override(100)), usd('Q', override(1))]);
      await setPrices(api, book, [usd('P', percent(7))]);
      expect(await list(book)).to.deep.equal([
        { productId: 'P', adjustments: { USD: percent(7) }, percents: {} },
        { productId: 'Q', adjustments: { USD: override(1) }, percents: {} },
      ]);
    });

    it('goes by product id in the order of code points, and every page size gives the same', async () => {
      const book = await createBook(api);
      const ids = ['-', '1', 'P', 'P/1', 'PP', 'a', 'é', 'ü', '\uff5e', '🎈', '🎈🎈'];
      await setPrices(
        api,
        book,
        [...ids].reverse().map((id) => usd(id, override(1))),
      );
      await setPrices(api, book, [{ productId: 'P', adjustments: { JPY: override(1) } }]);
      const whole = await list(book);
      expect(whole.map(({ productId }) => productId)).to.deep.equal(ids);
      for (const limit of [1, 2, 3, 5]) {
        const pages = await pagesFrom(api, pricesOf(book, `?limit=${String(limit)}`));
        expect(pages.flat()).to.deep.equal(whole);
        expect(pages).to.have.length(Math.ceil(ids.length / limit));
        expect(
          (await list(book, `?limit=${String(limit)}&currency=jpy`)).map((own) => own.productId),
        ).to.deep.equal(['P']);
      }
    });

    it('has 100 products on a page where no limit is given', async () => {
      const book = await createBook(api);
      const items = Array.from({ length: 101 }, (_, n) => usd(`P${String(n)}`, override(n)));
      await setPrices(api, book, items);
      expect((await pagesFrom(api, pricesOf(book))).map(({ length }) => length)).to.deep.equal([100, 1]);
      expect((await pagesFrom(api, pricesOf(book, '?limit=101'))).map(({ length }) => length)).to.deep.equal([
        101,
      ]);
    });

    it('shows one currency alone where it is named, in any letter case', async () => {
      const book = await createBook(api);
      await setPrices(api, book, [
        { productId: 'P', adjustments: { USD: override(1), JPY: override(2) } },
        { productId: 'Q', adjustments: { JPY: percent(3) } },
        usd('R', override(4)),
      ]);
      expect(await list(book, '?currency=Jpy')).to.deep.equal([
        { productId: 'P', adjustments: { JPY: override(2) }, percents: {} },
        { productId: 'Q', adjustments: {}, percents: { JPY: percent(3) } },
      ]);
      expect(await list(book, '?currency=BHD')).to.deep.equal([]);
    });

    it('lists the products of a prefix alone, in pages of any size', async () => {
      const book = await createBook(api);
      const ids = ['P', 'P-', 'P-1', 'P-2', 'P-é', 'P-🎈', 'P.', 'p-1'];
      await setPrices(
        api,
        book,
        ids.map((id) => usd(id, override(1))),
      );
      await setPrices(api, book, { productId: 'all', adjustments: { USD: percent(5) } });
      for (const [prefix, found] of [
        ['P-', ['P-', 'P-1', 'P-2', 'P-é', 'P-🎈']],
        ['P-é', ['P-é']],
        ['P', ids.slice(0, -1)],
        ['Q', []],
      ] as const) {
        for (const limit of [1, 2, 100]) {
          const query = `?productIdPrefix=${encodeURIComponent(prefix)}&limit=${String(limit)}`;
          expect((await list(book, query)).map(({ productId }) => productId)).to.deep.equal(found);
        }
      }
      const sheet = await get(pricesOf(book, '?productIdPrefix=P-1'), { accept: 'text/csv' });
      const rows = String(expectStatus(sheet, 200).body).trim().split('\r\n').slice(1);
      expect(rows.map((row) => row.split(',')[0])).to.deep.equal(['P-1']);
    });

    it('carries the revision of the book, and answers 304 to who has that', async () => {
      const book = await createBook(api);
      await setPrices(api, book, [usd('P', override(1))]);
      const answer = expectStatus(await get(pricesOf(book)), 200);
      expect(answer.headers.get('etag')).to.equal('"1"');
      expect(answer.headers.get('cache-control')).to.equal('no-cache');
      const same = expectStatus(await get(pricesOf(book), { 'if-none-match': '"1"' }), 304);
      expect(same.body).to.equal('');
      await setPrices(api, book, [usd('P', override(2))]);
      const changed = expectStatus(await get(pricesOf(book), { 'if-none-match': '"1"' }), 200);
      expect(changed.headers.get('etag')).to.equal('"2"');
      expect(changed.body).to.deep.equal([
        { productId: 'P', adjustments: { USD: override(2) }, percents: {} },
      ]);
    });

    it('is empty for a new book, and 404 without a book', async () => {
      const book = await createBook(api);
      expect(await list(book)).to.deep.equal([]);
      await removeBook(book);
      for (const id of [book, UNKNOWN_BOOK, 'x']) {
        for (const path of [pricesOf(id), `${BOOKS}/${id}/percents`]) {
          expectProblem(await get(path), { status: 404, type: 'price-book-not-found' });
        }
      }
    });

    it('refuses parameters that it does not know, that are malformed, or given twice, before it looks', async () => {
      const refused: readonly (readonly [query: string, says: string])[] = [
        ['?limit=0', '"limit"'],
        ['?limit=1001', '"limit"'],
        ['?productIdPrefix=', '"productIdPrefix"'],
        ['?currency=', '"currency"'],
        ['?currency=US', '"currency"'],
        ['?currency=USD&currency=USD', '"currency"'],
        ['?cursor=x', '"cursor"'],
        [`?cursor=${cursorOf('prices:all')}`, '"cursor"'],
        [`?cursor=${cursorOf('prices:')}`, '"cursor"'],
        [`?cursor=${cursorOf('events:P')}`, '"cursor"'],
        ['?productId=P', '"productId"'],
        ['?at=2026-01-01T00:00:00Z', '"at"'],
      ];
      for (const [query, says] of refused) {
        expectProblem(await get(pricesOf(UNKNOWN_BOOK, query)), {
          status: 400,
          type: 'invalid-request',
          says,
        });
      }
      expectProblem(await get(`${BOOKS}/${UNKNOWN_BOOK}/percents?limit=1`), { status: 400, says: '"limit"' });
    });
  });

  describe('Get Percents', () => {
    it('answers what a book has for all products, by currency, and since when', async () => {
      const book = await createBook(api);
      const path = `${BOOKS}/${book}/percents`;
      const none = expectStatus(await get(path), 200);
      expect([none.body, none.headers.get('etag')]).to.deep.equal([{}, '"0"']);
      const set = { productId: 'all', adjustments: { usd: percent(10), EUR: percent(-5), JPY: percent(1) } };
      const { updatedAt } = bodyOf(await setPrices(api, book, set));
      const then = bodyOf(
        await setPrices(api, book, { productId: 'all', adjustments: { USD: percent(12.5), JPY: null } }),
      );
      await setPrices(api, book, [usd('P', percent(3))]);
      const answer = expectStatus(await get(path), 200);
      expect(answer.body).to.deep.equal({
        EUR: { percent: -5, adjustment: percent(-5), since: updatedAt, revision: 1 },
        USD: { percent: 12.5, adjustment: percent(12.5), since: then['updatedAt'], revision: 2 },
      });
      expect(Object.keys(bodyOf(answer))).to.deep.equal(['EUR', 'USD']);
      expect(answer.headers.get('etag')).to.equal('"3"');
      expectStatus(await get(path, { 'if-none-match': '"3"' }), 304);
      const fixed = { type: 'fixedAmount', amount: -5, roundTo: 1, ending: 0.99 };
      await setPrices(api, book, { productId: 'all', adjustments: { USD: fixed } });
      expect(bodyOf(await get(path))['USD']).to.deep.include({
        percent: null,
        adjustment: fixed,
        revision: 4,
      });
    });
  });
};
