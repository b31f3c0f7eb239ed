import { setTimeout as delay } from 'node:timers/promises';
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
  setPrices as setPricesAtOnce,
  UNKNOWN_BOOK,
  usd,
} from './kit';

interface Period {
  readonly from: string;
  readonly to: string | null;
  readonly price: number | null;
  readonly problem?: string;
  readonly cause: Readonly<Record<string, unknown>>;
}

const regions = {
  type: 'enum',
  property: 'region',
  values: [
    { value: 'EU', unitPrice: 5 },
    { value: 'US', unitPrice: 6 },
  ],
};

export const describeTimeline = (api: Api): void => {
  const target = (book: string, query = '', product = 'P', currency = 'USD'): string =>
    `/v1/pricebooks/${book}/${encodeURIComponent(product)}/${currency}/history${query}`;
  const ask = (...path: Parameters<typeof target>) => api().request('GET', target(...path));
  const periodsOf = async (...path: Parameters<typeof target>): Promise<readonly Period[]> =>
    expectStatus(await ask(...path), 200).body as readonly Period[];
  const removeBook = async (book: string) =>
    expectStatus(await api().request('DELETE', `/v1/pricebooks/${book}`), 204);

  /** Nothing happens in the millisecond of what was before, so that each change begins a period. */
  const setPrices: typeof setPricesAtOnce = async (...request) => {
    await delay(2);
    return setPricesAtOnce(...request);
  };

  describe('Get Price History', () => {
    it('tells each period of a price, and what began it', async () => {
      const root = await createBook(api);
      const book = await createBook(api, { basePriceBookId: root });
      await setPrices(api, book, { productId: 'all', adjustments: { USD: percent(-50) } });
      await setPrices(api, root, [usd('P', override(100)), usd('Q', override(7))]);
      await setPrices(api, book, [usd('P', override(60))]);
      await setPrices(api, root, [usd('P', override(80))]);
      await delay(2);
      expectStatus(await api().request('DELETE', `/v1/pricebooks/${book}/prices`, { json: ['P'] }), 204);
      await setPrices(api, book, { productId: 'all', adjustments: { USD: null } });
      await delay(2);
      await removeBook(book);
      const periods = await periodsOf(book, '', 'P', 'usd');
      const actor = 'bootstrap';
      expect(periods.map(({ price, cause }) => [price, cause])).to.deep.equal([
        [50, { type: 'ProductPricesSet', priceBookId: root, revision: 1, actor, adjustment: override(100) }],
        [60, { type: 'ProductPricesSet', priceBookId: book, revision: 2, actor, adjustment: override(60) }],
        [40, { type: 'PriceBookEntriesDeleted', priceBookId: book, revision: 3, actor }],
        [80, { type: 'AllProductsAdjusted', priceBookId: book, revision: 4, actor, adjustment: nothing }],
        [null, { type: 'PriceBookDeleted', priceBookId: book, revision: 5, actor }],
      ]);
      expect(Object.keys(periods[0] ?? {})).to.deep.equal(['from', 'to', 'price', 'cause']);
      periods.forEach(({ to }, place) => {
        expect(to).to.equal(periods[place + 1]?.from ?? null);
      });
      for (const { from, price, problem } of periods) {
        const answer = await getPrice(api, book, 'P', `?at=${from}`);
        if (price !== null) expect(bodyOf(answer)).to.include({ price });
        else {
          expect(problem).to.include('has no list price');
          expectProblem(answer, {
            status: 404,
            says: `At ${from}, the product "P" has no list price in USD, `,
          });
        }
      }
    });

    it('says of each time what a table of it needs, and never fails for it', async () => {
      const book = await createBook(api);
      await setPrices(api, book, [usd('P', regions)]);
      await setPrices(api, book, [usd('P', override(1))]);
      await setPrices(api, book, [usd('P', nothing)]);
      const told = async (query: string) =>
        (await periodsOf(book, query)).map(({ price, problem }) => [price, problem]);
      const detailOf = async (query: string) => bodyOf(await getPrice(api, book, 'P', query))['detail'];
      const none = [null, await detailOf('')];
      expect(await told('?region=EU')).to.deep.equal([[5, undefined], [1, undefined], none]);
      const [{ from } = { from: '' }] = await periodsOf(book);
      for (const query of ['', '?region=there', '?region=EU&region=US']) {
        const problem = await detailOf(`?at=${from}&${query.slice(1)}`);
        expect(problem).to.match(/region/);
        expect(await told(query)).to.deep.equal([[null, problem], [1, undefined], none]);
      }
    });

    it('keeps limit and cursor to itself, also where a table asks for one', async () => {
      const book = await createBook(api);
      await setPrices(api, book, [usd('P', { ...regions, property: 'limit' })]);
      expect(bodyOf(await getPrice(api, book, 'P', '?limit=EU'))).to.include({ price: 5 });
      expectProblem(await ask(book, '?limit=EU'), { status: 400, says: 'limit' });
      const [period] = await periodsOf(book, '?limit=7');
      expect([period?.price, period?.problem]).to.deep.equal([
        null,
        bodyOf(await getPrice(api, book, 'P'))['detail'],
      ]);
    });

    it('comes in pages, whose links keep the other parameters', async () => {
      const book = await createBook(api);
      const name = 'a/b ü';
      for (let amount = 1; amount <= 5; amount += 1) {
        await setPrices(api, book, [
          usd(name, { ...regions, values: [{ value: 'E U', unitPrice: amount }] }),
        ]);
      }
      const pages: unknown[] = [];
      let next = target(book, '?limit=2&region=E+U', name);
      while (next !== '') {
        const answer = expectStatus(await api().request('GET', next), 200);
        pages.push((answer.body as readonly Period[]).map(({ price }) => price));
        const link = /^<(history\?[^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
        if (link !== undefined) expect(link).to.match(/limit=2&region=E\+U&cursor=[\w-]+$/);
        next = link === undefined ? '' : new URL(link, `http://here${next}`).href.slice('http://here'.length);
      }
      expect(pages).to.deep.equal([[1, 2], [3, 4], [5]]);
      expect((await ask(book, '?region=E+U', name)).headers.get('link')).to.equal(null);
    });

    it('is empty where the product never had a price', async () => {
      const book = await createBook(api);
      expect(await periodsOf(book)).to.deep.equal([]);
      await removeBook(book);
      expect(await periodsOf(book)).to.deep.equal([]);
    });

    it('refuses what it does not know', async () => {
      const book = await createBook(api);
      const refused = ['limit=0', 'limit=1001', 'limit=1e2', 'limit=1&limit=1', 'limit='];
      for (const query of refused)
        expectProblem(await ask(book, `?${query}`), { status: 400, says: 'limit' });
      const foreign = Buffer.from('2026-13-01T00:00:00.000Z').toString('base64url');
      for (const cursor of ['', 'x', '!', 'AAAA', foreign]) {
        expectProblem(await ask(book, `?cursor=${cursor}`), { status: 400, says: 'cursor' });
      }
      for (const name of ['at', 'explain']) {
        expectProblem(await ask(book, `?${name}=true`), { status: 400, says: name });
      }
      expectProblem(await ask(book, '', 'all'), { status: 400, says: 'product id' });
      expectProblem(await ask(book, '', 'P', 'XAU'), { status: 400, says: 'currency' });
      for (const id of [UNKNOWN_BOOK, 'x']) {
        expectProblem(await ask(id), { status: 404, type: 'price-book-not-found' });
      }
    });
  });
};
