import { expect } from 'chai';
import type { Answer } from '../testing/test-service';
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

interface Entry {
  readonly revision: number;
  readonly type: string;
  readonly occurredAt: string;
  readonly actor: string;
  readonly requestId: string;
  readonly data: unknown;
}

const cursorOf = (text: string): string => Buffer.from(text).toString('base64url');

export const describeHistory = (api: Api): void => {
  const eventsOf = (book: string, query = ''): Promise<Answer> =>
    api().request('GET', `/v1/pricebooks/${book}/events${query}`);
  const entriesIn = (answer: Answer): readonly Entry[] => expectStatus(answer, 200).body as readonly Entry[];
  const typesIn = async (book: string, query: string): Promise<readonly (readonly [number, string])[]> =>
    entriesIn(await eventsOf(book, query)).map(({ revision, type }) => [revision, type]);

  /** The query of the next page, as a client finds it that has asked for this one; undefined at the end. */
  const nextOf = (answer: Answer): string | undefined => {
    const link = answer.headers.get('link');
    if (link === null) return undefined;
    const target = /^<([^>]+)>; rel="next"$/.exec(link)?.[1] ?? '';
    expect(target, 'a relative reference').not.to.match(/^(\/|[a-z]+:)/);
    const { pathname, search } = new URL(target, `http://proxy/some/prefix/v1/pricebooks/book/events`);
    expect(pathname).to.equal('/some/prefix/v1/pricebooks/book/events');
    return search;
  };

  /** All pages from one on: the revisions of each. */
  const pagesOf = async (book: string, query: string): Promise<readonly (readonly number[])[]> => {
    const pages: (readonly number[])[] = [];
    for (let next: string | undefined = query; next !== undefined;) {
      const answer: Answer = await eventsOf(book, next);
      pages.push(entriesIn(answer).map(({ revision }) => revision));
      next = nextOf(answer);
    }
    return pages;
  };

  describe('Get Price Book History', () => {
    it('answers every event: what it was, when it was, who did it, by which request', async () => {
      const created = await api().request('POST', '/v1/pricebooks', {
        json: { name: 'Audited', description: 'with care' },
        headers: { 'x-request-id': 'the-first-request' },
      });
      const { id, createdAt } = bodyOf(expectStatus(created, 201));
      const book = String(id);
      const items = [usd('lamp', override(49.99)), usd('a/b', nothing)];
      const set = await setPrices(api, book, items);
      const percents = { productId: 'all', adjustments: { USD: percent(10), EUR: null } };
      await setPrices(api, book, percents);
      await api().request('DELETE', `/v1/pricebooks/${book}/prices`, { json: ['lamp', 'none'] });
      await api().request('PATCH', `/v1/pricebooks/${book}`, { json: { name: 'Renamed' } });

      const answer = await eventsOf(book);
      const [first, second, ...others] = entriesIn(answer);
      expect(first).to.deep.equal({
        revision: 0,
        type: 'PriceBookCreated',
        occurredAt: createdAt,
        actor: 'bootstrap',
        requestId: 'the-first-request',
        data: { name: 'Audited', description: 'with care', basePriceBookIds: [] },
      });
      expect(second).to.deep.equal({
        revision: 1,
        type: 'ProductPricesSet',
        occurredAt: bodyOf(set)['updatedAt'],
        actor: 'bootstrap',
        requestId: set.headers.get('x-request-id'),
        data: { items },
      });
      expect(others.map(({ revision, type, data }) => [revision, type, data])).to.deep.equal([
        [2, 'AllProductsAdjusted', { adjustments: { USD: percent(10), EUR: nothing } }],
        [3, 'PriceBookEntriesDeleted', { productIds: ['lamp', 'none'] }],
        [4, 'PriceBookUpdated', { name: 'Renamed' }],
      ]);
      expect(answer.headers.get('link')).to.equal(null);
    });

    it('answers also for a deleted book, its deletion last', async () => {
      const book = await createBook(api);
      expectStatus(await api().request('DELETE', `/v1/pricebooks/${book}`), 204);
      expect(await typesIn(book, '')).to.deep.equal([
        [0, 'PriceBookCreated'],
        [1, 'PriceBookDeleted'],
      ]);
    });

    it('answers 404 where there never was such a book', async () => {
      for (const book of [UNKNOWN_BOOK, 'x', `${UNKNOWN_BOOK}x`]) {
        expectProblem(await eventsOf(book), { status: 404, type: 'price-book-not-found' });
        expectProblem(await eventsOf(book, `?cursor=${cursorOf('events:7')}`), { status: 404 });
        expectProblem(await eventsOf(book, '?since=2026-01-01T00:00:00Z'), { status: 404 });
      }
    });

    it('answers a page at a time, 100 events unless the limit says otherwise', async () => {
      const book = await createBook(api);
      for (let n = 0; n < 24; n += 1) {
        await Promise.all(
          Array.from({ length: 5 }, (_, i) => setPrices(api, book, [usd('P', override(n * 5 + i))])),
        );
      }
      const all = Array.from({ length: 121 }, (_, revision) => revision);
      expect(await pagesOf(book, '')).to.deep.equal([all.slice(0, 100), all.slice(100)]);
      expect(await pagesOf(book, '?limit=50')).to.deep.equal([
        all.slice(0, 50),
        all.slice(50, 100),
        all.slice(100),
      ]);
      expect(await pagesOf(book, '?limit=121')).to.deep.equal([all]);
      expect(await pagesOf(book, '?limit=1000')).to.deep.equal([all]);
      expect((await pagesOf(book, '?limit=11')).flat()).to.deep.equal(all);
    });

    it('takes up where a page ended, whatever has come since', async () => {
      const book = await createBook(api);
      await setPrices(api, book, [usd('P', override(1))]);
      const first = await eventsOf(book, '?limit=1');
      await setPrices(api, book, [usd('P', override(2))]);
      expect(await pagesOf(book, nextOf(first) ?? '')).to.deep.equal([[1], [2]]);
    });

    it('answers only what concerns a product, where one is named', async () => {
      const book = await createBook(api);
      const id = 'a/ü&b=c';
      await setPrices(api, book, [usd('Q', override(1))]);
      await setPrices(api, book, [usd('Q', override(2)), usd(id, override(2))]);
      await setPrices(api, book, { productId: 'all', adjustments: { USD: percent(5) } });
      await api().request('DELETE', `/v1/pricebooks/${book}/prices`, { json: ['Q'] });
      await api().request('DELETE', `/v1/pricebooks/${book}/prices`, { json: [id, 'Q'] });
      await api().request('PATCH', `/v1/pricebooks/${book}`, { json: { name: 'B' } });
      const query = `?productId=${encodeURIComponent(id)}`;
      expect(await typesIn(book, query)).to.deep.equal([
        [2, 'ProductPricesSet'],
        [3, 'AllProductsAdjusted'],
        [5, 'PriceBookEntriesDeleted'],
      ]);
      expect((await pagesOf(book, `${query}&limit=1`)).flat()).to.deep.equal([2, 3, 5]);
      expect(await typesIn(book, '?productId=nobody')).to.deep.equal([[3, 'AllProductsAdjusted']]);
    });

    it('answers what happened at an instant or later, where one is named', async () => {
      const book = await createBook(api);
      for (let n = 0; n < 6; n += 1) await setPrices(api, book, [usd('P', override(n))]);
      const times = entriesIn(await eventsOf(book)).map(({ occurredAt }) => occurredAt);
      for (const [revision, time] of times.entries()) {
        const expected = times.flatMap((one, index) => (one >= time ? [index] : []));
        expect((await pagesOf(book, `?limit=4&since=${time}`)).flat(), String(revision)).to.deep.equal(
          expected,
        );
      }
      const later = new Date(Date.parse(times.at(-1) ?? '') + 1).toISOString();
      expect(await pagesOf(book, `?since=${later}`)).to.deep.equal([[]]);
      // A + that arrives as a space, and an offset.
      expect((await pagesOf(book, '?since=2026-01-01T00:00:00+02:00')).flat()).to.have.length(7);
      expect(await pagesOf(book, `?since=${later}&productId=P`)).to.deep.equal([[]]);
    });

    it('refuses query parameters that it does not know, that are malformed, or given twice', async () => {
      const book = await createBook(api);
      const refused: readonly (readonly [query: string, says: string])[] = [
        ['?limit=0', '"limit"'],
        ['?limit=1001', '"limit"'],
        ['?limit=-1', '"limit"'],
        ['?limit=1.5', '"limit"'],
        ['?limit=1e2', '"limit"'],
        ['?limit=', '"limit"'],
        ['?limit=1&limit=1', '"limit"'],
        ['?cursor=', '"cursor"'],
        ['?cursor=7', '"cursor"'],
        [`?cursor=${cursorOf('events:-1')}`, '"cursor"'],
        [`?cursor=${cursorOf('events:07')}`, '"cursor"'],
        [`?cursor=${cursorOf('events:1e3')}`, '"cursor"'],
        [`?cursor=${cursorOf('events:999999999999999')}`, '"cursor"'],
        [`?cursor=${cursorOf('prices:7')}`, '"cursor"'],
        [`?cursor=${cursorOf('events:7')}!`, '"cursor"'],
        [`?cursor=${cursorOf('events:7')}&cursor=${cursorOf('events:7')}`, '"cursor"'],
        ['?productId=', '"productId"'],
        ['?productId=all', '"productId"'],
        ['?productId=a&productId=b', '"productId"'],
        ['?since=yesterday', '"since"'],
        ['?since=2026-01-01', '"since"'],
        ['?at=2026-01-01T00:00:00Z', '"at"'],
        ['?Limit=5', '"Limit"'],
      ];
      for (const [query, says] of refused) {
        expectProblem(await eventsOf(book, query), { status: 400, type: 'invalid-request', says });
        expectProblem(await eventsOf(UNKNOWN_BOOK, query), { status: 400, says });
      }
    });
  });
};
