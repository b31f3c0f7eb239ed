import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { version } from '@pricebook/http';
import { expect } from 'chai';
import { endAll } from './testing/end-all';
import { type ServiceProcess, startProcess } from './testing/service-process';
import { newFolder, TEST_KEY } from './testing/test-service';

const API_KEY = /pbk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}/;

const ask = async (
  url: string,
  method: string,
  target: string,
  { key = TEST_KEY, json }: { readonly key?: string; readonly json?: unknown } = {},
): Promise<{ status: number; body: Readonly<Record<string, unknown>> }> => {
  const answer = await fetch(`${url}/v1${target}`, {
    method,
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>) };
};

const usd = (productId: string, amount: number) => ({
  productId,
  adjustments: { USD: { type: 'override', amount } },
});

const isListening = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => {
      resolve(false);
    });
  });

describe('the service as a process', () => {
  let folder: string;
  const running: ServiceProcess[] = [];

  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(async () => {
    await endAll(running);
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const start = (
    environment: Readonly<Record<string, string>> = { PRICEBOOK_BOOTSTRAP_KEY: TEST_KEY },
  ): ServiceProcess => {
    const service = startProcess(['serve'], { PORT: '0', PRICEBOOK_DATA_DIR: folder, ...environment });
    running.push(service);
    return service;
  };

  const stop = async ({ child, ended }: ServiceProcess): Promise<void> => {
    child.kill('SIGTERM');
    expect(await ended).to.deep.equal({ code: 0, signal: null });
  };

  const createBook = async (url: string, key = TEST_KEY): Promise<string> => {
    const { status, body } = await ask(url, 'POST', '/pricebooks', { key, json: { name: 'A' } });
    expect(status).to.equal(201);
    return String(body['id']);
  };

  it('issues one key at its first start, prints it once and keeps only a hash', async () => {
    const first = start({});
    const url = await first.ready;
    const [key = ''] = API_KEY.exec(first.output()) ?? [];
    const book = await createBook(url, key);
    expect((await ask(url, 'GET', '/pricebooks', { key: `${key.slice(0, -1)}!` })).status).to.equal(401);
    await stop(first);
    for (const file of fs.readdirSync(folder)) {
      const content = fs.readFileSync(path.join(folder, file)).toString('latin1');
      expect(content, file).not.to.include(key.slice(13));
    }
    const second = start({});
    expect((await ask(await second.ready, 'GET', `/pricebooks/${book}`, { key })).status).to.equal(200);
    expect(second.output()).not.to.match(API_KEY);
    await stop(second);
  });

  it('issues no key while a bootstrap key is set', async () => {
    const service = start();
    await service.ready;
    expect(service.output()).not.to.match(API_KEY);
    await stop(service);
  });

  it('names every fault of its configuration, and does not start', async () => {
    const faulty = {
      PORT: '70000',
      PRICEBOOK_BOOTSTRAP_KEY: 'short',
      PRICEBOOK_RATE_LIMIT: '-1',
      PRICEBOOK_TRUSTED_PROXIES: '11',
      PRICEBOOK_ALLOWED_ORIGINS: '*',
      PRICEBOOK_PRICE_CACHE_CONTROL: 'max-age=60',
      LOG_LEVEL: 'loud',
    };
    const service = start(faulty);
    expect((await service.ended).code).to.equal(1);
    for (const name of Object.keys(faulty)) expect(service.output()).to.include(name);
    expect(fs.readdirSync(folder)).to.deep.equal([]);
  });

  it('refuses a folder that another process serves, and leaves that one alone', async () => {
    const first = start();
    const url = await first.ready;
    const second = start();
    expect((await second.ended).code).to.equal(1);
    expect(second.output()).to.include(
      `already served by another process (process ${String(first.child.pid)})`,
    );
    await createBook(url);
    await stop(first);
  });

  it('says so where its port is taken, and issues the first key only when it listens', async () => {
    const first = start();
    const url = await first.ready;
    const { port } = new URL(url);
    const other = newFolder();
    const second = start({ PORT: port, PRICEBOOK_DATA_DIR: other });
    expect((await second.ended).code).to.equal(1);
    expect(second.said())
      .to.include(`Port ${port} of 127.0.0.1 is in use`)
      .and.not.to.match(/EADDRINUSE|    at /);
    expect(second.output()).not.to.match(API_KEY);
    const third = start({ PRICEBOOK_DATA_DIR: other });
    const again = await third.ready;
    const [key = ''] = API_KEY.exec(third.said()) ?? [];
    await createBook(again, key);
    await stop(third);
    fs.rmSync(other, { recursive: true });
  });

  it('says which HOST it cannot listen on', async () => {
    // Addresses for documentation belong to no machine: RFC 5737.
    for (const [host, sentence] of [
      ['192.0.2.1', 'This machine has no address 192.0.2.1.'],
      ['not an address', 'HOST not an address is neither an address nor the name of a machine.'],
    ] as const) {
      const service = start({ HOST: host });
      expect((await service.ended).code).to.equal(1);
      expect(service.said()).to.include(sentence);
    }
  });

  it('tells people on standard error and programs on standard output, and neither misses anything', async () => {
    const service = start({});
    const url = await service.ready;
    const [key = ''] = API_KEY.exec(service.said()) ?? [];
    await createBook(url, key);
    await stop(service);
    const lines = service.logged();
    const of = (message: string) => lines.find(({ msg }) => msg === message);
    expect(of('ready')).to.include({ version, address: url });
    expect(of('there was no API key, so one was issued')).to.include({ keyId: key.slice(4, 12) });
    expect(of('request')).to.include({ status: 201 });
    expect(of('stopped')).not.to.equal(undefined);
    expect(JSON.stringify(lines)).not.to.match(API_KEY);
    expect(service.said()).to.include(`The price book service ${version} is ready at ${url}/v1`);
    expect(service.said()).to.include(`export PRICEBOOK_KEY=${key}\n  npm run demo -- --url ${url}\n`);
    expect(service.said()).not.to.include('{"');

    const failed = start({ LOG_LEVEL: 'loud' });
    expect((await failed.ended).code).to.equal(1);
    expect(failed.said()).to.match(/^LOG_LEVEL must be one of [a-z, ]+\n$/);
    expect(failed.logged().map(({ msg, reason }) => [msg, reason])).to.deep.equal([
      ['the start failed', failed.said().trim()],
    ]);
  });

  it('names an events file that is damaged, and does not start', async () => {
    const first = start();
    await createBook(await first.ready);
    await stop(first);
    const file = path.join(folder, 'events.db');
    fs.truncateSync(file, fs.statSync(file).size / 2);
    const second = start();
    expect((await second.ended).code).to.equal(1);
    expect(second.output()).to.include(`${file} is damaged`);
  });

  it('does not start on a damaged event that its read model still needs', async () => {
    const first = start();
    await createBook(await first.ready);
    await stop(first);
    const file = path.join(folder, 'events.db');
    const bytes = fs.readFileSync(file);
    const name = bytes.indexOf('"name":"') + '"name":"'.length;
    bytes.writeUInt8(bytes.readUInt8(name) ^ 1, name);
    fs.writeFileSync(file, bytes);
    fs.rmSync(path.join(folder, 'read-model.mdb'), { recursive: true });
    const second = start();
    expect((await second.ended).code).to.equal(1);
    expect(second.said()).to.match(/The event store is damaged: .* Restore a backup/);
  });

  it('finishes what it has accepted when it is told to stop, and exits 0', async () => {
    const service = start();
    const url = await service.ready;
    const book = await createBook(url);
    const body = JSON.stringify([usd('P', 7)]);
    const answer = new Promise<number | undefined>((resolve, reject) => {
      const request = http.request(
        `${url}/v1/pricebooks/${book}/prices`,
        {
          method: 'PUT',
          headers: {
            'x-api-key': TEST_KEY,
            'content-type': 'application/json',
            'content-length': body.length,
          },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      request.on('error', reject);
      // Half of the body has come when the signal comes, and the rest when nobody new is let in.
      request.write(body.slice(0, 10));
      void (async () => {
        await ask(url, 'GET', `/pricebooks/${book}`);
        service.child.kill('SIGTERM');
        while (await isListening(url)) await new Promise((resolve) => setTimeout(resolve, 10));
        request.end(body.slice(10));
      })();
    });
    expect(await answer).to.equal(200);
    expect(await service.ended).to.deep.equal({ code: 0, signal: null });
    const again = start();
    expect((await ask(await again.ready, 'GET', `/pricebooks/${book}/P/USD`)).body['price']).to.equal(7);
  });

  it('makes the read model anew where it was deleted', async () => {
    const first = start();
    const url = await first.ready;
    const book = await createBook(url);
    await ask(url, 'PUT', `/pricebooks/${book}/prices`, { json: [usd('P', 7)] });
    await stop(first);
    for (const file of fs.readdirSync(folder))
      if (file.startsWith('read-model')) fs.rmSync(path.join(folder, file));
    const second = start();
    expect((await ask(await second.ready, 'GET', `/pricebooks/${book}/P/USD`)).body['price']).to.equal(7);
    await stop(second);
  });

  it('does not start on other events than those it acknowledged, before it is told to', async () => {
    const first = start();
    const gone = await createBook(await first.ready);
    await stop(first);
    const other = newFolder();
    const second = start({ PRICEBOOK_DATA_DIR: other, PRICEBOOK_BOOTSTRAP_KEY: TEST_KEY });
    const url = await second.ready;
    const books = [await createBook(url), await createBook(url)];
    await stop(second);
    fs.copyFileSync(path.join(other, 'events.db'), path.join(folder, 'events.db'));
    const refused = start();
    expect((await refused.ended).code).to.equal(1);
    expect(refused.output()).to.include('it has another event at position');
    fs.rmSync(path.join(folder, 'events.last'));
    const third = start();
    const again = await third.ready;
    expect((await ask(again, 'GET', `/pricebooks/${gone}`)).status).to.equal(404);
    for (const book of books) expect((await ask(again, 'GET', `/pricebooks/${book}`)).status).to.equal(200);
    await stop(third);
    fs.rmSync(other, { recursive: true });
  }).timeout(60_000);

  it('does not begin anew where the events are gone and what was made of them is not', async () => {
    const first = start();
    await createBook(await first.ready);
    await stop(first);
    fs.rmSync(path.join(folder, 'events.db'));
    const second = start();
    expect((await second.ended).code).to.equal(1);
    expect(second.output()).to.include('events.db');
    expect(second.output()).to.include('it is missing');
  });

  it('keeps every acknowledged write when it is killed in the middle of writes, time after time', async () => {
    const acknowledged = new Map<string, number>();
    let book = '';
    for (let round = 0; round < 4; round += 1) {
      const service = start();
      const url = await service.ready;
      if (book === '') book = await createBook(url);
      for (const [product, amount] of acknowledged) {
        const { body } = await ask(url, 'GET', `/pricebooks/${book}/${product}/USD`);
        expect(body['price'], `${product} before round ${String(round)}`).to.equal(amount);
      }
      let writes = 0;
      const writer = async (n: number): Promise<void> => {
        const product = `P${String(n)}`;
        for (let amount = 1; ; amount += 1) {
          const value = round * 1_000_000 + amount;
          const { status } = await ask(url, 'PUT', `/pricebooks/${book}/prices`, {
            json: [usd(product, value)],
          });
          expect(status).to.equal(200);
          acknowledged.set(product, value);
          writes += 1;
          if (writes === 100 * (round + 1)) service.child.kill('SIGKILL');
        }
      };
      const writers = Promise.allSettled(Array.from({ length: 8 }, (_, n) => writer(n)));
      await writers;
      expect((await service.ended).signal).to.equal('SIGKILL');
      expect(acknowledged.size).to.equal(8);
      // What was on its way may have been stored without having been acknowledged: it is read before it counts.
      const check = start();
      const again = await check.ready;
      for (const [product, amount] of acknowledged) {
        const { body } = await ask(again, 'GET', `/pricebooks/${book}/${product}/USD`);
        const price = Number(body['price']);
        expect([amount, amount + 1], product).to.include(price);
        acknowledged.set(product, price);
      }
      await stop(check);
    }
  }).timeout(60_000);

  it('logs one line a request, without keys or bodies', async () => {
    const service = start({ PRICEBOOK_BOOTSTRAP_KEY: TEST_KEY, LOG_LEVEL: 'trace' });
    const url = await service.ready;
    const secretive = { name: 'a-name-in-a-body', colour: 'another-one' };
    await ask(url, 'POST', '/pricebooks', { json: secretive });
    await ask(url, 'POST', '/pricebooks', { json: { name: 'a-name-in-a-body' } });
    await ask(url, 'GET', '/pricebooks', { key: 'a-wrong-key-of-someone' });
    await stop(service);
    const lines = service.logged().filter(({ msg }) => msg === 'request');
    expect(lines.map(({ method, status, keyId }) => [method, status, keyId])).to.deep.equal([
      ['POST', 400, 'bootstrap'],
      ['POST', 201, 'bootstrap'],
      ['GET', 401, undefined],
    ]);
    for (const secret of [TEST_KEY, 'a-wrong-key-of-someone', 'a-name-in-a-body', 'another-one']) {
      expect(service.output()).not.to.include(secret);
    }
  });
});
