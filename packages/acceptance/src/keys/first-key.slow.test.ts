/** The first key on servers, where several services may start at once: what `docker compose up` does. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startEventStoreDb } from '@pricebook/eventstoredb/testing';
import { expect } from 'chai';
import { endAll } from '../testing/end-all';
import { type ServiceProcess, startProcess } from '../testing/service-process';
import { newFolder } from '../testing/test-service';

const API_KEY = /pbk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}/;

describe('the first key on EventStoreDB', () => {
  it('is printed by one of the services that start at once, and is good on both', async () => {
    const folder = newFolder();
    const server = await startEventStoreDb();
    const services: ServiceProcess[] = ['a', 'b'].map((name) =>
      startProcess(['serve'], {
        PORT: '0',
        EVENTSTOREDB_URL: server.url,
        PRICEBOOK_DATA_DIR: path.join(folder, name),
        // As Compose passes a variable that is not set.
        PRICEBOOK_BOOTSTRAP_KEY: '',
      }),
    );
    try {
      const urls = await Promise.all(services.map(({ ready }) => ready));
      const keys = services.flatMap((service) => API_KEY.exec(service.said()) ?? []);
      expect(keys).to.have.length(1);
      for (const url of urls) {
        const headers = { 'x-api-key': keys[0] ?? '' };
        // The other one hears of it within a second.
        for (;;) {
          const { status } = await fetch(`${url}/v1/api-keys`, { headers });
          if (status === 200) break;
          expect(status).to.equal(401);
          await delay(50);
        }
      }
    } finally {
      await endAll(services);
      await server.stop();
      fs.rmSync(folder, { recursive: true, force: true });
    }
  }).timeout(60_000);
});
