import { expect } from 'chai';
import fc from 'fast-check';
import { followers, idsOf, pathOf, range, until } from './follow-kit';
import {
  type Api,
  bodyOf,
  createBook,
  expectProblem,
  expectStatus,
  override,
  percent,
  putPrices,
  setPrices,
  UNKNOWN_BOOK,
  usd,
} from './kit';

export const describeFollowing = (api: Api): void => {
  describe('Get Price Book History, followed live', () => {
    const { follow, listOf } = followers(api);

    it('is what there is and then what comes, each event as in the list', async () => {
      const book = await createBook(api, { name: 'Followed\nby "many" é\u2028' });
      await setPrices(api, book, [usd('lamp', override(49.99))]);
      const stream = await follow(book);
      expect(stream.status).to.equal(200);
      expect(stream.headers).to.include({
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      await until(() => stream.events().length === 2);
      await setPrices(api, book, { productId: 'all', adjustments: { USD: percent(10) } });
      await api().request('DELETE', `/v1/pricebooks/${book}/prices`, { json: ['lamp'] });
      await api().request('PATCH', `/v1/pricebooks/${book}`, { json: { name: 'Renamed' } });
      await until(() => stream.events().length === 5);
      const list = await listOf(book);
      expect(stream.events()).to.deep.equal(
        list.map((entry) => ({ id: String(entry.revision), type: entry.type, data: entry })),
      );
      expect(list.map(({ revision }) => revision)).to.deep.equal(range(0, 5));
    });

    it('comes soon after a write is answered', async () => {
      const book = await createBook(api);
      const stream = await follow(book, { lastId: '0' });
      const took: number[] = [];
      for (let n = 1; n <= 10; n += 1) {
        await setPrices(api, book, [usd('P', override(n))]);
        const answered = performance.now();
        await until(() => stream.events().length === n);
        took.push(performance.now() - answered);
      }
      // Without being told, it would be a beat.
      expect(took.sort((a, b) => a - b)[4], took.join()).to.be.lessThan(50);
    });

    it('takes up after the last event that the client has, wherever the connection was cut', async () => {
      const book = await createBook(api, { description: 'é'.repeat(300) });
      await Promise.all(range(0, 25).map((n) => putPrices(api, book, [usd(`P${String(n)}`, override(n))])));
      await api().request('DELETE', `/v1/pricebooks/${book}`);
      const list = await listOf(book);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat({ max: 2_500 }), { maxLength: 12 }), async (cuts) => {
          const got: unknown[] = [];
          let lastId: string | undefined;
          const takeFrom = async (cutAfter?: number): Promise<number> => {
            const stream = await follow(book, {
              ...(lastId !== undefined && { lastId }),
              ...(cutAfter !== undefined && { cutAfter }),
            });
            await stream.ended;
            got.push(...stream.events().map(({ data }) => data));
            if (stream.lastId() !== '') lastId = stream.lastId();
            return stream.status;
          };
          for (const cut of cuts) await takeFrom(cut + 1);
          await takeFrom();
          expect(got).to.deep.equal(list);
          expect(await takeFrom()).to.equal(204);
        }),
        { numRuns: 15 },
      );
    }).timeout(60_000);

    it('has a heartbeat while nothing comes', async () => {
      const book = await createBook(api);
      const stream = await follow(book);
      const before = stream.comments();
      const began = performance.now();
      await until(() => stream.comments() >= before + 5);
      expect(performance.now() - began).to.be.greaterThan(400);
      expect(idsOf(stream)).to.deep.equal([0]);
    });

    it('is only what concerns a product, or happened since an instant', async () => {
      const book = await createBook(api);
      await setPrices(api, book, [usd('P', override(1))]);
      await setPrices(api, book, [usd('Q', override(2))]);
      const [, , third] = (await listOf(book)) as unknown as readonly { readonly occurredAt: string }[];
      const ofProduct = await follow(book, { query: '?productId=P' });
      const since = await follow(book, { query: `?since=${String(third?.occurredAt)}` });
      const later = await follow(book, { query: '?since=2999-01-01T00:00:00Z' });
      await setPrices(api, book, [usd('Q', override(3))]);
      await setPrices(api, book, { productId: 'all', adjustments: { USD: percent(5) } });
      await until(() => idsOf(ofProduct).includes(4) && idsOf(since).includes(4));
      expect(idsOf(ofProduct)).to.deep.equal([1, 4]);
      expect(idsOf(since).slice(-3)).to.deep.equal([2, 3, 4]);
      await setPrices(api, book, [usd('Q', override(4))]);
      // So who comes again is not looked for from the last event that it got.
      await until(() => ofProduct.lastId() === '5');
      expect(idsOf(later)).to.deep.equal([]);
    });

    it('ends with the deletion of the book, and is 204 for who knows of it', async () => {
      const book = await createBook(api);
      const streams = [await follow(book), await follow(book, { query: '?productId=P' })];
      expectStatus(await api().request('DELETE', `/v1/pricebooks/${book}`), 204);
      expect(await Promise.all(streams.map(({ ended }) => ended))).to.deep.equal([true, true]);
      expect(streams.map((stream) => stream.events().at(-1)?.type)).to.deep.equal([
        'PriceBookDeleted',
        'PriceBookDeleted',
      ]);
      expect((await follow(book, { lastId: '1' })).status).to.equal(204);
      const whole = await follow(book);
      expect(await whole.ended).to.equal(true);
      expect(idsOf(whole)).to.deep.equal([0, 1]);
    });

    it('ends when its key is revoked', async () => {
      const book = await createBook(api);
      const issued = await api().request('POST', '/v1/api-keys', { json: { name: 'F', scopes: ['read'] } });
      const { id, key } = bodyOf(expectStatus(issued, 201)) as { readonly id: string; readonly key: string };
      const stream = await follow(book, { key });
      await until(() => stream.events().length === 1);
      expectStatus(await api().request('DELETE', `/v1/api-keys/${id}`), 204);
      expect(await stream.ended).to.equal(true);
      expect((await follow(book, { key })).status).to.equal(401);
    });

    it('is as documented, for HEAD too', async () => {
      const book = await createBook(api);
      for (const method of ['GET', 'HEAD']) {
        const answer = await api().request(method, pathOf(book), {
          headers: { accept: 'text/event-stream' },
        });
        expect(expectStatus(answer, 200).headers.get('content-type')).to.equal('text/event-stream');
        expect(String(answer.body).startsWith(': following\n')).to.equal(method === 'GET');
      }
    });

    it('refuses what it cannot follow', async () => {
      const book = await createBook(api);
      const ask = (target: string, headers: Readonly<Record<string, string>> = {}, query = '') =>
        api().request('GET', pathOf(target) + query, {
          headers: { accept: 'text/event-stream', ...headers },
        });
      for (const unknown of [UNKNOWN_BOOK, 'x']) {
        expectProblem(await ask(unknown), { status: 404, type: 'price-book-not-found' });
      }
      expectProblem(await ask(book, { 'last-event-id': 'x' }), { status: 400, says: 'Last-Event-ID' });
      expectProblem(await ask(book, { 'last-event-id': '1' }), { status: 400, says: 'id 0' });
      expectProblem(await ask(book, {}, '?lastEventId=1'), { status: 400, says: 'id 0' });
      expectProblem(await ask(book, {}, '?limit=1'), { status: 400, says: '"limit"' });
      expectProblem(await ask(book, { accept: 'text/html' }), { status: 406, says: 'text/event-stream' });
      expectProblem(
        await api().request('GET', '/v1/pricebooks', { headers: { accept: 'text/event-stream' } }),
        { status: 406 },
      );
    });
  });
};
