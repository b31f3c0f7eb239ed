/** SIGTERM while both servers hang and a client holds on. Needs `npm run mongod`: a server that can be stopped. */
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { spawnStandIn, type StandInProcess } from '@pricebook/eventstoredb/testing';
import { type MongodAlone, mongodIsThere, newDatabase, spawnMongod } from '@pricebook/mongodb/testing';
import { expect } from 'chai';
import { startProcess } from './testing/service-process';
import { TEST_KEY } from './testing/test-service';

const describeIfThere = mongodIsThere() ? describe : describe.skip;

describeIfThere('a service that is told to stop while its servers hang (stand-in, MongoDB)', () => {
  let events: StandInProcess;
  let documents: MongodAlone;
  before(async () => {
    [events, documents] = await Promise.all([spawnStandIn(), spawnMongod()]);
  });
  after(async () => {
    await events.kill();
    await documents.remove();
  });

  it('exits 0 within 10 s all the same', async () => {
    const service = startProcess(['serve'], {
      PORT: '0',
      EVENTSTOREDB_URL: events.url,
      MONGODB_URL: newDatabase(documents).url,
      PRICEBOOK_BOOTSTRAP_KEY: TEST_KEY,
      LOG_LEVEL: 'warn',
    });
    try {
      const { port } = new URL(await service.ready);
      const headers = { 'x-api-key': TEST_KEY, 'content-type': 'application/json' };
      const body = JSON.stringify({ name: 'A' });
      const made = await fetch(`http://127.0.0.1:${port}/v1/pricebooks`, { method: 'POST', headers, body });
      expect(made.status).to.equal(201);
      // The whole of the time that clients have is used up.
      const socket = net.connect(Number(port), '127.0.0.1', () => socket.write('GET /v1 HTTP/1.1\r\nHo'));
      socket.on('error', () => undefined);
      await delay(100);
      events.signal('SIGSTOP');
      documents.signal('SIGSTOP');
      const write = fetch(`http://127.0.0.1:${port}/v1/pricebooks`, { method: 'POST', headers, body }).catch(
        () => undefined,
      );
      await delay(100);
      const told = performance.now();
      service.child.kill('SIGTERM');
      expect(await service.ended).to.deep.equal({ code: 0, signal: null });
      expect(performance.now() - told).to.be.lessThan(10_000);
      await write;
      socket.destroy();
    } finally {
      events.signal('SIGCONT');
      documents.signal('SIGCONT');
      service.child.kill('SIGKILL');
      await service.ended;
    }
  }).timeout(40_000);
});
