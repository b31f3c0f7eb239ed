/** SIGTERM while clients are slow, silent or in the middle of writes. */
import fs from 'node:fs';
import net, { type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { endAll } from './testing/end-all';
import { openEventStream } from './testing/event-stream';
import { type ServiceProcess, startProcess } from './testing/service-process';
import { newFolder, TEST_KEY } from './testing/test-service';

const MIB = 1024 * 1024;
const headers = { 'x-api-key': TEST_KEY, 'content-type': 'application/json' };

describe('a service that is told to stop', () => {
  let folder: string;
  const running: ServiceProcess[] = [];
  const sockets: Socket[] = [];

  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await endAll(running);
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const start = async (): Promise<{ readonly service: ServiceProcess; readonly url: string }> => {
    const service = startProcess(['serve'], {
      PORT: '0',
      PRICEBOOK_DATA_DIR: folder,
      PRICEBOOK_BOOTSTRAP_KEY: TEST_KEY,
      LOG_LEVEL: 'warn',
    });
    running.push(service);
    return { service, url: await service.ready };
  };

  const connect = (url: string, bytes = ''): Promise<Socket> =>
    new Promise((resolve, reject) => {
      const socket = net.connect(Number(new URL(url).port), '127.0.0.1', () => {
        socket.write(bytes, () => {
          resolve(socket);
        });
      });
      socket.on('error', reject);
      sockets.push(socket);
    });

  const send = async (url: string, method: string, json?: unknown) => {
    const answer = await fetch(url, {
      method,
      headers,
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> };
  };

  const createBook = async (url: string): Promise<string> =>
    String((await send(`${url}/v1/pricebooks`, 'POST', { name: 'A' })).body['id']);

  const putHead = (book: string): string =>
    `PUT /v1/pricebooks/${book}/prices HTTP/1.1\r\nHost: x\r\nx-api-key: ${TEST_KEY}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${String(MIB)}\r\n\r\n[`;

  it('exits 0 within 10 s whatever clients do, and has every write that it has answered', async () => {
    const { service, url } = await start();
    const book = await createBook(url);
    const names = Array.from({ length: 300 }, () => 'x'.repeat(2_000));
    await Promise.all(
      names.map((name) => send(`${url}/v1/pricebooks`, 'POST', { name: 'B', description: name })),
    );

    const stalledUploads = Array.from({ length: 50 }, () => connect(url, putHead(book)));
    const silent = Array.from({ length: 25 }, () => connect(url));
    const slowHeaders = Array.from({ length: 25 }, () => connect(url, 'GET /v1/pricebooks HTTP/1.1\r\nHo'));
    const idle = Array.from({ length: 25 }, () =>
      connect(url, 'GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n'),
    );
    const deaf = Array.from({ length: 25 }, async () => {
      const socket = await connect(url);
      socket.pause();
      // Some MiB of answers, none of which is ever read.
      socket.write(`GET /v1/pricebooks HTTP/1.1\r\nHost: x\r\nx-api-key: ${TEST_KEY}\r\n\r\n`.repeat(10));
      return socket;
    });
    await Promise.all([...stalledUploads, ...silent, ...slowHeaders, ...idle, ...deaf]);
    for (const socket of sockets) socket.on('error', () => undefined);

    const acknowledged = new Map<string, number>();
    const writer = async (n: number): Promise<void> => {
      for (let amount = 1; ; amount += 1) {
        const { status } = await send(`${url}/v1/pricebooks/${book}/prices`, 'PUT', [
          { productId: `P${String(n)}`, adjustments: { USD: { type: 'override', amount } } },
        ]);
        expect(status).to.equal(200);
        acknowledged.set(`P${String(n)}`, amount);
      }
    };
    const writers = Promise.allSettled(Array.from({ length: 20 }, (_, n) => writer(n)));
    while (acknowledged.size < 20) await delay(5);

    const told = performance.now();
    service.child.kill('SIGTERM');
    expect(await service.ended).to.deep.equal({ code: 0, signal: null });
    expect(performance.now() - told).to.be.lessThan(10_000);
    // They end by being refused a connection, never by an answer that is none.
    for (const outcome of await writers) {
      expect(outcome).to.have.property('reason').that.is.instanceOf(TypeError);
    }

    const again = await start();
    for (const [product, amount] of acknowledged) {
      const { body } = await send(`${again.url}/v1/pricebooks/${book}/${product}/USD`, 'GET');
      expect(body['price'], product).to.be.oneOf([amount, amount + 1]);
    }
  }).timeout(40_000);

  it('lets those go at once who follow a book', async () => {
    const { service, url } = await start();
    const book = await createBook(url);
    const followers = await Promise.all(
      Array.from({ length: 50 }, () => openEventStream(`${url}/v1/pricebooks/${book}/events`)),
    );
    while (followers.some((one) => one.events().length < 1)) await delay(20);
    const told = performance.now();
    service.child.kill('SIGTERM');
    expect(await Promise.all(followers.map(({ ended }) => ended))).not.to.include(false);
    expect(performance.now() - told).to.be.lessThan(1_000);
    expect(await service.ended).to.deep.equal({ code: 0, signal: null });
    expect(performance.now() - told).to.be.lessThan(2_000);
  }).timeout(20_000);

  it('takes signals within a second of the first for the same one', async () => {
    const { service, url } = await start();
    const book = await createBook(url);
    const socket = await connect(url, putHead(book));
    socket.on('error', () => undefined);
    for (const signal of ['SIGINT', 'SIGINT', 'SIGTERM', 'SIGINT'] as const) service.child.kill(signal);
    // It waits for the rest of the request, as it would after one signal.
    await delay(500);
    expect([service.child.exitCode, service.child.signalCode]).to.deep.equal([null, null]);
    socket.destroy();
    expect(await service.ended).to.deep.equal({ code: 0, signal: null });
  }).timeout(20_000);

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`ends at once at a signal more than a second after the first (${signal})`, async () => {
      const { service, url } = await start();
      const book = await createBook(url);
      const socket = await connect(url, putHead(book));
      socket.on('error', () => undefined);
      service.child.kill('SIGTERM');
      await delay(1_100);
      expect(service.child.exitCode).to.equal(null);
      const told = performance.now();
      service.child.kill(signal);
      expect(await service.ended).to.deep.equal({ code: null, signal: 'SIGKILL' });
      expect(performance.now() - told).to.be.lessThan(1_000);
    }).timeout(20_000);
  }
});
