/** What every answer has, whatever it answers, and what none has. */
import http from 'node:http';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import type { PriceBooks } from '@pricebook/application';
import type { HttpAppParts } from './app';
import {
  allDo,
  allKeysDo,
  allRulesDo,
  allWebhooksDo,
  connect,
  head,
  KEY,
  type ServedApp,
  serveApp,
} from './testing/serve-app';

const ID = '01a1fced-c116-737b-90d3-d0ce7dc012dc';
const BOOK = `/v1/pricebooks/${ID}`;
const PRICES = [{ productId: 'P', adjustments: { USD: { type: 'override', amount: 1 } } }];

/** A request of every operation that gets as far as its use case. */
const operations: readonly (readonly [method: string, path: string, body?: unknown])[] = [
  ['POST', '/v1/pricebooks', { name: 'A' }],
  ['GET', '/v1/pricebooks'],
  ['GET', BOOK],
  ['PATCH', BOOK, { name: 'B' }],
  ['DELETE', BOOK],
  ['PUT', `${BOOK}/prices`, PRICES],
  ['PUT', `${BOOK}/prices`, { productId: 'all', adjustments: { USD: null } }],
  ['DELETE', `${BOOK}/prices`, ['P']],
  ['GET', `${BOOK}/prices`],
  ['GET', `${BOOK}/percents`],
  ['GET', `${BOOK}/P/USD`],
  ['GET', `${BOOK}/P/USD/history`],
  ['GET', `${BOOK}/events`],
  ['POST', `${BOOK}/quote`, [{ productId: 'P', currency: 'USD' }]],
  ['POST', `${BOOK}/quote-with-totals`, [{ productId: 'P', currency: 'USD' }]],
  ['POST', '/v1/api-keys', { name: 'A', scopes: ['read'] }],
  ['GET', '/v1/api-keys'],
  ['POST', '/v1/selection-rules', { name: 'A', priority: 1, priceBookId: ID, conditions: [] }],
  ['GET', '/v1/selection-rules'],
  ['GET', '/v1/selection-rules/one'],
  ['PUT', '/v1/selection-rules/one', { name: 'A', priority: 1, priceBookId: ID, conditions: [] }],
  ['DELETE', '/v1/selection-rules/one'],
  ['GET', '/v1/selection-rules/one/events'],
  ['GET', '/v1/prices/P/USD'],
  ['POST', '/v1/quote', { context: {}, lines: [{ productId: 'P', currency: 'USD' }] }],
  ['DELETE', '/v1/api-keys/4qFy2KdM'],
];

/** Words that an answer must not have, as drivers and Node use them. */
const TELLING = '/srv/pricebook/data/events.mdb MDB_PANIC mongodb://user:secret@10.0.0.9 E11000';
const SECRET = /srv|mdb|mongo|secret|E11000|node_modules|\/dist\/|\.js:|Error:|at [A-Z]\w+\./i;

const STRICT = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
}

