import fs from 'node:fs';
import { expect } from 'chai';
import { endAll } from '../testing/end-all';
import type { EventStream } from '../testing/event-stream';
import { type ServiceProcess, startProcess } from '../testing/service-process';
import { newFolder, TEST_KEY, type TestService } from '../testing/test-service';
import { followers, idsOf, range, until } from './follow-kit';
import { createBook, expectStatus, override, putPrices, setPrices, usd } from './kit';

/** @param sharesEvents whether another process can serve the same events. */
export const describeManyFollowers = (
  api: () => Pick<TestService, 'url' | 'request' | 'stores'>,
  sharesEvents: boolean,
): void => {
  describe('Get Price Book History, followed live by many, or often cut', () => {
    const { follow, listOf } = followers(api);
    const running: ServiceProcess[] = [];
    const folders: string[] = [];
    afterEach(async () => {
      await endAll(running);
      for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
    });

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
