/** An event that this version cannot read, through the whole service: it is named, and nothing is read past it. */
import fs from 'node:fs';
import { openEmbeddedEventStore } from '@pricebook/embedded';
import { expect } from 'chai';
import type { HistoryEvent } from './history-file/history-line';
import { startProcess } from './testing/service-process';
import { newFolder, TEST_KEY } from './testing/test-service';
import { created, historyOf, importText, priceSet, textOf } from './history-file/testing/histories';

const bookOf = ({ stream }: HistoryEvent): string => stream.slice('priceBook-'.length);

describe('the service with an event that it cannot read', () => {
  const folder = newFolder();
  after(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('is not ready, names the event to operators, and answers what stands before it', async () => {
    const eventStore = openEmbeddedEventStore(folder);
    await importText(eventStore, textOf(historyOf([created(1), priceSet(1, 7)])));
    const bad = historyOf([created(1), priceSet(1, 7), priceSet(1, 8)])[2];
    const later = historyOf([created(2)])[0];
    if (bad === undefined || later === undefined) throw new Error('they are there');
    // As a later version of the service would have written it.
    const metadata = { ...(bad.metadata as object), schemaVersion: 1_000 };
    await eventStore.append(bad.stream, 1, [{ ...bad, metadata }])();
    await eventStore.append(later.stream, 'noStream', [later])();
    await eventStore.close();

    const service = startProcess(['serve'], {
      PORT: '0',
      PRICEBOOK_DATA_DIR: folder,
      PRICEBOOK_BOOTSTRAP_KEY: TEST_KEY,
    });
    try {
      const url = await service.ready;
      const ask = async (path: string) => {
        const answer = await fetch(url + path, { headers: { 'x-api-key': TEST_KEY } });
        return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> };
      };
      const place = { stream: bad.stream, revision: 2 };
      const health = await ask('/health/ready');
      expect(health.status).to.equal(503);
      expect(health.body['projection']).to.deep.include({ state: 'stopped', stoppedAt: place });

      const price = await ask(`/v1/pricebooks/${bookOf(bad)}/P/USD`);
      expect([price.status, price.body['price']]).to.deep.equal([200, 7]);
      expect((await ask(`/v1/pricebooks/${bookOf(later)}`)).status).to.equal(404);

      const stops = service
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
        .filter(({ msg }) => msg === 'the projection is stopped');
      expect(stops).to.have.length(1);
      expect(stops[0]?.['error']).to.deep.include(place);
      expect(JSON.stringify(stops[0]?.['error'])).to.include('schema version 1000');
    } finally {
      service.child.kill('SIGKILL');
      await service.ended;
    }
  }).timeout(20_000);
});
