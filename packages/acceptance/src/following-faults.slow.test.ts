/** Followers while EventStoreDB is killed and hangs. Needs the stand-in, which can be. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { spawnStandIn, type StandInProcess } from '@pricebook/eventstoredb/testing';
import { expect } from 'chai';
import { type EventStream, openEventStream } from './testing/event-stream';
import { newFolder, startTestService, type TestService } from './testing/test-service';

const AWAY_MS = 2_500;

describe('followers of a book (stand-in)', () => {
  const folder = newFolder();
  const dataFile = path.join(folder, 'events.json');
  let events: StandInProcess;
  let service: TestService;
  before(async () => {
    events = await spawnStandIn({ dataFile });
    service = await startTestService(path.join(folder, 'data'), { eventStoreDbUrl: events.url });
  });
  after(async () => {
    await service.stop();
    await events.kill();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const write = async (book: string, amount: number): Promise<number> => {
    const json = [{ productId: 'P', adjustments: { USD: { type: 'override', amount } } }];
    return (await service.request('PUT', `/v1/pricebooks/${book}/prices`, { json })).status;
  };
  const idsOf = (stream: EventStream): readonly number[] => stream.events().map(({ id }) => Number(id));

  for (const [fault, strike] of [
    [
      'is killed and started again',
      async () => {
        await events.kill();
        return async () => {
          events = await spawnStandIn({ port: events.port, dataFile });
        };
      },
    ],
    [
      'hangs',
      () => {
        events.signal('SIGSTOP');
        return Promise.resolve(() => {
          events.signal('SIGCONT');
          return Promise.resolve();
        });
      },
    ],
  ] as const) {
    it(`stay while it ${fault}, and get each event once`, async () => {
      const made = await service.request('POST', '/v1/pricebooks', { json: { name: 'A' } });
      const book = String((made.body as { readonly id: unknown }).id);
      const url = `${service.url}/v1/pricebooks/${book}/events`;
      const streams = await Promise.all(Array.from({ length: 10 }, () => openEventStream(url)));
      let written = 0;
      while (written < 5) written += (await write(book, written)) === 200 ? 1 : 0;
      const heal = await strike();
      const heartbeats = streams.map((stream) => stream.comments());
      await delay(AWAY_MS);
      streams.forEach((stream, n) => {
        expect(stream.comments()).to.be.greaterThan((heartbeats[n] ?? 0) + 1);
      });
      const refused = await openEventStream(url);
      expect(refused.status).to.equal(503);
      await heal();
      while (written < 10) written += (await write(book, written)) === 200 ? 1 : 0;
      const until = performance.now() + 10_000;
      const list = await service.request('GET', `/v1/pricebooks/${book}/events?limit=1000`);
      const all = (list.body as readonly { readonly revision: number }[]).map(({ revision }) => revision);
      expect(all.length).to.be.at.least(11);
      while (streams.some((stream) => stream.events().length < all.length) && performance.now() < until) {
        await delay(10);
      }
      for (const stream of streams) expect(idsOf(stream)).to.deep.equal(all);
      for (const stream of streams) stream.close();
    }).timeout(40_000);
  }
});
