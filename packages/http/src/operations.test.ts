/** What a process answers that has nothing to say but how it is. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import pino from 'pino';
import { createOperationsApp } from './operations';
import { createHttpServer } from './server';
import { addressesIn } from './testing/addresses-in';

describe('a process that only tells of its health', () => {
  it('refuses as the service does, with a problem and a request id', async () => {
    const logger = pino({ level: 'silent' });
    const fail = () => Promise.reject(new Error('not to be told'));
    const server = createHttpServer(createOperationsApp(fail, logger), logger);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    try {
      for (const [method, path, status, type] of [
        ['GET', '/nothing', 404, 'no-such-route'],
        ['GET', '/v1/pricebooks', 404, 'no-such-route'],
        ['POST', '/health/live', 405, 'method-not-allowed'],
        ['GET', '/health/ready', 500, 'internal'],
      ] as const) {
        const answer = await fetch(url + path, { method, headers: { 'x-request-id': 'mine' } });
        expect([answer.status, answer.headers.get('x-request-id')], path).to.deep.equal([status, 'mine']);
        expect(answer.headers.get('content-type'), path).to.include('application/problem+json');
        const problem = (await answer.json()) as Readonly<Record<string, unknown>>;
        expect(problem).to.include({ type: `/problems/${type}`, status, requestId: 'mine' });
        // There is no such page here.
        expect(problem['detail']).not.to.include('/docs');
        const page = await fetch(`${url}/problems/${type}`);
        expect(page.status, type).to.equal(200);
        for (const address of addressesIn(await page.text())) {
          const linked = await fetch(new URL(address, page.url));
          expect(linked.status, address).to.equal(200);
        }
      }
      const start = await fetch(`${url}/`, { headers: { accept: 'text/html' } });
      const links = addressesIn(await start.text());
      expect(links).to.include.members(['problems/', 'health/ready', 'metrics']);
      expect(links).not.to.include.members(['docs']);
      const live = await fetch(`${url}/health/live`);
      expect([live.status, live.headers.get('x-request-id')?.length]).to.deep.equal([200, 36]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});
