/** Clients that are many or large, over real sockets; those that are slow are in server-times.slow.test.ts. */
import { setTimeout as delay } from 'node:timers/promises';
import type { PriceBooks } from '@pricebook/application';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import type { ServerLimits } from './server';
import {
  allDo,
  type Client,
  connect,
  head,
  KEY,
  patient,
  type ServedApp,
  serveApp,
  until,
} from './testing/serve-app';

const MIB = 1024 * 1024;
const ID = '01a1fced-c116-737b-90d3-d0ce7dc012dc';
const PRICES = `/v1/pricebooks/${ID}/prices`;

const outcome = {
  priceBookId: ID as never,
  revision: 3,
  updatedAt: '2026-01-01T00:00:00.000Z',
  projectionBehind: false,
};

const put = (length: number): string =>
  head('PUT', PRICES, 'Content-Type: application/json', `Content-Length: ${String(length)}`);

const isOpen = ({ socket }: Client): boolean => !socket.destroyed;

describe('the HTTP server', () => {
  let app: ServedApp;
  const clients: Client[] = [];
  const start = async (priceBooks: Partial<PriceBooks> = {}, limits: Partial<ServerLimits> = {}) => {
    app = await serveApp(
      { priceBooks: { ...allDo(() => undefined), ...priceBooks } },
      { ...patient, ...limits },
    );
  };
  const client = async (...pieces: readonly (string | Buffer)[]): Promise<Client> => {
    const one = await connect(app.port, ...pieces);
    clients.push(one);
    return one;
  };
  afterEach(() => {
    for (const { socket } of clients.splice(0)) socket.destroy();
    app.close();
  });

  const setsPrices: Partial<PriceBooks> = { setPrices: () => TE.right(outcome) };
  const answersMuch: Pick<PriceBooks, 'list'> = {
    list: () =>
      TE.right({
        priceBooks: [{ priceBookId: ID, name: 'x'.repeat(8 * MIB), basePriceBookIds: [] } as never],
        next: undefined,
      }),
  };

  it('asks for the key again when a body has come, since it may be revoked meanwhile', async () => {
    let isRevoked = false;
    let done = 0;
    app = await serveApp(
      {
        keyring: {
          authenticate: () => (isRevoked ? undefined : { keyId: 'key-1', scopes: ['write'] }),
        },
        priceBooks: allDo(() => {
          done += 1;
          return Promise.resolve(E.right(outcome));
        }),
      },
      patient,
    );
    const inTime = await client(put(2), '[]');
    await until(() => inTime.received() !== '');
    expect(inTime.received()).to.match(/^HTTP\/1\.1 200 /);
    const late = await client(put(2), '[');
    await delay(50);
    isRevoked = true;
    late.socket.write(']');
    await until(() => late.received() !== '');
    expect(late.received()).to.match(/^HTTP\/1\.1 401 [^]*WWW-Authenticate: ApiKey/);
    expect(done).to.equal(1);
  });

  it('bounds what all answers that are not read take, and drops the oldest', async () => {
    let begun = 0;
    const list: PriceBooks['list'] = (question) => {
      begun += 1;
      return answersMuch.list(question);
    };
    await start({ list }, { unreadBytes: 40 * MIB });
    const deaf: Client[] = [];
    // Each asks three times at once: 30 answers of 8 MiB.
    for (let n = 0; n < 10; n += 1) {
      const one = await client();
      one.socket.pause();
      one.socket.write(head('GET', '/v1/pricebooks').repeat(3));
      deaf.push(one);
    }
    // What is answered after it would make it one of the oldest.
    await until(() => begun === 30);
    const good = await client(head('GET', '/v1/pricebooks', 'Connection: close'));
    expect((await good.closed).length).to.be.greaterThan(8 * MIB);
    for (const { socket } of deaf) socket.resume();
    await until(() => deaf.filter(isOpen).length <= 4);
    expect(app.log().join('')).to.include('not read');
  });

  it('counts no answer that waited behind another on a connection that is gone', async () => {
    let begun = 0;
    const waiting: (() => void)[] = [];
    const setPrices: PriceBooks['setPrices'] = () => () =>
      new Promise((resolve) => {
        waiting.push(() => {
          resolve(E.right(outcome));
        });
      });
    const list: PriceBooks['list'] = (question) => {
      begun += 1;
      return answersMuch.list(question);
    };
    await start({ setPrices, list }, { unreadBytes: 20 * MIB });
    for (let n = 1; n <= 3; n += 1) {
      const gone = await client(put(2), '[]', head('GET', '/v1/pricebooks').repeat(2));
      await until(() => begun === 2 * n);
      await delay(20);
      gone.socket.destroy();
      await gone.closed;
    }
    // Only what is held for those that are gone could drop this one.
    const slow = await client();
    slow.socket.pause();
    slow.socket.write(head('GET', '/v1/pricebooks', 'Connection: close'));
    await until(() => begun === 7);
    await delay(20);
    slow.socket.resume();
    expect((await slow.closed).length).to.be.greaterThan(8 * MIB);
    expect(app.log().join('')).not.to.include('not read');
    for (const answer of waiting) answer();
  });

  it('makes room for new connections where there are too many, and leaves alone those that wait for answers', async () => {
    const waiting: (() => void)[] = [];
    const setPrices: PriceBooks['setPrices'] = () => () =>
      new Promise((resolve) => {
        waiting.push(() => {
          resolve(E.right(outcome));
        });
      });
    await start({ setPrices }, { connections: 40 });
    const busy = await Promise.all(Array.from({ length: 10 }, () => client(put(2), '[]')));
    await until(() => waiting.length === 10);
    const silent = await Promise.all(Array.from({ length: 15 }, () => client('GET /v1')));
    const idle = await Promise.all(Array.from({ length: 15 }, () => client(head('GET', '/health/live'))));
    await until(() => idle.every(({ received }) => received() !== ''));
    for (let n = 0; n < 100; n += 1) {
      const one = await client(head('GET', '/health/live'));
      await until(() => one.received() !== '' || !isOpen(one));
      expect(one.received(), String(n)).to.match(/^HTTP\/1\.1 200 /);
    }
    await until(() => [...silent, ...idle].every((one) => !isOpen(one)));
    expect(busy.every(isOpen)).to.equal(true);
    for (const answer of waiting) answer();
    await until(() => busy.every(({ received }) => received().startsWith('HTTP/1.1 200 ')));
    expect(app.log().filter((line) => line.includes('too many connections'))).to.have.length(1);
  });

  it('drops a new connection where all others are at work', async () => {
    const setPrices: PriceBooks['setPrices'] = () => () => new Promise(() => undefined);
    await start({ setPrices }, { connections: 5 });
    const busy = await Promise.all(Array.from({ length: 5 }, () => client(put(2), '[]')));
    await delay(100);
    expect(await (await client(head('GET', '/health/live'))).closed).to.equal('');
    expect(busy.every(isOpen)).to.equal(true);
  });

  it('takes large bodies while many others are announced and do not come', async () => {
    await start(setsPrices);
    const stalled = await Promise.all(Array.from({ length: 200 }, () => client(put(MIB), '[')));
    await delay(100);
    const body = `[]${' '.repeat(MIB - 2)}`;
    for (let n = 0; n < 3; n += 1) {
      const good = await client(put(MIB), body);
      await until(() => good.received() !== '');
      expect(good.received()).to.match(/^HTTP\/1\.1 200 /);
    }
    // They take no room that others need.
    expect(stalled.every(isOpen)).to.equal(true);
  });

  it('takes large bodies while many others have come almost whole and then stall: the stalest give way', async () => {
    await start(setsPrices);
    const all = `[]${' '.repeat(MIB - 2)}`;
    const stalled: Client[] = [];
    for (let n = 0; n < 80; n += 1) stalled.push(await client(put(MIB), all.slice(1)));
    const good = await client(put(MIB), all);
    await until(() => good.received() !== '');
    expect(good.received()).to.match(/^HTTP\/1\.1 200 /);
    await until(() => stalled.filter((one) => !isOpen(one)).length >= 16);
    const gone = stalled.filter((one) => !isOpen(one));
    expect(gone.length).to.be.within(16, 20);
    for (const { received } of gone) expect(received()).to.match(/^HTTP\/1\.1 503 [^]*Retry-After: 1\r\n/);
  });

  it('counts compressed bodies as the most that they can become', async () => {
    await start(setsPrices);
    const gzipped = (): string =>
      put(1_000).replace('Content-Type', 'Content-Encoding: gzip\r\nContent-Type');
    const stalled = await Promise.all(
      Array.from({ length: 70 }, () => client(gzipped(), Buffer.from([0x1f, 0x8b, 8, 0]))),
    );
    await until(() => stalled.filter((one) => !isOpen(one)).length === 7);
  });

  it('answers 414 to a path that is too long, and 431 to a head that is', async () => {
    await start();
    const path = (length: number): string => `/v1/${'x'.repeat(length - 4)}`;
    const answer = async (...pieces: readonly string[]) =>
      (await (await client(...pieces)).closed).split('\r\n')[0];
    const close = 'Connection: close';
    expect(await answer(head('GET', path(8_192), close))).to.equal('HTTP/1.1 404 Not Found');
    expect(await answer(head('GET', path(8_193), close))).to.equal('HTTP/1.1 414 URI Too Long');
    expect(await answer(head('GET', path(17_000), close))).to.equal(
      'HTTP/1.1 431 Request Header Fields Too Large',
    );
    expect(await answer(head('GET', '/v1', close, `x: ${'y'.repeat(17_000)}`))).to.equal(
      'HTTP/1.1 431 Request Header Fields Too Large',
    );
  });

  it('reads every header, however many there are', async () => {
    let expected: unknown;
    await start({
      setPrices: (_id, _body, { expectedRevisions }) => {
        expected = expectedRevisions;
        return TE.right(outcome);
      },
    });
    const many = Array.from({ length: 3_000 }, () => 'a:');
    const one = await client(
      head('PUT', PRICES, 'Content-Type: application/json', 'Content-Length: 2', ...many, 'If-Match: "7"'),
      '[]',
    );
    await until(() => one.received() !== '');
    expect(one.received()).to.match(/^HTTP\/1\.1 200 /);
    expect(expected).to.deep.equal([7]);
  });

  it('never continues a request in the middle of an answer', async () => {
    await start();
    const live = head('GET', '/health/live', 'Expect: 100-continue');
    // Without its own continuation the second one ends the connection, as Node has it.
    const text = await (await client(live + live)).closed;
    const answers = text.split(/(?=HTTP\/1\.1 )/).filter((answer) => !answer.startsWith('HTTP/1.1 100'));
    expect(answers).to.have.length(2);
    for (const answer of answers) expect(answer).to.match(/\r\n\r\n\{.*\}$/);
  });

  it('refuses requests of HTTP/1.1 without a Host', async () => {
    await start();
    const without = `GET /v1 HTTP/1.1\r\nx-api-key: ${KEY}\r\n\r\n`;
    expect(await (await client(without)).closed).to.match(
      /^HTTP\/1\.1 400 [^]*nosniff[^]*\r\n\r\n\{.*must have the header Host/,
    );
    const named = without.replace('\r\n\r\n', '\r\nx-request-id: mine\r\n\r\n');
    expect(await (await client(named)).closed).to.match(/x-request-id: mine\r\n[^]*"requestId":"mine"/);
    expect(await (await client(without.replace('1.1', '1.0'))).closed).to.match(/^HTTP\/1\.1 404 /);
  });
});
