/** The change feed with the EventSource that Node has, which is made after the one of browsers. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { endAll, type Running } from './testing/end-all';
import { startTestService, TEST_KEY, type TestService } from './testing/test-service';

/** Prints each event, and ends when the EventSource does not come again. */
const CLIENT = `
  const source = new EventSource(process.argv[1]);
  const say = (what) => console.log(JSON.stringify(what));
  for (const type of ['PriceBookCreated', 'PriceBookUpdated', 'PriceBookDeleted']) {
    source.addEventListener(type, ({ lastEventId, data }) => say([lastEventId, type, JSON.parse(data).revision]));
  }
  // Its time-outs do not keep a process alive.
  setInterval(() => undefined, 1_000);
  source.onerror = () => source.readyState === EventSource.CLOSED && process.exit(0);
`;

describe('an EventSource', () => {
  const running: Running[] = [];
  let service: TestService;
  let proxy: http.Server;
  const seen: (string | undefined)[] = [];

  /** An EventSource has no headers of its own: whoever lets browsers in adds the key. */
  before(async () => {
    service = await startTestService();
    proxy = http.createServer((request, response) => {
      seen.push(request.headers['last-event-id'] as string | undefined);
      const headers = { ...request.headers, 'x-api-key': TEST_KEY };
      const onward = http.request(service.url + (request.url ?? ''), { headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      onward.on('error', () => response.destroy());
      response.on('close', () => onward.destroy());
      onward.end();
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
  });
  after(async () => {
    await endAll(running);
    proxy.closeAllConnections();
    proxy.close();
    await service.stop();
    service.remove();
  });

  it('gets each event once, comes again when it is cut off, and not when the book is deleted', async () => {
    const { body } = await service.request('POST', '/v1/pricebooks', { json: { name: 'A' } });
    const path = `/v1/pricebooks/${(body as { readonly id: string }).id}`;
    const rename = (name: string) => service.request('PATCH', path, { json: { name } });
    await rename('B');

    const url = `http://127.0.0.1:${String((proxy.address() as AddressInfo).port)}${path}/events`;
    const child = spawn(process.execPath, ['--experimental-eventsource', '-e', CLIENT, url]);
    const ended = once(child, 'close');
    running.push({ child, ended });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
    const said = (): readonly unknown[] =>
      output
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as unknown);
    const untilSaid = async (count: number): Promise<void> => {
      while (said().length < count) {
        expect(child.exitCode, 'it goes on').to.equal(null);
        await delay(10);
      }
    };

    await untilSaid(2);
    await rename('C');
    await untilSaid(3);
    proxy.closeAllConnections();
    await rename('D');
    await untilSaid(4);
    await service.request('DELETE', path);
    expect(await ended).to.deep.equal([0, null]);
    expect(said()).to.deep.equal([
      ['0', 'PriceBookCreated', 0],
      ['1', 'PriceBookUpdated', 1],
      ['2', 'PriceBookUpdated', 2],
      ['3', 'PriceBookUpdated', 3],
      ['4', 'PriceBookDeleted', 4],
    ]);
    expect(seen).to.deep.equal([undefined, '2', '4']);
  }).timeout(30_000);
});
