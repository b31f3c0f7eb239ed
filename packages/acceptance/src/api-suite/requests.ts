/** What is wrong with requests before they mean anything: keys, paths, methods, headers, bodies. */
import { randomBytes } from 'node:crypto';
import net from 'node:net';
import zlib from 'node:zlib';
import { expect } from 'chai';
import { TEST_KEY } from '../testing/test-service';
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

const JSON_TYPE = { 'content-type': 'application/json' };
const MIB = 1024 * 1024;

/** Sends bytes as they are, and gives back all that comes. */
const talk = (url: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = net.connect(Number(port), hostname, () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      answer += chunk;
    });
    socket.on('close', () => {
      resolve(answer);
    });
    socket.on('error', reject);
  });

export const describeRequests = (api: Api): void => {
  const put = (
    book: string,
    raw: string | Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>> = JSON_TYPE,
  ) => api().request('PUT', `/v1/pricebooks/${book}/prices`, { raw, headers });

  describe('keys', () => {
    it('are asked for before anything else', async () => {
      for (const key of ['', 'wrong', `${TEST_KEY}x`, TEST_KEY.toUpperCase(), `${TEST_KEY}, ${TEST_KEY}`]) {
        for (const [method, path] of [
          ['GET', '/v1/pricebooks'],
          ['GET', '/v1/nothing/here/at/all'],
          ['PURGE', '/v1/pricebooks'],
          ['PUT', `/v1/pricebooks/${UNKNOWN_BOOK}/prices`],
          ['GET', '/v1'],
        ] as const) {
          const answer = await api().request(method, path, {
            headers: { 'x-api-key': key, accept: 'text/html' },
          });
          expectProblem(answer, { status: 401, type: 'unauthorized' });
          expect(answer.headers.get('www-authenticate')).to.equal('ApiKey');
        }
      }
      const answer = await fetch(`${api().url}/v1/pricebooks`, { method: 'POST', body: '{"name":' });
      expect(answer.status).to.equal(401);
    });

    it('are not needed for health', async () => {
      for (const [path, status] of [
        ['/health/live', 'live'],
        ['/health/ready', 'ready'],
      ] as const) {
        const answer = await api().request('GET', path, { headers: { 'x-api-key': '' } });
        expect(bodyOf(expectStatus(answer, 200))['status']).to.equal(status);
      }
    });
  });

  describe('paths and methods', () => {
    it('answers 404 to a path of no operation', async () => {
      for (const path of [
        '/',
        '/v2/pricebooks',
        '/v1/PriceBooks',
        '/v1/pricebooks/',
        '/v1/pricebooks/a/b/c/d',
        '/v1pricebooks',
      ]) {
        const answer = await api().request('GET', path);
        expectProblem(answer, { status: 404, type: 'no-such-route', says: '/docs' });
        expect(String(bodyOf(answer)['detail']).includes('slash'), path).to.equal(path === '/v1/pricebooks/');
      }
    });

    it('answers 405 with Allow to a method that a path does not take', async () => {
      for (const [method, path, allowed] of [
        ['DELETE', '/v1/pricebooks', ['GET', 'HEAD', 'POST']],
        ['PUT', `/v1/pricebooks/${UNKNOWN_BOOK}`, ['DELETE', 'GET', 'HEAD', 'PATCH']],
        ['POST', `/v1/pricebooks/${UNKNOWN_BOOK}/prices`, ['DELETE', 'GET', 'HEAD', 'PUT']],
        ['PATCH', `/v1/pricebooks/${UNKNOWN_BOOK}/P/USD`, ['GET', 'HEAD']],
        ['PURGE', '/v1/pricebooks', ['GET', 'HEAD', 'POST']],
        ['POST', '/health/live', ['GET', 'HEAD']],
      ] as const) {
        const answer = await api().request(method, path);
        expectProblem(answer, { status: 405, type: 'method-not-allowed' });
        expect((answer.headers.get('allow') ?? '').split(', ').sort()).to.deep.equal(allowed);
      }
    });

    it('answers 400 to a path that is not UTF-8', async () => {
      expectProblem(await api().request('GET', `/v1/pricebooks/${UNKNOWN_BOOK}/%FF/USD`), { status: 400 });
    });

    it('answers HEAD as GET, without the body', async () => {
      const id = await createBook(api);
      const answer = expectStatus(await api().request('HEAD', `/v1/pricebooks/${id}`), 200);
      expect([answer.headers.get('etag'), answer.body]).to.deep.equal(['"0"', '']);
    });
  });

  describe('headers', () => {
    it('answers 406 to who does not take JSON', async () => {
      const accept = (value: string) =>
        api().request('GET', '/v1/pricebooks', { headers: { accept: value } });
      expectProblem(await accept('text/csv'), { status: 406, type: 'not-acceptable' });
      for (const value of ['*/*', 'application/*', 'text/html, application/json;q=0.1'])
        expectStatus(await accept(value), 200);
    });

    it('gives every answer an id, the one of the client if it is sane', async () => {
      const ask = (id: string) => api().request('GET', '/v1/pricebooks', { headers: { 'x-request-id': id } });
      expect((await ask('order-17.a~b')).headers.get('x-request-id')).to.equal('order-17.a~b');
      for (const id of ['', 'x'.repeat(129), 'a b', 'é', '<script>']) {
        expect((await ask(id)).headers.get('x-request-id')).to.match(/^[0-9a-f-]{36}$/);
      }
    });
  });

  describe('bodies', () => {
    it('answers 415 to anything but JSON in UTF-8', async () => {
      const book = await createBook(api);
      for (const type of [
        'text/plain',
        'application/x-www-form-urlencoded',
        'application/vnd.api+json',
        'application/json; charset=utf-16',
        'application/jsonx',
      ]) {
        expectProblem(await put(book, '[]', { 'content-type': type }), {
          status: 415,
          type: 'unsupported-media-type',
        });
      }
      const untyped = await put(book, new TextEncoder().encode('[]'), {});
      expectProblem(untyped, { status: 415, says: 'It was sent without one.' });
      for (const [says, headers] of [
        ['application/json or text/csv. It was sent as "text/plain".', { 'content-type': 'text/plain; a=b' }],
        ['UTF-8, not "utf-16"', { 'content-type': 'application/json; charset=utf-16' }],
        ['Content-Encoding "compress"', { ...JSON_TYPE, 'content-encoding': 'compress' }],
      ] as const) {
        expectProblem(await put(book, '[]', headers), { status: 415, says });
      }
      for (const type of [
        'application/json; charset=utf-8',
        'Application/JSON;charset=UTF-8',
        'application/json; charset=UTF8',
      ]) {
        expectStatus(await put(book, '[]', { 'content-type': type }), 200);
      }
    });

    it('answers 400 to what is not JSON, and does not repeat it', async () => {
      const book = await createBook(api);
      for (const raw of [
        '',
        ' ',
        '{',
        '[1,]',
        "{'a':1}",
        '[NaN]',
        '[01]',
        '// x\n[]',
        '[] []',
        'nul',
        '"\t"',
        '[1.]',
      ]) {
        expectProblem(await put(book, raw), { status: 400, pointers: [''] });
      }
      const answer = await put(book, '[\n "sensitive" sensitive]');
      expectProblem(answer, { status: 400, says: 'line 2' });
      expect(JSON.stringify(answer.body)).not.to.include('sensitive');
    });

    it('names the place where it stops being JSON', async () => {
      const book = await createBook(api);
      for (const [raw, place] of [
        ['{"name":tru}', 'line 1, column 9'],
        ['[1,2,NaN]', 'line 1, column 6'],
        ['{\n"amount":NaN,\n"b":1\n}', 'line 2, column 10'],
        ['[1 2]', 'line 1, column 4'],
        ['{"a":', 'line 1, column 6'],
      ] as const) {
        const says = `is not JSON: it goes wrong at ${place}`;
        expectProblem(await put(book, raw), { status: 400, says });
      }
    });

    it('takes only well-formed UTF-8 without a byte order mark', async () => {
      const book = await createBook(api);
      const named = (bytes: readonly number[]) =>
        Buffer.concat([Buffer.from('[{"productId":"'), Buffer.from(bytes), Buffer.from('"}]')]);
      expectStatus(await put(book, named([0xc3, 0xa9])), 200);
      for (const bytes of [
        [0xff],
        [0xc3],
        [0xc0, 0xaf],
        [0xed, 0xa0, 0x80],
        [0xf8, 0x88, 0x80, 0x80, 0x80],
      ]) {
        expectProblem(await put(book, named(bytes)), { status: 400, says: 'UTF-8' });
      }
      expectProblem(await put(book, Buffer.from('\ufeff[]')), { status: 400, says: 'byte order mark' });
      expectProblem(await put(book, '[{"productId":"\\ud800"}]'), { status: 400, says: 'surrogate' });
      expectProblem(await put(book, '[{"\\udc00":1}]'), { status: 400, says: 'surrogate' });
      expectStatus(await put(book, '[{"productId":"\\ud83c\\udf88"}]'), 200);
    });

    it('refuses an object with a key twice, at any depth, however it is written', async () => {
      const book = await createBook(api);
      const twice = '[{"productId":"P","adjustments":{"USD":{"type":"override","amount":1,"amount":100}}}]';
      expectProblem(await put(book, twice), { status: 400, pointers: ['/0/adjustments/USD/amount'] });
      const escaped = '[{"productId":"P","product\\u0049d":"Q","adjustments":{},"adjustments":{}}]';
      expectProblem(await put(book, escaped), { status: 400, pointers: ['/0/productId', '/0/adjustments'] });
      expectProblem(await put(book, '[{"productId":"P","__proto__":1,"__proto__":2}]'), { status: 400 });
      const many = expectStatus(await put(book, `[{${'"a":1,'.repeat(1_000)}"a":1}]`), 400);
      expect(bodyOf(many)['errors']).to.have.length(50);
      expectStatus(await put(book, '[{"productId":"a:\\"b\\":\\\\"},{"productId":"{[:"}]'), 200);
    });

    it('refuses keys that mean something to JavaScript', async () => {
      const book = await createBook(api);
      for (const key of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
        expectProblem(await put(book, `[{"productId":"P","${key}":{"x":1}}]`), {
          status: 400,
          pointers: [`/0/${key}`],
        });
        expectProblem(
          await put(book, `[{"productId":"P","adjustments":{"${key}":{"type":"override","amount":1}}}]`),
          {
            status: 400,
            pointers: [`/0/adjustments/${key}`],
          },
        );
        expectProblem(await put(book, `[{"productId":"P","adjustments":{"USD":{"type":"${key}"}}}]`), {
          status: 400,
          pointers: ['/0/adjustments/USD/type'],
        });
      }
    });

    it('refuses numbers out of range', async () => {
      const book = await createBook(api);
      for (const number of ['1e400', '-1', '1e16', '-1e400', '"1"']) {
        const body = `[{"productId":"P","adjustments":{"USD":{"type":"override","amount":${number}}}}]`;
        expectProblem(await put(book, body), { status: 400, pointers: ['/0/adjustments/USD/amount'] });
      }
      expectStatus(
        await put(book, '[{"productId":"P","adjustments":{"USD":{"type":"override","amount":-0}}}]'),
        200,
      );
      expect(Object.is(await priceOf(api, book, 'P'), 0)).to.equal(true);
    });

    it('bounds nesting at 32 levels, also where there are millions', async () => {
      const book = await createBook(api);
      for (const depth of [33, 10_000, 500_000]) {
        const raw = '['.repeat(depth) + ']'.repeat(depth);
        expectProblem(await put(book, raw), { status: 400, says: 'levels deep' });
      }
      expectProblem(await put(book, '['.repeat(500_000)), { status: 400, says: 'levels deep' });
      const nested = await put(book, `${'['.repeat(32)}${']'.repeat(32)}`);
      expectProblem(nested, { status: 400, pointers: ['/0'] });
    });

    it('answers 413 to more than 1 MiB, also when it is compressed', async () => {
      const book = await createBook(api);
      const padded = (size: number) => `[]${' '.repeat(size - 2)}`;
      expectStatus(await put(book, padded(MIB)), 200);
      expectProblem(await put(book, padded(MIB + 1)), { status: 413, type: 'too-large' });
      const gzip = { ...JSON_TYPE, 'content-encoding': 'gzip' };
      expectStatus(await put(book, new Uint8Array(zlib.gzipSync(padded(1000))), gzip), 200);
      expectProblem(await put(book, new Uint8Array(zlib.gzipSync(padded(50 * MIB))), gzip), { status: 413 });
      for (const encoding of ['gzip', 'deflate', 'br']) {
        const answer = await put(book, 'not compressed', { ...JSON_TYPE, 'content-encoding': encoding });
        expectProblem(answer, { status: 400, says: `is not valid ${encoding}` });
      }
    });

    it('reads a body in chunks, and takes a DELETE body of no announced length for a missing one', async () => {
      const book = await createBook(api);
      await setPrices(api, book, [usd('P', override(1))]);
      const head = (method: string, extra: string) =>
        `${method} /v1/pricebooks/${book}/prices HTTP/1.1\r\nHost: x\r\nConnection: close\r\nx-api-key: ${TEST_KEY}\r\n` +
        `Content-Type: application/json\r\n${extra}\r\n`;
      const chunked = `${head('DELETE', 'Transfer-Encoding: chunked\r\n')}3\r\n["P\r\n2\r\n"]\r\n0\r\n\r\n`;
      const unannounced = await talk(api().url, `${head('DELETE', '')}["P"]`);
      expect(unannounced).to.match(/^HTTP\/1\.1 400 /);
      expect(await priceOf(api, book, 'P')).to.equal(1);
      expect(await talk(api().url, chunked)).to.match(/^HTTP\/1\.1 204 /);
      expect(await priceOf(api, book, 'P')).to.equal(undefined);
    });

    it('takes large bodies after many clients went away in the middle of one, compressed or not', async () => {
      const book = await createBook(api);
      const head = `PUT /v1/pricebooks/${book}/prices HTTP/1.1\r\nHost: x\r\nx-api-key: ${TEST_KEY}\r\nContent-Type: application/json\r\n`;
      const half = zlib.gzipSync(randomBytes(40_000)).subarray(0, 20_000);
      const leave = (encoding: string): Promise<void> =>
        new Promise((resolve) => {
          const socket = net.connect(Number(new URL(api().url).port), '127.0.0.1', () => {
            socket.write(`${head}${encoding}Content-Length: ${String(MIB)}\r\n\r\n`);
            socket.write(half, () => setTimeout(() => socket.destroy(), 20));
          });
          socket.on('close', () => {
            resolve();
          });
        });
      // Twice as many as would fill what bodies in hand may have together.
      for (let round = 0; round < 4; round += 1) {
        await Promise.all(
          Array.from({ length: 40 }, (_, i) => leave(i % 8 === 0 ? '' : 'Content-Encoding: gzip\r\n')),
        );
      }
      let status = 503;
      for (let tries = 0; tries < 50 && status === 503; tries += 1) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        ({ status } = await put(book, `[]${' '.repeat(MIB - 2)}`));
      }
      expect(status).to.equal(200);
    });

    it('answers a request that was carried out, whatever comes after it', async () => {
      const book = await createBook(api);
      const body = JSON.stringify([usd('P', override(42))]);
      const request =
        `PUT /v1/pricebooks/${book}/prices HTTP/1.1\r\nHost: x\r\nx-api-key: ${TEST_KEY}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${String(body.length)}\r\n\r\n${body}!!`;
      expect(await talk(api().url, request)).to.match(/^HTTP\/1\.1 200 [^]*"productsSet":1/);
      expect(await priceOf(api, book, 'P')).to.equal(42);
    });

    it('passes over an expectation that is not of HTTP', async () => {
      const request = `GET /v1/pricebooks HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: cake\r\nx-api-key: ${TEST_KEY}\r\n\r\n`;
      expect(await talk(api().url, request)).to.match(/^HTTP\/1\.1 200 /);
    });

    it('answers what is not HTTP at all', async () => {
      expect(await talk(api().url, 'NONSENSE\r\n\r\n')).to.match(
        /^HTTP\/1\.1 400 [^]*application\/problem\+json/,
      );
      const huge = `GET / HTTP/1.1\r\nHost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`;
      expect(await talk(api().url, huge)).to.match(/^HTTP\/1\.1 431 /);
    });
  });
};
