/** Clients that are slow or silent, over real sockets. */
import { setTimeout as delay } from 'node:timers/promises';
import type { PriceBooks } from '@pricebook/application';
import { expect } from 'chai';
import * as TE from 'fp-ts/TaskEither';
import type { ServerLimits } from './server';
import { allDo, type Client, connect, head, patient, type ServedApp, serveApp } from './testing/serve-app';

const MIB = 1024 * 1024;
const ID = '01a1fced-c116-737b-90d3-d0ce7dc012dc';

const put = (length: number): string =>
  head(
    'PUT',
    `/v1/pricebooks/${ID}/prices`,
    'Content-Type: application/json',
    `Content-Length: ${String(length)}`,
  );

const answersMuch: Pick<PriceBooks, 'list'> = {
  list: () =>
    TE.right({
      priceBooks: [{ priceBookId: ID, name: 'x'.repeat(8 * MIB), basePriceBookIds: [] } as never],
      next: undefined,
    }),
};

describe('the time limits of the HTTP server', () => {
  let app: ServedApp;
  const clients: Client[] = [];
  /** @param limits the one that the test is about. */
  const start = async (limits: Partial<ServerLimits>, priceBooks: Partial<PriceBooks> = {}) => {
    app = await serveApp(
      { priceBooks: { ...allDo(() => undefined), ...priceBooks } },
      { ...patient, ...limits },
    );
  };
  const client = async (...pieces: readonly string[]): Promise<Client> => {
    const one = await connect(app.port, ...pieces);
    clients.push(one);
    return one;
  };
  afterEach(() => {
    for (const { socket } of clients.splice(0)) socket.destroy();
    app.close();
  });

  it('answers 408 to headers that do not come, and closes', async () => {
    await start({ headersMs: 300 });
    const silent = await client();
    const slow = await client('GET /v1/pricebooks HTTP/1.1\r\nHo');
    const dribble = setInterval(() => slow.socket.write('o'), 50);
    const answers = await Promise.all([silent.closed, slow.closed]);
    clearInterval(dribble);
    for (const answer of answers) expect(answer).to.match(/^HTTP\/1\.1 408 [^]*did not come in time/);
  });

  it('answers 408 to a body that does not come, and to one that comes a byte at a time', async () => {
    await start({ headersMs: 300, requestMs: 300 });
    const stalled = await client(put(100), '[');
    const slow = await client(put(100), '[');
    const dribble = setInterval(() => slow.socket.write(' '), 50);
    const answers = await Promise.all([stalled.closed, slow.closed]);
    clearInterval(dribble);
    for (const answer of answers) expect(answer).to.match(/^HTTP\/1\.1 408 /);
  });

  it('closes connections that ask nothing more', async () => {
    const keepAliveMs = 300;
    await start({ keepAliveMs });
    const idle = await client(head('GET', '/health/live'));
    const started = performance.now();
    expect(await idle.closed).to.match(/^HTTP\/1\.1 200 [^]*"live"/);
    expect(performance.now() - started).to.be.at.least(keepAliveMs - 50);
  });

  it('drops clients that take nothing of their answer', async () => {
    const stalledMs = 400;
    await start({ stalledMs }, answersMuch);
    const deaf = await client();
    deaf.socket.pause();
    deaf.socket.write(head('GET', '/v1/pricebooks'));
    await delay(stalledMs * 2.5);
    deaf.socket.resume();
    const part = await deaf.closed;
    expect(part).to.match(/^HTTP\/1\.1 200 /);
    expect(part.length).to.be.lessThan(8 * MIB);
  });

  it('lets a client take its time that goes on taking', async () => {
    const stalledMs = 1_500;
    await start({ stalledMs }, answersMuch);
    const slow = await client(head('GET', '/v1/pricebooks', 'Connection: close'));
    const started = performance.now();
    slow.socket.on('data', () => {
      slow.socket.pause();
      setTimeout(() => slow.socket.resume(), 15);
    });
    expect((await slow.closed).length).to.be.greaterThan(8 * MIB);
    expect(performance.now() - started).to.be.greaterThan(stalledMs);
  });
});
