/** Answers that are streams, over real sockets. */
import { once } from 'node:events';
import http, { type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import * as TE from 'fp-ts/TaskEither';
import Koa from 'koa';
import pino from 'pino';
import { JSON_TYPE } from './media-types';
import { type ApiAnswer, type Route, route } from './route';
import type { ServerLimits } from './server';
import { createStreams, type StreamedBody } from './streams';
import { type Client, connect, head, KEY, type ServedApp, serveApp, until } from './testing/serve-app';

const MIB = 1024 * 1024;
const PATH = '/v1/numbers';

const quick: ServerLimits = {
  headersMs: 60_000,
  requestMs: 60_000,
  stalledMs: 700,
  keepAliveMs: 60_000,
  checkMs: 50,
  connections: 10_000,
  unreadBytes: 128 * MIB,
};

/** A stream that tells what becomes of it. */
interface Watched {
  asked: number;
  isOver: boolean;
  isClosed: boolean;
}

describe('an answer that is a stream', () => {
  let app: ServedApp;
  const clients: Client[] = [];
  afterEach(() => {
    for (const { socket } of clients.splice(0)) socket.destroy();
    app.close();
  });

  const start = async (
    pieces: StreamedBody['pieces'],
    answer: Partial<ApiAnswer & Pick<StreamedBody, 'until'>> = {},
    limits: Partial<ServerLimits> = {},
  ): Promise<void> => {
    const numbers: Route = route(
      {
        method: 'get',
        path: PATH,
        scope: 'read',
        offers: [JSON_TYPE, 'text/csv'],
        operationId: 'listNumbers',
        summary: 'List Numbers',
        description: 'Of this test.',
        tag: 'Prices',
        answers: {},
      },
      (_priceBooks, { mediaType }) =>
        TE.right(
          mediaType === JSON_TYPE
            ? { status: 200, body: [] }
            : {
                status: 200,
                stream: { contentType: 'text/csv; charset=utf-8', pieces, until: answer.until },
                ...answer,
              },
        ),
    );
    app = await serveApp({ routes: [numbers] }, { ...quick, ...limits });
  };

  /** Pieces of a size, without end unless there is a number of them. */
  const watched = (
    size: number,
    count = Infinity,
  ): readonly [seen: Watched, pieces: StreamedBody['pieces']] => {
    const seen: Watched = { asked: 0, isOver: false, isClosed: false };
    const pieces: StreamedBody['pieces'] = (over) => {
      const note = (): void => {
        seen.isOver = true;
      };
      over.addEventListener('abort', note);
      if (over.aborted) note();
      return (async function* () {
        try {
          while (seen.asked < count) {
            seen.asked += 1;
            await Promise.resolve();
            yield `${String(seen.asked)},${'x'.repeat(size)}\n`;
          }
        } finally {
          seen.isClosed = true;
        }
      })();
    };
    return [seen, pieces];
  };

  const client = async (request: string): Promise<Client> => {
    const one = await connect(app.port, request);
    clients.push(one);
    return one;
  };
  const csv = (...headers: readonly string[]): string => head('GET', PATH, 'Accept: text/csv', ...headers);
  const deafClient = async (): Promise<Client> => {
    const one = await client('');
    one.socket.pause();
    one.socket.write(csv());
    return one;
  };

  const get = async (accept: string) => {
    const answer = await fetch(app.url + PATH, { headers: { 'x-api-key': KEY, accept } });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };

  it('comes whole and in order, with the headers of every answer', async () => {
    const [seen, pieces] = watched(10, 3);
    await start(pieces, { headers: { 'Content-Disposition': 'attachment' } });
    const answer = await get('text/csv');
    expect(answer.text).to.equal('1,xxxxxxxxxx\n2,xxxxxxxxxx\n3,xxxxxxxxxx\n');
    expect(answer.status).to.equal(200);
    expect(Object.fromEntries(answer.headers)).to.include({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment',
      'transfer-encoding': 'chunked',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'request-1',
      vary: 'Accept, Accept-Encoding',
    });
    await until(() => seen.isOver);
    expect(seen.isClosed).to.equal(true);
  });

  it('is what the client takes of what the operation offers, and 406 where that is nothing', async () => {
    await start(watched(1, 1)[1]);
    for (const [accept, type] of [
      ['*/*', 'application/json'],
      ['application/json', 'application/json'],
      ['text/csv', 'text/csv'],
      ['text/*', 'text/csv'],
      ['text/csv;q=0.5, application/json', 'application/json'],
      ['text/csv, */*;q=0.1', 'text/csv'],
      ['text/html, text/csv;q=0, */*;q=0.1', 'application/json'],
    ] as const) {
      const answer = await get(accept);
      expect([answer.status, answer.headers.get('content-type')?.split(';')[0]], accept).to.deep.equal([
        200,
        type,
      ]);
      expect(answer.headers.get('vary'), accept).to.match(/^Accept\b/);
    }
    const refused = await get('text/html');
    expect(refused.status).to.equal(406);
    expect(refused.headers.get('content-type')).to.include('application/problem+json');
    expect(refused.text).to.include('application/json or text/csv');
  });

  it('has no body for HEAD, and none is made', async () => {
    const [seen, pieces] = watched(1);
    await start(pieces);
    const one = await client(head('HEAD', PATH, 'Accept: text/csv', 'Connection: close'));
    expect(await one.closed).to.match(/^HTTP\/1\.1 200 [^]*Content-Type: text\/csv[^]*\r\n\r\n$/);
    expect(seen).to.deep.equal({ asked: 0, isOver: true, isClosed: false });
  });

  it('holds nothing where its headers cannot be sent', async () => {
    const [seen, pieces] = watched(1);
    await start(pieces, { headers: { 'X-Line': 'a\nb' } });
    expect((await get('text/csv')).status).to.equal(500);
    expect(seen).to.deep.equal({ asked: 0, isOver: true, isClosed: false });
  });

  it('is made no faster than the client takes it, and comes whole however slow that is', async () => {
    const count = 400;
    const [seen, pieces] = watched(64 * 1024, count);
    await start(pieces, {}, { stalledMs: 60_000 });
    const slow = await deafClient();
    await until(() => seen.asked > 0);
    await delay(300);
    const asked = seen.asked;
    expect(asked, 'what the buffers of the system take').to.be.lessThan(count / 2);
    await delay(200);
    expect(seen.asked).to.equal(asked);
    slow.socket.resume();
    await until(() => slow.received().endsWith('\r\n0\r\n\r\n'));
    expect(seen.asked).to.equal(count);
    const lines = slow
      .received()
      .split('\n')
      .filter((line) => /^\d+,x+$/.test(line));
    expect(lines.map((line) => parseInt(line, 10))).to.deep.equal(
      Array.from({ length: count }, (_, n) => n + 1),
    );
  });

  it('lets others have their turn where everything is taken at once', async () => {
    // As much as the buffers of the system take without waiting for the client.
    const [seen, pieces] = watched(1_000, 1_500);
    await start(pieces);
    await client(csv());
    const turns: number[] = [];
    while (seen.asked < 1_500) {
      await nextTurn();
      turns.push(seen.asked);
    }
    const longest = Math.max(...turns.map((asked, n) => asked - (turns[n - 1] ?? 0)));
    expect(longest).to.be.within(1, 300);
  });

  it('ends when the client goes away', async () => {
    const [seen, pieces] = watched(64 * 1024);
    await start(pieces);
    const leaving = await client(csv());
    await until(() => seen.asked > 10);
    leaving.socket.destroy();
    await until(() => seen.isClosed);
    expect(seen.isOver).to.equal(true);
    await until(() => app.log().join('').includes('"how":"cut off"'));
  });

  it('is over for one who waits for what comes next when the client goes away', async () => {
    let isOver = false;
    await start(async function* (over) {
      yield 'first\n';
      await new Promise<void>((resolve) => {
        over.addEventListener('abort', () => {
          resolve();
        });
      });
      isOver = true;
      throw new Error('it is over');
    });
    const leaving = await client(csv());
    await until(() => leaving.received().includes('first'));
    leaving.socket.destroy();
    await until(() => isOver);
    await delay(20);
    expect(app.log().join('')).not.to.include('could not be completed');
  });

  it('cuts off a client that takes nothing for a time', async () => {
    const [seen, pieces] = watched(64 * 1024);
    await start(pieces);
    const deaf = await deafClient();
    await until(() => seen.isClosed);
    deaf.socket.resume();
    expect(await deaf.closed).not.to.match(/\r\n0\r\n\r\n$/);
  });

  it('bounds what clients have not taken in all streams together, and cuts off the stalest', async () => {
    const all: Watched[] = [];
    await start(
      (over) => {
        const [seen, pieces] = watched(8 * MIB);
        all.push(seen);
        return pieces(over);
      },
      {},
      { stalledMs: 60_000 },
    );
    for (let n = 0; n < 20; n += 1) {
      await deafClient();
      await until(() => all[n]?.asked === 1);
    }
    await until(() => all.some(({ isClosed }) => isClosed));
    const gone = all.map(({ isClosed }) => isClosed);
    expect(gone.lastIndexOf(true), 'none that is newer than one that goes on').to.be.lessThan(
      gone.indexOf(false),
    );
    expect(gone.indexOf(false)).to.be.within(4, 14);
  });

  it('cuts off nobody who takes all, however many are sent much in one turn', async () => {
    const all = new Set<() => void>();
    // Each a piece of its own, less than what the buffers of the system take.
    const size = 300 * 1024;
    await start(
      async function* () {
        yield 'begun\n';
        await new Promise<void>((resolve) => all.add(resolve));
        yield 'x'.repeat(size);
      },
      {},
      { stalledMs: 60_000 },
    );
    const many = await Promise.all(Array.from({ length: 250 }, () => client(csv())));
    await until(() => all.size === many.length);
    for (const go of all) go();
    await until(() => many.every(({ socket, received }) => socket.destroyed || received().length > size));
    expect(many.filter(({ socket }) => socket.destroyed)).to.have.length(0);
  });

  it('that fails breaks the connection off, so that no client takes a part for the whole', async () => {
    await start(async function* () {
      yield 'the first part\n';
      await delay(20);
      throw new Error('the store is gone');
    });
    const failure = await new Promise<Error>((resolve, reject) => {
      const request = http.get(app.url + PATH, { headers: { 'x-api-key': KEY, accept: 'text/csv' } });
      request.on('error', resolve).on('response', (response) => {
        response.on('error', resolve).on('end', () => {
          reject(new Error('it ended as if it were whole'));
        });
        response.resume();
      });
    });
    expect(failure).to.have.property('code', 'ECONNRESET');
    // To a client of HTTP/1.0 the end of the connection is the end of the answer, unless it is reset.
    const old = await client(csv().replace('HTTP/1.1', 'HTTP/1.0'));
    let reset: unknown;
    old.socket.on('error', (error) => {
      reset = error;
    });
    await old.closed;
    expect(reset).to.have.property('code', 'ECONNRESET');
    const log = app.log().join('');
    expect(log).to.include('the store is gone').and.to.include('"how":"failed"');
  });

  it('ends at once when it is told to, and cuts off who has not taken all', async () => {
    const stopping = new AbortController();
    const [seen, pieces] = watched(64 * 1024);
    await start(pieces, { until: stopping.signal }, { stalledMs: 60_000 });
    const deaf = await deafClient();
    await until(() => seen.asked > 0);
    await delay(200);
    stopping.abort();
    await until(() => seen.isClosed);
    deaf.socket.resume();
    expect(await deaf.closed).not.to.match(/\r\n0\r\n\r\n$/);
    const late = await client(csv('Connection: close'));
    expect(await late.closed).to.match(/^HTTP\/1\.1 200 [^]*Content-Length: 0\r\n\r\n$/);
  });

  it('cuts off who takes nothing, a while after it was told to end, also where little is left to take', async () => {
    const stopping = new AbortController();
    const all = new Set<ServerResponse>();
    // Asked for anew as soon as what was written is gone to the system: at last it does not go any more.
    const isStuck = ([response]: ReadonlySet<ServerResponse>) => (response?.writableLength ?? 0) > 0;
    const koa = new Koa();
    const streams = createStreams(pino({ level: 'silent' }));
    koa.use((context) => {
      all.add(context.res);
      streams.begin(context, 'request-1', {
        contentType: 'text/csv',
        until: stopping.signal,
        pieces: async function* (over) {
          while (!over.aborted) {
            if (!isStuck(all)) yield 'x'.repeat(4_096);
            await nextTurn();
          }
        },
      });
    });
    const server = koa.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    app = { port, url: '', log: () => [], close: () => server.close() };
    const deaf = await connect(port);
    clients.push(deaf);
    deaf.socket.pause();
    deaf.socket.write(csv());
    await until(() => isStuck(all));
    await delay(100);
    const [response] = all;
    expect([isStuck(all), response?.writableNeedDrain]).to.deep.equal([true, false]);
    stopping.abort();
    await new Promise((resolve) => server.close(resolve));
    deaf.socket.resume();
    expect(await deaf.closed).not.to.match(/\r\n0\r\n\r\n$/);
  });

  it('is in the log when it begins and when it ends, and in the figures as long as it took to begin', async () => {
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    await start(async function* () {
      yield 'a\n';
      await finished;
    });
    const one = await client(csv());
    await until(() => one.received().includes('a\n'));
    await delay(300);
    finish();
    await until(() => one.received().endsWith('\r\n0\r\n\r\n'));
    await until(() => app.log().length === 2);
    const [begun, ended] = app.log().map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    expect(begun).to.include({ msg: 'request', status: 200, path: PATH });
    expect(begun?.['ms']).to.be.lessThan(200);
    expect(ended).to.include({
      msg: 'a stream has ended',
      requestId: 'request-1',
      how: 'complete',
      bytes: 2,
    });
    expect(ended?.['ms']).to.be.greaterThan(250);
    const metrics = await (await fetch(`${app.url}/metrics`)).text();
    expect(metrics).to.match(
      /^pricebook_http_request_duration_seconds_bucket\{le="0.25",method="GET",route="\/v1\/numbers",status="200"\} 1$/m,
    );
  });
});
