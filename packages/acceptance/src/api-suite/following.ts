import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { endAll } from '../testing/end-all';
import { type EventStream, openEventStream } from '../testing/event-stream';
import { type ServiceProcess, startProcess } from '../testing/service-process';
import { newFolder, TEST_KEY, type TestService } from '../testing/test-service';
import {
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

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, n) => from + n);

/** Asks again and again until it is so, for not much longer than the test lasts. */
const until = async (isSo: () => boolean, patienceMs = 30_000): Promise<void> => {
  const tooLate = performance.now() + patienceMs;
  while (!isSo()) {
    if (performance.now() > tooLate) throw new Error('it did not come to that');
    await delay(5);
  }
};

/** @param sharesEvents whether another process can serve the same events. */
export const describeFollowing = (
  api: () => Pick<TestService, 'url' | 'request' | 'stores'>,
  sharesEvents: boolean,
): void => {
  describe('Get Price Book History, followed live', () => {
    const open: EventStream[] = [];
    const running: ServiceProcess[] = [];
    const folders: string[] = [];
    afterEach(async () => {
      for (const one of open.splice(0)) one.close();
      await endAll(running);
      for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
    });

    const pathOf = (book: string): string => `/v1/pricebooks/${book}/events`;
    const follow = async (
      book: string,
      {
        query = '',
        lastId,
        url = api().url,
        key = TEST_KEY,
        cutAfter,
      }: {
        readonly query?: string;
        readonly lastId?: string;
        readonly url?: string;
        readonly key?: string;
        readonly cutAfter?: number;
      } = {},
    ): Promise<EventStream> => {
      const stream = await openEventStream(url + pathOf(book) + query, {
        headers: { 'x-api-key': key, ...(lastId !== undefined && { 'last-event-id': lastId }) },
        ...(cutAfter !== undefined && { cutAfter }),
      });
      open.push(stream);
      return stream;
    };
    const idsOf = (stream: EventStream): readonly number[] => stream.events().map(({ id }) => Number(id));
    const listOf = async (book: string) =>
      expectStatus(await api().request('GET', `${pathOf(book)}?limit=1000`), 200).body as readonly {
        readonly revision: number;
        readonly type: string;
      }[];

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

    it('misses nothing where connections are cut while the book is written', async () => {
      const book = await createBook(api);
      const writing = (async () => {
        for (const n of range(0, 30)) await setPrices(api, book, [usd('P', override(n))]);
        expectStatus(await api().request('DELETE', `/v1/pricebooks/${book}`), 204);
      })();
      const follower = async (bytes: number): Promise<readonly number[]> => {
        const got: number[] = [];
        let lastId: string | undefined;
        for (;;) {
          const stream = await follow(book, { ...(lastId !== undefined && { lastId }), cutAfter: bytes });
          if (stream.status === 204) return got;
          await stream.ended;
          got.push(...idsOf(stream));
          if (stream.lastId() !== '') lastId = stream.lastId();
        }
      };
      for (const got of await Promise.all([400, 700, 1_111, 5_000].map(follower))) {
        expect(got).to.deep.equal(range(0, 32));
      }
      await writing;
    }).timeout(30_000);

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

    it('reaches each of many followers once and in order, while the book is written', async () => {
      const book = await createBook(api);
      const streams: EventStream[] = [];
      const writing = (async () => {
        for (const round of range(0, 10)) {
          const writes = range(0, 6).map((n) => putPrices(api, book, [usd('P', override(round * 6 + n))]));
          for (const answer of await Promise.all(writes)) expectStatus(answer, 200);
        }
      })();
      for (let n = 0; n < 10; n += 1) {
        streams.push(...(await Promise.all(range(0, 50).map(() => follow(book)))));
      }
      await writing;
      const list = await listOf(book);
      expect(list).to.have.length(61);
      await until(() => streams.every((stream) => stream.events().length >= list.length));
      for (const stream of streams) expect(stream.events().map(({ data }) => data)).to.deep.equal(list);
    }).timeout(60_000);

    if (!sharesEvents) return;
    it('has what another instance writes, and goes on there', async () => {
      const { eventStoreDbUrl, mongoDbUrl } = api().stores;
      const folder = newFolder();
      folders.push(folder);
      const other = startProcess(['serve'], {
        PORT: '0',
        PRICEBOOK_DATA_DIR: folder,
        ...(eventStoreDbUrl !== undefined && { EVENTSTOREDB_URL: eventStoreDbUrl }),
        ...(mongoDbUrl !== undefined && { MONGODB_URL: mongoDbUrl }),
        PRICEBOOK_BOOTSTRAP_KEY: TEST_KEY,
        LOG_LEVEL: 'silent',
      });
      running.push(other);
      const url = await other.ready;
      const book = await createBook(api);
      const [here, there] = [await follow(book), await follow(book, { url })];
      const headers = { 'x-api-key': TEST_KEY, 'content-type': 'application/json' };
      for (const n of range(0, 10)) {
        const body = JSON.stringify([usd('P', override(n))]);
        const set = await fetch(`${url}/v1/pricebooks/${book}/prices`, { method: 'PUT', headers, body });
        expect(set.status).to.equal(200);
        await setPrices(api, book, [usd('Q', override(n))]);
      }
      await until(() => [here, there].every((stream) => stream.events().length >= 21));
      expect([idsOf(here), idsOf(there)]).to.deep.equal([range(0, 21), range(0, 21)]);
      // One takes up where the other was left.
      const moved = await follow(book, { url, lastId: '15' });
      await until(() => moved.events().length >= 5);
      expect(idsOf(moved)).to.deep.equal(range(16, 21));
    }).timeout(30_000);
  });
};
