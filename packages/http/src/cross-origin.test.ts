/** Pages of other origins, as browsers speak for them; packages/acceptance has a real one. */
import http from 'node:http';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { allDo, connect, head, KEY, patient, type ServedApp, serveApp } from './testing/serve-app';

const ORIGIN = 'https://shop.example';
const OTHER = 'https://other.example';
const ID = '01a1fced-c116-737b-90d3-d0ce7dc012dc';
const BOOK = `/v1/pricebooks/${ID}`;

interface Answer {
  readonly status: number | undefined;
  readonly headers: http.IncomingHttpHeaders;
}

describe('pages of other origins', () => {
  let app: ServedApp;
  afterEach(() => {
    app.close();
  });
  const start = async (allowedOrigins: readonly string[], rateLimit = 0): Promise<void> => {
    const priceBooks = allDo(() => Promise.resolve(E.left({ _tag: 'PriceBookNotFound' })));
    app = await serveApp({ allowedOrigins, rateLimit, priceBooks }, patient);
  };

  const ask = (
    method: string,
    path: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      http
        .request(app.url + path, { method, headers }, (answer) => {
          answer.resume().on('end', () => {
            resolve({ status: answer.statusCode, headers: answer.headers });
          });
        })
        .on('error', reject)
        .end();
    });

  const preflight = (origin: string) =>
    ask('OPTIONS', BOOK, {
      origin,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'content-type,if-match,x-api-key',
    });

  it('may ask what they may do, without a key, where they are allowed', async () => {
    await start(['http://localhost:5173', ORIGIN]);
    const { status, headers } = await preflight(ORIGIN);
    expect(status).to.equal(204);
    expect(headers).to.include({
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'GET,HEAD,PUT,POST,DELETE,PATCH',
      'access-control-allow-headers': 'content-type,if-match,x-api-key',
      'access-control-max-age': '600',
      vary: 'Origin',
      'x-request-id': 'request-1',
    });
    expect(headers).not.to.have.property('access-control-allow-credentials');
  });

  it('may read every answer, refusals too, and the headers that say something', async () => {
    await start([ORIGIN], 1);
    const key = { 'x-api-key': KEY };
    for (const [method, path, headers, status] of [
      ['GET', '/health/live', {}, 200],
      ['GET', BOOK, {}, 401],
      ['GET', BOOK, key, 404],
      ['GET', BOOK, key, 429],
      ['PURGE', '/openapi.json', {}, 405],
    ] as const) {
      const answer = await ask(method, path, { origin: ORIGIN, ...headers });
      expect(answer.status).to.equal(status);
      expect(answer.headers, String(status)).to.include({ 'access-control-allow-origin': ORIGIN });
      expect(answer.headers.vary).to.match(/^Origin\b/);
      expect(answer.headers['access-control-expose-headers']?.split(',')).to.include.members([
        'ETag',
        'Link',
        'Location',
        'Projection',
        'Retry-After',
        'x-request-id',
      ]);
    }
  });

  it('may read refusals of what never became a request', async () => {
    await start([ORIGIN]);
    for (const [bytes, status] of [
      [`GET / HTTP/1.1\r\nOrigin: ${ORIGIN}\r\n\r\n`, 400],
      [`GET / HTTP/1.1\r\nHost: x\r\nOrigin: ${ORIGIN}\r\nB ad: header\r\n\r\n`, 400],
      [`GET / HTTP/1.1\r\nHost: x\r\nOrigin: ${ORIGIN}\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
      [
        head('PUT', `${BOOK}/prices`, `Origin: ${ORIGIN}`, 'Transfer-Encoding: chunked') + 'no length\r\n',
        400,
      ],
    ] as const) {
      const { closed } = await connect(app.port, bytes);
      const answer = await closed;
      expect(answer).to.include(`HTTP/1.1 ${String(status)} `);
      expect(answer).to.include(`Access-Control-Allow-Origin: ${ORIGIN}\r\n`);
    }
    const other = await connect(app.port, `GET / HTTP/1.1\r\nOrigin: ${OTHER}\r\n\r\n`);
    expect(await other.closed)
      .to.match(/^Vary: Origin\r$/m)
      .and.not.match(/access-control/i);
  });

  it('of an origin that is not allowed learn nothing, and neither do caches', async () => {
    await start([ORIGIN]);
    for (const origin of [OTHER, 'null', `${ORIGIN}.evil.example`, ORIGIN.toUpperCase(), '*']) {
      const answers = [await preflight(origin), await ask('GET', BOOK, { origin, 'x-api-key': KEY })];
      expect(answers.map(({ status }) => status)).to.deep.equal([401, 404]);
      for (const { headers } of answers) {
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).to.deep.equal([]);
        expect(headers.vary).to.equal('Origin');
      }
    }
    expect((await ask('GET', BOOK, { 'x-api-key': KEY })).headers.vary).to.equal('Origin');
  });

  it('are nothing to a service that allows none', async () => {
    await start([]);
    const answers = [await preflight(ORIGIN), await ask('GET', BOOK, { origin: ORIGIN, 'x-api-key': KEY })];
    expect(answers.map(({ status }) => status)).to.deep.equal([401, 404]);
    for (const { headers } of answers)
      expect(headers).not.to.have.any.keys('access-control-allow-origin', 'vary');
  });
});
