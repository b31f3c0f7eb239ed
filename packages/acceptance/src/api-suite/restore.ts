/** Deleted price books that come back. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import type { Answer } from '../testing/test-service';
import { followers, until } from './follow-kit';
import {
  type Api,
  bodyOf,
  createBook,
  expectProblem,
  expectStatus,
  getPrice,
  override,
  percent,
  priceOf,
  setPrices,
  UNKNOWN_BOOK,
  usd,
} from './kit';

const BOOKS = '/v1/pricebooks';

/** No other test has it, on stores that tests share. */
const newKey = (): string => `key-${randomUUID()}`;

export const describeRestoring = (api: Api): void => {
  const { follow } = followers(api);
  const get = (path: string) => api().request('GET', `${BOOKS}${path}`);
  const restore = (book: string, json?: unknown, headers = {}): Promise<Answer> =>
    api().request('POST', `${BOOKS}/${book}/restore`, { json, headers });
  /** Something else happens in a later millisecond, so that there is a time in between. */
  const remove = async (book: string): Promise<void> => {
    expectStatus(await api().request('DELETE', `${BOOKS}/${book}`), 204);
    await delay(2);
  };
  const listOf = async (path: string) =>
    expectStatus(await get(path), 200).body as readonly Readonly<Record<string, unknown>>[];

  describe('Restore Price Book', () => {
    it('brings back all that the book was, without a body or with an empty one', async () => {
      const base = await createBook(api);
      const key = newKey();
      const details = { name: `Restored ${key}`, description: 'x', key, metadata: { owner: 'y' } };
      const book = await createBook(api, { ...details, basePriceBookId: base });
      await setPrices(api, base, [usd('P', override(100))]);
      await setPrices(api, book, { productId: 'all', adjustments: { USD: percent(-10) } });
      await setPrices(api, book, [usd('Q', override(7))]);
      const answers = async () =>
        Promise.all(
          [
            `/${book}/prices`,
            `/${book}/percents`,
            `/${book}/P/USD?explain=true`,
            `/${book}/Q/USD`,
            `/${book}/effective-prices?currency=USD`,
            `?basePriceBookId=${base}&total=true`,
          ].map(async (path) => (await get(path)).body),
        );
      const before = bodyOf(await get(`/${book}`));
      const [ownPrices, ...others] = await answers();
      for (const body of [undefined, {}]) {
        await remove(book);
        expectStatus(await get(`/${book}`), 404);
        expectStatus(await get(`/key=${key}`), 404);
        expect(await priceOf(api, book, 'P')).to.equal(undefined);
        expect(await listOf(`?basePriceBookId=${base}`)).to.deep.equal([]);

        const answer = expectStatus(await restore(book, body), 200);
        const restored = bodyOf(answer);
        const { revision, updatedAt } = restored;
        expect(restored).to.deep.equal({ ...before, revision, updatedAt });
        expect(answer.headers.get('etag')).to.equal(`"${String(revision)}"`);
        expect(bodyOf(await get(`/${book}`))).to.deep.equal(restored);
        expect(bodyOf(await get(`/key=${key}`))).to.deep.equal(restored);
        const [ownPricesAfter, ...othersAfter] = await answers();
        expect(ownPricesAfter).to.deep.equal(ownPrices);
        expect(othersAfter.slice(0, -1)).to.deep.equal(others.slice(0, -1));
        expect(othersAfter.at(-1)).to.deep.equal([restored]);
      }
      await setPrices(api, book, [usd('P', override(1))]);
      expect(await priceOf(api, book, 'P')).to.equal(1);
      expectProblem(await api().request('DELETE', `${BOOKS}/${base}`), { status: 409, says: book });
    });

    it('leaves a gap in its past, which its histories show', async () => {
      const book = await createBook(api);
      await setPrices(api, book, [usd('P', override(5))]);
      await delay(2);
      await remove(book);
      expectStatus(await restore(book, undefined, { 'change-reason': 'deleted by mistake' }), 200);
      const events = await listOf(`/${book}/events`);
      expect(events.map(({ revision, type, data, reason }) => [revision, type, data, reason])).to.deep.equal([
        [0, 'PriceBookCreated', { name: 'A book', description: '', basePriceBookIds: [] }, undefined],
        [1, 'ProductPricesSet', { items: [usd('P', override(5))] }, undefined],
        [2, 'PriceBookDeleted', {}, undefined],
        [3, 'PriceBookRestored', {}, 'deleted by mistake'],
      ]);
      const [, set = '', gone = '', back = ''] = events.map(({ occurredAt }) => String(occurredAt));
      expect(await priceOf(api, book, 'P', `?at=${set}`)).to.equal(5);
      expectProblem(await getPrice(api, book, 'P', `?at=${gone}`), { status: 404, type: 'no-price' });
      expect(await priceOf(api, book, 'P', `?at=${back}`)).to.equal(5);
      const periods = await listOf(`/${book}/P/USD/history`);
      const actor = 'bootstrap';
      expect(periods.map(({ from, to, price, cause }) => [from, to, price, cause])).to.deep.equal([
        [
          set,
          gone,
          5,
          { type: 'ProductPricesSet', priceBookId: book, revision: 1, actor, adjustment: override(5) },
        ],
        [gone, back, null, { type: 'PriceBookDeleted', priceBookId: book, revision: 2, actor }],
        [
          back,
          null,
          5,
          { type: 'PriceBookRestored', priceBookId: book, revision: 3, actor, reason: 'deleted by mistake' },
        ],
      ]);
    });

    it('gives the book its key again, unless another one has it, or another key, or none', async () => {
      const [key, second] = [newKey(), newKey()];
      const book = await createBook(api, { key });
      await remove(book);
      const other = await createBook(api, { key });
      expectProblem(await restore(book), { status: 409, type: 'price-book-key-taken', says: other });
      expect(bodyOf(expectStatus(await restore(book, { key: second }), 200))['key']).to.equal(second);
      expect(bodyOf(await get(`/key=${second}`))['id']).to.equal(book);
      await remove(book);
      expect(bodyOf(expectStatus(await restore(book, { key: null }), 200))).not.to.have.property('key');
      expect((await listOf(`/${book}/events`)).slice(-3).map(({ data }) => data)).to.deep.equal([
        { key: second },
        {},
        { key: null },
      ]);
    });

    it('is refused for a book that is not deleted, or is not there, and for one whose base is deleted', async () => {
      const base = await createBook(api);
      const book = await createBook(api, { basePriceBookId: base });
      expectProblem(await restore(book), { status: 409, type: 'price-book-not-deleted' });
      expectProblem(await restore(UNKNOWN_BOOK), { status: 404, type: 'price-book-not-found' });
      expectProblem(await restore('nothing'), { status: 404, type: 'price-book-not-found' });
      await remove(book);
      await remove(base);
      expectProblem(await restore(book), { status: 409, type: 'base-price-book-deleted', says: base });
      expectStatus(await restore(base), 200);
      expectStatus(await restore(book), 200);
    });

    it('takes a key in its body, and nothing else', async () => {
      const book = await createBook(api);
      await remove(book);
      expectProblem(await restore(book, { name: 'B' }), { status: 400, pointers: ['/name'] });
      expectProblem(await restore(book, { key: 5 }), { status: 400, pointers: ['/key'] });
      expectProblem(await restore(book, []), { status: 400, pointers: [''] });
      const raw = { raw: '{', headers: { 'content-type': 'application/json' } };
      expectStatus(await api().request('POST', `${BOOKS}/${book}/restore`, raw), 400);
    });

    it('acts upon a revision, once, and answers alike', async () => {
      const book = await createBook(api);
      await remove(book);
      const headers = { 'if-match': '"1"', 'idempotency-key': randomUUID() };
      expectProblem(await restore(book, undefined, { 'if-match': '"0"' }), { status: 412 });
      const first = expectStatus(await restore(book, undefined, headers), 200);
      expect(first.headers.get('etag')).to.equal('"2"');
      for (const act of [() => setPrices(api, book, [usd('P', override(1))]), () => remove(book)]) {
        await act();
        const again = expectStatus(await restore(book, undefined, headers), 200);
        expect([again.body, again.headers.get('etag')]).to.deep.equal([first.body, '"2"']);
      }
      expectStatus(await get(`/${book}`), 404);
      expectProblem(await restore(book, { key: null }, headers), {
        status: 422,
        type: 'idempotency-key-reused',
      });
    });

    it('can be followed on, from the deletion that ended a stream', async () => {
      const book = await createBook(api);
      const stream = await follow(book);
      await remove(book);
      await stream.ended;
      expect(stream.events().map(({ type }) => type)).to.deep.equal(['PriceBookCreated', 'PriceBookDeleted']);
      expectStatus(await restore(book), 200);
      await setPrices(api, book, [usd('P', override(1))]);
      const resumed = await follow(book, { lastId: '1' });
      const whole = await follow(book);
      await until(() => resumed.events().length === 2 && whole.events().length === 4);
      expect(resumed.events().map(({ type }) => type)).to.deep.equal([
        'PriceBookRestored',
        'ProductPricesSet',
      ]);
    });
  });
};
