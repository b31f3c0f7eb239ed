/** An event that this version cannot read, through the whole service: it is named, and nothing is read past it. */
import fs from 'node:fs';
import { createApiKeyRegister, createApiKeys } from '@pricebook/application';
import { openEmbeddedEventStore } from '@pricebook/embedded';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import { v4 } from 'uuid';
import {
  created,
  type HistoryEvent,
  historyOf,
  importText,
  orThrow,
  priceSet,
  systemClock,
  systemIds,
  textOf,
} from '@pricebook/service/testing';
import { startProcess } from './testing/service-process';
import { newFolder, TEST_KEY } from './testing/test-service';

const bookOf = ({ stream }: HistoryEvent): string => stream.slice('priceBook-'.length);

describe('the service with an event that it cannot read', () => {
  const folder = newFolder();
  after(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('of a key: is not ready, names it to operators, refuses that key, and lets the others in', async () => {
    const keysFolder = newFolder();
    const environment = { PORT: '0', PRICEBOOK_DATA_DIR: keysFolder };
    const eventStore = openEmbeddedEventStore(keysFolder);
    const keys = createApiKeys({
      eventStore,
      register: createApiKeyRegister(eventStore),
      lastUses: TE.right(new Map<string, string>()),
      clock: systemClock,
      ids: systemIds,
      hasBootstrapKey: false,
    });
    const issue = async () => {
      const issued = await keys.issue({ name: 'A', scopes: ['admin'] }, { actor: 'test', requestId: 'r' })();
      if (E.isLeft(issued)) throw new Error(issued.left._tag);
      return issued.right;
    };
    const [good, bad] = [await issue(), await issue()];
    const [last] = orThrow(await eventStore.read('apiKeys', { direction: 'backwards', limit: 1 })());
    // As a later version of the service might have written it.
    const data = { id: bad.id, until: '2027-01-01T00:00:00.000Z' };
    const suspended = { id: v4(), type: 'ApiKeySuspended', data, metadata: last?.metadata };
    await eventStore.append('apiKeys', 1, [suspended])();
    await eventStore.close();

    const service = startProcess(['serve'], environment);
    try {
      const url = await service.ready;
      const ask = async (key: string, method: string, target: string, json?: unknown) =>
        fetch(url + target, {
          method,
          headers: { 'x-api-key': key, 'content-type': 'application/json' },
          ...(json !== undefined && { body: JSON.stringify(json) }),
        });
      const ready = await fetch(`${url}/health/ready`);
      expect(ready.status).to.equal(503);
      expect(await ready.json()).to.deep.include({
        keys: { state: 'unreadable', unreadable: { stream: 'apiKeys', revision: 2 } },
      });
      expect((await ask(good.secret, 'GET', '/v1/pricebooks')).status).to.equal(200);
      expect((await ask(bad.secret, 'GET', '/v1/pricebooks')).status).to.equal(401);
      const wanted = { name: 'B', scopes: ['read'] };
      expect((await ask(good.secret, 'POST', '/v1/api-keys', wanted)).status).to.equal(500);
      const lines = service
        .output()
        .split('\n')
        .filter((line) => line.includes('the keys are unreadable'));
      expect(lines).to.have.length(1);
      expect(lines[0]).to.include('"revision":2').and.to.include('ApiKeySuspended');
    } finally {
      service.child.kill('SIGKILL');
      await service.ended;
      fs.rmSync(keysFolder, { recursive: true, force: true });
    }
  }).timeout(20_000);

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
