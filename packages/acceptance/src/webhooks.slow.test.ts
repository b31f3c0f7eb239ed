/** Webhooks of the service as a process: killed, started again, and with receivers that cannot be trusted. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { codeBlocks } from './testing/markdown';
import { isSignedWith, startReceiver } from './testing/receiver';
import { type ServiceProcess, startProcess } from './testing/service-process';
import { newFolder, requestTo, TEST_KEY } from './testing/test-service';

const BOOKS = 60;

describe('webhooks of a service as a process', () => {
  const folder = newFolder();
  let service: ServiceProcess | undefined;
  afterEach(async () => {
    service?.child.kill('SIGKILL');
    await service?.ended;
  });
  after(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const start = async () => {
    service = startProcess(['serve'], {
      PRICEBOOK_DATA_DIR: folder,
      PORT: '0',
      LOG_LEVEL: 'debug',
      PRICEBOOK_BOOTSTRAP_KEY: TEST_KEY,
      PRICEBOOK_WEBHOOK_KEY: 'a-webhook-key-of-this-test-0123456789',
      PRICEBOOK_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    });
    return { request: requestTo(await service.ready), process: service };
  };

  const idOf = (answer: { readonly status: number; readonly body: unknown }): string => {
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return String((answer.body as { readonly id: unknown }).id);
  };

  it('leave nothing out and keep the order, however often the service is killed', async () => {
    const receiver = await startReceiver();
    let { request, process: running } = await start();
    const created = await request('POST', '/v1/webhooks', { json: { url: receiver.url } });
    const { id, secret } = created.body as { readonly id: string; readonly secret: string };
    const books: string[] = [];
    for (let n = 0; n < BOOKS; n += 1) {
      books.push(idOf(await request('POST', '/v1/pricebooks', { json: { name: `Book ${String(n)}` } })));
      if (n % 15 !== 7) continue;
      // The third time a message is under way that is never answered.
      if (n === 37) receiver.answerWith('nothing');
      await delay(30);
      running.child.kill('SIGKILL');
      await running.ended;
      receiver.answerWith(204);
      ({ request, process: running } = await start());
    }
    await receiver.until((received) =>
      received.some(({ message }) => message.data['priceBookId'] === books.at(-1)),
    );
    const firsts = [...new Set(receiver.received.map(({ message }) => message.data['priceBookId']))];
    expect(firsts).to.deep.equal(books);
    // What was sent again had the same id, and all of it verifies.
    expect(new Set(receiver.received.map((one) => one.id)).size).to.equal(BOOKS);
    expect(receiver.received.every((one) => isSignedWith(secret, one))).to.equal(true);

    // The secret is nowhere but in the answer that showed it.
    running.child.kill('SIGTERM');
    await running.ended;
    expect(running.output()).not.to.include(secret.slice('whsec_'.length, -4));
    for (const file of fs.readdirSync(folder)) {
      const content = fs.readFileSync(path.join(folder, file)).toString('latin1');
      expect(content.includes(secret.slice('whsec_'.length, -4)), file).to.equal(false);
    }
    ({ request, process: running } = await start());
    const found = await request('GET', `/v1/webhooks/${id}`);
    expect(found.body).to.include({ status: 'active' });
    receiver.close();
    await request('DELETE', `/v1/webhooks/${id}`);
  }).timeout(120_000);

  it('are verified by the receiver that docs/webhooks.md shows', async () => {
    const page = fs.readFileSync(path.resolve(__dirname, '../../../docs/webhooks.md'), 'utf8');
    const file = path.join(folder, 'receiver.mjs');
    fs.writeFileSync(file, codeBlocks(page, 'js')[0] ?? '');
    const receiving = (secret: string) => {
      const child = spawn(process.execPath, [file], { env: { WEBHOOK_SECRET: secret, PORT: '0' } });
      let output = '';
      child.stdout.on('data', (piece: Buffer) => {
        output += piece.toString();
      });
      const until = async (pattern: RegExp): Promise<string> => {
        for (;;) {
          const found = pattern.exec(output);
          if (found !== null) return found[1] ?? found[0];
          await delay(10);
        }
      };
      return { child, until };
    };
    const { request } = await start();
    // It has to know its secret, which the webhook has only once it knows where to send.
    const url = 'http://127.0.0.1:9/';
    const created = await request('POST', '/v1/webhooks', { json: { url } });
    const { id, secret } = created.body as { readonly id: string; readonly secret: string };
    const right = receiving(secret);
    const wrong = receiving(`whsec_${Buffer.alloc(32).toString('base64')}`);
    try {
      for (const [{ until }, delivered] of [
        [wrong, false],
        [right, true],
      ] as const) {
        const json = { url: `http://127.0.0.1:${await until(/listening (\d+)/)}/` };
        expect((await request('PATCH', `/v1/webhooks/${id}`, { json })).status).to.equal(200);
        const tried = await request('POST', `/v1/webhooks/${id}/test`);
        expect(tried.body).to.include({ delivered, status: delivered ? 204 : 401 });
      }
      const book = idOf(await request('POST', '/v1/pricebooks', { json: { name: 'A' } }));
      expect(await right.until(/PriceBookCreated (\S+)/)).to.equal(book);
    } finally {
      right.child.kill();
      wrong.child.kill();
      await request('DELETE', `/v1/webhooks/${id}`);
    }
  }).timeout(60_000);

  it('trust no certificate without an issuer that is trusted, and stop in time while a receiver hangs', async () => {
    const key = path.join(folder, 'key.pem');
    const certificate = path.join(folder, 'certificate.pem');
    const made = spawnSync('openssl', [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=127.0.0.1'],
      ...['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', certificate],
    ]);
    expect(made.status, String(made.stderr)).to.equal(0);
    let asked = 0;
    const server = https.createServer(
      { key: fs.readFileSync(key), cert: fs.readFileSync(certificate) },
      (_request, response) => {
        asked += 1;
        response.end();
      },
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `https://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
    const { request, process: running } = await start();
    const untrusted = idOf(await request('POST', '/v1/webhooks', { json: { url } }));
    const tried = await request('POST', `/v1/webhooks/${untrusted}/test`);
    expect(tried.body).to.deep.include({
      delivered: false,
      reason: 'the connection failed (DEPTH_ZERO_SELF_SIGNED_CERT)',
    });
    expect(asked).to.equal(0);
    server.close();

    const hanging = await startReceiver();
    hanging.answerWith('nothing');
    idOf(await request('POST', '/v1/webhooks', { json: { url: hanging.url } }));
    idOf(await request('POST', '/v1/pricebooks', { json: { name: 'A' } }));
    await hanging.until(({ length }) => length === 1);
    expect((await request('GET', '/health/ready')).status).to.equal(200);
    const metrics = String((await request('GET', '/metrics')).body);
    expect(metrics).to.include('pricebook_webhooks{status="active"} 2');
    const began = performance.now();
    running.child.kill('SIGTERM');
    expect((await running.ended).code).to.equal(0);
    expect(performance.now() - began).to.be.below(5_000);
    hanging.close();
  }).timeout(60_000);
});
