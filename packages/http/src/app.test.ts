/** What the real service only answers when something is wrong with it, or to keys that it does not issue yet. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import type { ApiKeys, PriceBooks, Readiness, Scope, Webhooks } from '@pricebook/application';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import pino from 'pino';
import { createHttpApp } from './app';
import { createHttpServer } from './server';
import { allRulesDo } from './testing/serve-app';

const ID = '01a1fced-c116-737b-90d3-d0ce7dc012dc';
const SECRET = '/secret/path/to/events.mdb';

const ready: Readiness = {
  isReady: true,
  eventStore: 'up',
  readModel: 'up',
  projection: { state: 'running', position: '1', head: '1', lag: { events: 0, seconds: 0 } },
};

const unexpected = (): never => {
  throw new Error('not expected to be reached');
};

const closedBook: PriceBooks = {
  once: unexpected,
  clone: unexpected,
  create: unexpected,
  update: unexpected,
  delete: unexpected,
  restore: unexpected,
  setPrices: unexpected,
  deleteEntries: unexpected,
  preview: unexpected,
  find: unexpected,
  idOfKey: unexpected,
  list: unexpected,
  ownPrices: unexpected,
  effectivePrices: unexpected,
  productBooks: unexpected,
  product: unexpected,
  percents: unexpected,
  price: unexpected,
  history: unexpected,
  follow: unexpected,
  feed: unexpected,
  followFeed: unexpected,
  quote: unexpected,
  upcoming: unexpected,
  priceHistory: unexpected,
};

const noBooks = { priceBooks: [], next: undefined };

const noKeys: ApiKeys = {
  issue: unexpected,
  list: unexpected,
  own: unexpected,
  rename: unexpected,
  revoke: unexpected,
};

const noWebhooks: Webhooks = {
  create: unexpected,
  list: unexpected,
  find: unexpected,
  update: unexpected,
  rotateSecret: unexpected,
  delete: unexpected,
  test: unexpected,
  deadLetters: unexpected,
  redeliver: unexpected,
  pause: unexpected,
};

interface Given {
  readonly priceBooks?: Partial<PriceBooks>;
  readonly scopes?: readonly Scope[];
  readonly readiness?: Readiness;
  readonly isStopping?: boolean;
}

describe('the HTTP application', () => {
  const closing: (() => void)[] = [];
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  /** Serves parts that are given. */
  const serve = async (
    { priceBooks = {}, scopes = ['admin'], readiness = ready, isStopping = false }: Given,
    onLog: (line: string) => void = () => undefined,
  ): Promise<string> => {
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        onLog(chunk.toString());
        done();
      },
    });
    const app = createHttpApp({
      priceBooks: { ...closedBook, ...priceBooks },
      apiKeys: noKeys,
      selectionRules: allRulesDo(() => Promise.reject(new Error('not expected to be reached'))),
      webhooks: noWebhooks,
      keyring: { authenticate: () => ({ keyId: 'key-1', scopes }) },
      readiness: () => Promise.resolve(readiness),
      logger: pino(sink),
      clock: { now: () => new Date().toISOString() },
      newRequestId: () => 'request-1',
      stopping: isStopping ? AbortSignal.abort() : new AbortController().signal,
    });
    const server = createHttpServer(app, pino({ level: 'silent' }));
    closing.push(() => {
      server.closeAllConnections();
      server.close();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  };

  /** Serves parts that are given, and asks once. */
  const ask = async (given: Given, method: string, path: string, body?: unknown) => {
    let log = '';
    const url = await serve(given, (line) => {
      log += line;
    });
    const answer = await fetch(url + path, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text(), log };
  };

  const outcome = {
    priceBookId: ID as never,
    revision: 3,
    updatedAt: '2026-01-01T00:00:00.000Z',
    projectionBehind: true,
  };

  it('says with a write that is done when the read side is behind', async () => {
    const priceBooks = { setPrices: () => TE.right(outcome) };
    const { status, headers, text } = await ask({ priceBooks }, 'PUT', `/v1/pricebooks/${ID}/prices`, []);
    expect(status).to.equal(200);
    expect(headers.get('projection')).to.equal('behind');
    expect(JSON.parse(text)).to.deep.equal({
      priceBookId: ID,
      revision: 3,
      updatedAt: '2026-01-01T00:00:00.000Z',
      productsSet: 0,
    });
    const current = { setPrices: () => TE.right({ ...outcome, projectionBehind: false }) };
    const answer = await ask({ priceBooks: current }, 'PUT', `/v1/pricebooks/${ID}/prices`, []);
    expect(answer.headers.get('projection')).to.equal(null);
  });

  it('answers 503 with Retry-After when a store does not, and keeps the reason to the log', async () => {
    const priceBooks = { list: () => TE.left({ _tag: 'StoreUnavailable' as const, reason: SECRET }) };
    const { status, headers, text, log } = await ask({ priceBooks }, 'GET', '/v1/pricebooks');
    expect([status, headers.get('retry-after')]).to.deep.equal([503, '1']);
    expect(text).not.to.include(SECRET);
    expect(log).to.include(SECRET);
  });

  it('answers 500 to damage, to an event that cannot be read and to a defect, and keeps the reason to the log', async () => {
    for (const priceBooks of [
      { list: () => TE.left({ _tag: 'StoreDamaged' as const, where: SECRET, reason: 'cut' }) },
      {
        list: () => () => {
          throw new Error(SECRET);
        },
      },
      { list: () => () => Promise.reject(new Error(SECRET)) },
    ] as Partial<PriceBooks>[]) {
      const { status, text, log } = await ask({ priceBooks }, 'GET', '/v1/pricebooks');
      expect(status).to.equal(500);
      expect(JSON.parse(text)).to.include({ type: '/problems/internal', requestId: 'request-1' });
      expect(text).not.to.include(SECRET);
      expect(log).to.include(SECRET);
    }
  });

  it('answers 403 to a key without the scope, before it looks at anything else', async () => {
    const targets = [
      ['POST', '/v1/pricebooks'],
      ['PATCH', `/v1/pricebooks/${ID}`],
      ['DELETE', `/v1/pricebooks/${ID}`],
      ['PUT', `/v1/pricebooks/${ID}/prices`],
      ['DELETE', `/v1/pricebooks/${ID}/prices`],
    ] as const;
    for (const [method, path] of targets) {
      const { status, text } = await ask({ scopes: ['read'] }, method, path, 'nonsense');
      expect(status, `${method} ${path}`).to.equal(403);
      expect(text).to.include('scope write');
    }
    for (const scopes of [['read'], ['write'], ['admin']] as const) {
      expect(
        (await ask({ scopes, priceBooks: { list: () => TE.right(noBooks) } }, 'GET', '/v1/pricebooks'))
          .status,
      ).to.equal(200);
    }
    expect((await ask({ scopes: [] }, 'GET', '/v1/pricebooks')).status).to.equal(403);
  });

  it('answers 503 to large bodies past what it can hold at once, and takes them again afterwards', async () => {
    const waiting: (() => void)[] = [];
    const priceBooks: Partial<PriceBooks> = {
      setPrices: () => () =>
        new Promise((resolve) => {
          waiting.push(() => {
            resolve(E.right(outcome));
          });
        }),
    };
    const url = await serve({ priceBooks });
    const put = (size: number) =>
      fetch(`${url}/v1/pricebooks/${ID}/prices`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: `[]${' '.repeat(size - 2)}`,
      });
    const MIB = 1024 * 1024;
    const held = Array.from({ length: 64 }, () => put(MIB));
    while (waiting.length < 64) await new Promise((resolve) => setTimeout(resolve, 5));
    const refused = await put(MIB);
    expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([503, '1']);
    for (const answer of waiting.splice(0)) answer();
    expect((await Promise.all(held)).map(({ status }) => status)).to.deep.equal(held.map(() => 200));
    const again = put(MIB);
    while (waiting.length < 1) await new Promise((resolve) => setTimeout(resolve, 5));
    waiting[0]?.();
    expect((await again).status).to.equal(200);
  });

  it('keeps no connection alive while the service stops', async () => {
    const priceBooks = { list: () => TE.right(noBooks) };
    const stopping = await ask({ priceBooks, isStopping: true }, 'GET', '/v1/pricebooks');
    expect([stopping.status, stopping.headers.get('connection')]).to.deep.equal([200, 'close']);
    expect((await ask({ priceBooks }, 'GET', '/v1/pricebooks')).headers.get('connection')).to.equal(
      'keep-alive',
    );
  });

  it('says in its readiness what stands in the way', async () => {
    const stopped: Readiness = {
      ...ready,
      isReady: false,
      projection: {
        state: 'stopped',
        position: '1',
        head: '3',
        lag: { events: 2, seconds: 1.5 },
        stoppedAt: { stream: `priceBook-${ID}`, revision: 2 },
      },
    };
    const { status, text } = await ask({ readiness: stopped }, 'GET', '/health/ready');
    expect(status).to.equal(503);
    expect(JSON.parse(text)).to.deep.equal({
      status: 'not ready',
      eventStore: 'up',
      readModel: 'up',
      projection: stopped.projection,
    });
    expect((await ask({ readiness: stopped }, 'GET', '/health/live')).status).to.equal(200);
  });
});