describe('every answer', () => {
  let app: ServedApp;
  const start = async (parts: Partial<HttpAppParts> = {}) => {
    app = await serveApp(parts);
  };
  afterEach(() => {
    app.close();
  });

  const ask = (
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = { 'x-api-key': KEY },
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const json = body === undefined ? undefined : JSON.stringify(body);
      const request = http.request(app.url + path, {
        method,
        headers: {
          ...headers,
          ...(json !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(json),
          }),
        },
      });
      request.on('error', reject);
      request.on('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        });
      });
      request.end(json);
    });

  const expectStrict = ({ headers }: Answer, what: string): void => {
    expect(headers, what).to.include(STRICT);
    expect(headers, what).not.to.have.any.keys('server', 'x-powered-by');
  };

  const book = {
    priceBookId: ID,
    name: 'A',
    description: '',
    basePriceBookIds: [],
    createdAt: '',
    updatedAt: '',
    revision: 3,
  };
  const reading = {
    find: () => TE.right(book),
    list: () => TE.right({ priceBooks: [book], next: undefined }),
    price: () => TE.left({ _tag: 'NoListPrice' }),
  } as unknown as PriceBooks;

  it('has the headers of an API, a refusal and health too', async () => {
    await start({ priceBooks: reading });
    for (const [method, path, status] of [
      ['GET', '/v1/pricebooks', 200],
      ['GET', `${BOOK}/P/USD`, 404],
      ['GET', '/v1/nothing', 404],
      ['GET', '/nothing', 404],
      ['PURGE', '/v1/pricebooks', 405],
      // A method that nothing takes makes no path of what is none.
      ['PURGE', '/v1/nothing', 404],
      ['PURGE', '/nothing', 404],
      ['PUT', `${BOOK}/prices`, 400],
      ['OPTIONS', BOOK, 200],
      ['GET', '/health/live', 200],
      ['GET', '/health/ready', 200],
      ['POST', '/health/ready', 405],
      ['GET', '/metrics', 200],
      ['DELETE', BOOK, 500],
    ] as const) {
      const answer = await ask(method, path);
      expect(answer.status, `${method} ${path}`).to.equal(status);
      expect(answer.headers, `${method} ${path}`).to.have.property('x-request-id');
      expectStrict(answer, `${method} ${path}`);
    }
    const unknown = await ask('GET', BOOK, undefined, { 'x-api-key': 'wrong' });
    expect(unknown.status).to.equal(401);
    expectStrict(unknown, 'without a key');
  });

  it('has them where the request was none', async () => {
    await start();
    for (const bytes of ['NONSENSE\r\n\r\n', `GET / HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`]) {
      const answer = (await (await connect(app.port, bytes)).closed).toLowerCase();
      for (const [name, value] of Object.entries(STRICT)) expect(answer).to.include(`${name}: ${value}\r\n`);
      const [, requestId] = /\r\nx-request-id: (\S+)\r\n/.exec(answer) ?? [];
      expect(answer).to.include(`"requestid":"${String(requestId)}"`);
    }
  });

  it('may be kept where it has an ETag, and is then asked about each time', async () => {
    await start({ priceBooks: reading });
    const found = await ask('GET', BOOK);
    expect([found.headers.etag, found.headers['cache-control']]).to.deep.equal(['"3"', 'no-cache']);
    const again = await ask('GET', BOOK, undefined, { 'x-api-key': KEY, 'if-none-match': '"3"' });
    expect([again.status, again.headers['cache-control']]).to.deep.equal([304, 'no-cache']);
    // What has no tag is never said to be unchanged.
    for (const tag of ['undefined', 'W/undefined', '""']) {
      const list = await ask('GET', '/v1/pricebooks', undefined, { 'x-api-key': KEY, 'if-none-match': tag });
      expect(list.status, tag).to.equal(200);
    }
  });

  it('says nothing of what went wrong inside, on any route', async () => {
    const failures: readonly (() => unknown)[] = [
      () => Promise.reject(new Error(TELLING)),
      () => {
        throw new TypeError(TELLING);
      },
      ...[
        { _tag: 'StoreUnavailable', reason: TELLING },
        { _tag: 'StoreDamaged', where: TELLING, reason: TELLING },
        { _tag: 'UndecodableEvent', stream: TELLING, revision: 1, reason: TELLING },
      ].map((error) => () => Promise.resolve(E.left(error))),
      () => Promise.resolve(undefined),
    ];
    for (const fail of failures) {
      await start({
        priceBooks: allDo(fail),
        apiKeys: allKeysDo(fail),
        selectionRules: allRulesDo(fail),
        webhooks: allWebhooksDo(fail),
      });
      for (const [method, path, body] of operations) {
        const answer = await ask(method, path, body);
        expect(answer.status, `${method} ${path}`).to.be.oneOf([500, 503]);
        expect(answer.headers['content-type']).to.include('application/problem+json');
        expect(`${answer.text}${JSON.stringify(answer.headers)}`).not.to.match(SECRET);
        expectStrict(answer, `${method} ${path}`);
      }
      app.close();
    }
  });

  it('says nothing of what went wrong with health or a key', async () => {
    await start({ readiness: () => Promise.reject(new Error(TELLING)) });
    for (const path of ['/health/ready', '/metrics']) {
      const answer = await ask('GET', path);
      expect(answer.status).to.equal(500);
      expect(answer.text).not.to.match(SECRET);
    }
    app.close();
    await start({
      keyring: {
        authenticate: () => {
          throw new Error(TELLING);
        },
      },
    });
    const answer = await ask('GET', BOOK);
    expect(answer.status).to.equal(500);
    expect(answer.text).not.to.match(SECRET);
  });

  it('to a second request on a connection is one of its own', async () => {
    await start({ priceBooks: reading });
    const two = head('GET', BOOK) + head('GET', '/health/live', 'Connection: close');
    const text = await (await connect(app.port, two)).closed;
    expect([...text.matchAll(/^Cache-Control: (.*)\r$/gm)].map(([, value]) => value)).to.deep.equal([
      'no-cache',
      'no-store',
    ]);
  });
});
