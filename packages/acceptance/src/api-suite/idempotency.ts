import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Answer } from '../testing/test-service';
import {
  type Api,
  bodyOf,
  createBook,
  expectProblem,
  expectStatus,
  override,
  priceOf,
  setPrices,
  UNKNOWN_BOOK,
  usd,
} from './kit';

/** A request that changes something. */
export interface Write {
  readonly name: string;
  readonly method: string;
  readonly path: (book: string) => string;
  readonly json?: unknown;
  readonly status: number;
}

export const WRITES: readonly Write[] = [
  {
    name: 'Create Price Book',
    method: 'POST',
    path: () => '/v1/pricebooks',
    json: { name: 'Once' },
    status: 201,
  },
  {
    name: 'Update Price Book',
    method: 'PATCH',
    path: (book) => `/v1/pricebooks/${book}`,
    json: { name: 'Renamed' },
    status: 200,
  },
  {
    name: 'Set Product Prices',
    method: 'PUT',
    path: (book) => `/v1/pricebooks/${book}/prices`,
    json: [usd('P', override(7)), { productId: 'Q' }],
    status: 200,
  },
  {
    name: 'Delete Price Book Entries',
    method: 'DELETE',
    path: (book) => `/v1/pricebooks/${book}/prices`,
    json: ['P'],
    status: 204,
  },
  { name: 'Delete Price Book', method: 'DELETE', path: (book) => `/v1/pricebooks/${book}`, status: 204 },
];

/** Sends a write under a key. */
export const sendWrite = (
  api: Api,
  { method, path, json }: Write,
  book: string,
  key: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  api().request(method, path(book), {
    headers: { 'idempotency-key': key, ...headers },
    ...(json !== undefined && { json }),
  });

/** What has to be alike in the answers to a request that is sent again. */
export const essenceOf = ({ status, body, headers }: Answer) => ({
  status,
  body,
  etag: headers.get('etag'),
  location: headers.get('location'),
});

/** How many events a book has. */
export const eventsOf = async (api: Api, book: string): Promise<number> => {
  const answer = await api().request('GET', `/v1/pricebooks/${book}/events`);
  return (expectStatus(answer, 200).body as readonly unknown[]).length;
};

/** How many books there are of a name, which is a test's own. */
export const booksCalled = async (api: Api, name: string): Promise<number> => {
  const { body } = expectStatus(await api().request('GET', '/v1/pricebooks'), 200);
  return (body as readonly { name: string }[]).filter((book) => book.name === name).length;
};

export const describeIdempotency = (api: Api): void => {
  const givenBook = async (): Promise<string> => {
    const book = await createBook(api);
    await setPrices(api, book, [usd('P', override(1))]);
    return book;
  };
  const named = (name: string): Write => {
    const write = WRITES.find((one) => one.name === name);
    if (write === undefined) throw new Error(`there is no ${name}`);
    return write;
  };
  const put = named('Set Product Prices');

  describe('Idempotency-Key', () => {
    for (const write of WRITES) {
      it(`${write.name}: six at once act once, and answer six times alike`, async () => {
        const [book, key] = [await givenBook(), randomUUID()];
        const name = `Once ${key}`;
        const unique = write.method === 'POST' ? { ...write, json: { name } } : write;
        const answers = await Promise.all(Array.from({ length: 6 }, () => sendWrite(api, unique, book, key)));
        for (const answer of answers) {
          expectStatus(answer, write.status);
          expect(essenceOf(answer)).to.deep.equal(essenceOf(answers[0] ?? answer));
        }
        if (write.method === 'POST') expect(await booksCalled(api, name)).to.equal(1);
        else expect(await eventsOf(api, book)).to.equal(3);
      });
    }

    it('answers a retry as the first time, whatever became of the book, and whatever If-Match says', async () => {
      for (const write of WRITES) {
        const [book, key] = [await givenBook(), randomUUID()];
        const match = { 'if-match': '"1"' };
        const first = expectStatus(await sendWrite(api, write, book, key, match), write.status);
        const made = write.method === 'POST' ? String(bodyOf(first)['id']) : book;
        const again = async (): Promise<void> => {
          expect(essenceOf(await sendWrite(api, write, book, key, match))).to.deep.equal(essenceOf(first));
        };
        await again();
        if (write.name === 'Delete Price Book') continue;
        await setPrices(api, made, [usd('P', override(2))]);
        await again();
        expect(await priceOf(api, made, 'P')).to.equal(2);
        expectStatus(
          await api().request('PATCH', `/v1/pricebooks/${made}`, { json: { name: 'Another' } }),
          200,
        );
        await again();
        expectStatus(await api().request('DELETE', `/v1/pricebooks/${made}`), 204);
        await again();
        expectStatus(await api().request('GET', `/v1/pricebooks/${made}`), 404);
      }
    }).timeout(60_000);

    it('refuses another body, path or method under the key, before it looks at what they say', async () => {
      const [book, other, key] = [await givenBook(), await givenBook(), randomUUID()];
      const headers = { 'idempotency-key': key, 'content-type': 'application/json' };
      expectStatus(await sendWrite(api, put, book, key), 200);
      const before = await eventsOf(api, book);
      const raw = JSON.stringify(put.json);
      for (const [method, path, body] of [
        ['PUT', put.path(book), `${raw} `],
        ['PUT', put.path(book), '[{"productId":'],
        ['PUT', put.path(book), '{"productId":7}'],
        ['PUT', put.path(other), raw],
        ['PUT', put.path(UNKNOWN_BOOK), raw],
        ['DELETE', put.path(book), raw],
        ['POST', '/v1/pricebooks', raw],
        ['PATCH', `/v1/pricebooks/${book}`, raw],
        ['DELETE', `/v1/pricebooks/${book}`, undefined],
      ] as const) {
        const answer = await api().request(method, path, {
          headers,
          ...(body !== undefined && { raw: body }),
        });
        expectProblem(answer, { status: 422, type: 'idempotency-key-reused' });
      }
      // What is looked at before the key says so before it.
      for (const [wrong, status] of [
        [{ 'x-api-key': 'wrong' }, 401],
        [{ accept: 'text/html' }, 406],
        [{ 'content-type': 'text/html' }, 415],
      ] as const) {
        const answer = await api().request('PUT', put.path(other), {
          headers: { ...headers, ...wrong },
          raw,
        });
        expectProblem(answer, { status });
      }
      expect([await eventsOf(api, book), await eventsOf(api, other)]).to.deep.equal([before, 2]);
      expectStatus(await sendWrite(api, put, book, key), 200);
    });

    it('takes the same request for the same, however its path is encoded and its type is written', async () => {
      const [book, key] = [await givenBook(), randomUUID()];
      const first = expectStatus(await sendWrite(api, put, book, key), 200);
      const encoded = put.path(book).replace('-', '%2d');
      for (const [path, type] of [
        [`${encoded}?dryRun=false`, 'application/json'],
        [put.path(book), 'Application/JSON;charset=UTF-8'],
      ] as const) {
        const again = await api().request('PUT', path, {
          headers: { 'idempotency-key': key, 'content-type': type, 'if-match': '"77"' },
          raw: JSON.stringify(put.json),
        });
        expect(essenceOf(again)).to.deep.equal(essenceOf(first));
      }
    });

    it('remembers successes only: the key is free for what is put right', async () => {
      const [book, key] = [await givenBook(), randomUUID()];
      const send = (method: string, path: string, json: unknown, headers = {}): Promise<Answer> =>
        api().request(method, path, { headers: { 'idempotency-key': key, ...headers }, json });
      expectStatus(await send('PUT', put.path(book), [{ productId: 'all' }]), 400);
      expectStatus(await send('PUT', put.path(UNKNOWN_BOOK), put.json), 404);
      expectStatus(await send('PUT', put.path(book), put.json, { 'if-match': '"0"' }), 412);
      const based = { name: 'A', basePriceBookId: UNKNOWN_BOOK };
      expectStatus(await send('POST', '/v1/pricebooks', based), 400);
      expectStatus(await send('PATCH', `/v1/pricebooks/${book}`, {}), 200);
      expectStatus(await send('PUT', put.path(book), put.json), 200);
      expectProblem(await send('POST', '/v1/pricebooks', { name: 'A' }), { status: 422 });
    });

    it('is another one for another API key', async () => {
      const [book, key] = [await givenBook(), randomUUID()];
      const issued = await api().request('POST', '/v1/api-keys', {
        json: { name: 'other', scopes: ['write'] },
      });
      const other = { 'x-api-key': String(bodyOf(expectStatus(issued, 201))['key']) };
      const first = expectStatus(await sendWrite(api, put, book, key), 200);
      const second = expectStatus(await sendWrite(api, put, book, key, other), 200);
      expect([first, second].map((answer) => bodyOf(answer)['revision'])).to.deep.equal([2, 3]);
      const reused = await sendWrite(api, named('Create Price Book'), book, key, other);
      expectProblem(reused, { status: 422 });
    });

    it('is 1 to 255 visible characters or spaces, sent once', async () => {
      const book = await givenBook();
      for (const key of ['', 'é', 'a\tb', 'x'.repeat(256)]) {
        const answer = await sendWrite(api, put, book, key);
        expectProblem(answer, { status: 400, type: 'invalid-request', says: 'Idempotency-Key' });
      }
      for (const key of ['x'.repeat(255), `"${randomUUID()}"`, `order 17, ${book}`]) {
        expectStatus(await sendWrite(api, put, book, key), 200);
      }
    });

    it('means nothing to reads, quotes and keys', async () => {
      const [book, key] = [await givenBook(), randomUUID()];
      expectStatus(await sendWrite(api, put, book, key), 200);
      for (const headers of [{ 'idempotency-key': key }, { 'idempotency-key': '' }]) {
        const ask = (method: string, path: string, json?: unknown) =>
          api().request(method, path, { headers, ...(json !== undefined && { json }) });
        expectStatus(await ask('GET', `/v1/pricebooks/${book}/P/USD`), 200);
        expectStatus(
          await ask('POST', `/v1/pricebooks/${book}/quote`, [{ productId: 'P', currency: 'USD' }]),
          200,
        );
        const keys = [1, 2].map(() => ask('POST', '/v1/api-keys', { name: 'again', scopes: ['read'] }));
        const ids = (await Promise.all(keys)).map((answer) => bodyOf(expectStatus(answer, 201))['id']);
        expect(new Set(ids).size).to.equal(2);
      }
    });
  });
};
