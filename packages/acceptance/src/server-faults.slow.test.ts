/** Each server killed, hung and started again under load. Needs `npm run mongod`: a server that can be killed. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type RecordedEvent, STREAM_PREFIXES } from '@pricebook/application';
import { openEventStoreDb } from '@pricebook/eventstoredb';
import { spawnStandIn, type StandInProcess } from '@pricebook/eventstoredb/testing';
import { type MongodAlone, mongodIsThere, newDatabase, spawnMongod } from '@pricebook/mongodb/testing';
import { expect } from 'chai';
import { type ServiceProcess, startProcess } from './testing/service-process';
import { newFolder, TEST_KEY } from './testing/test-service';
import { allEvents, expectLikeRebuilt } from './testing/audit';
import { createBooks, type Load, startLoad } from './testing/load';

/** How long servers are away. */
const AWAY_MS = 4_000;
const RECOVERY_MS = 5_000;
/** A refusal comes within 2 s; the rest is what this machine needs with all these processes. */
const REFUSAL_MS = 4_000;
const CLIENTS = 24;
const BOOKS = 6;

interface Servers {
  events: StandInProcess;
  documents: MongodAlone;
}

interface Fault {
  readonly name: string;
  /** Makes it happen; the answer ends it. */
  readonly strike: (servers: Servers, dataFile: string) => Promise<() => Promise<void>>;
}

const hang = (name: string, of: (servers: Servers) => StandInProcess | MongodAlone): Fault => ({
  name: `${name} hangs`,
  strike: (servers) => {
    of(servers).signal('SIGSTOP');
    return Promise.resolve(() => {
      of(servers).signal('SIGCONT');
      return Promise.resolve();
    });
  },
});

const FAULTS: readonly Fault[] = [
  {
    name: 'EventStoreDB is killed and started again',
    strike: async (servers, dataFile) => {
      await servers.events.kill();
      return async () => {
        servers.events = await spawnStandIn({ port: servers.events.port, dataFile });
      };
    },
  },
  hang('EventStoreDB', ({ events }) => events),
  {
    name: 'MongoDB is killed and started again',
    strike: async (servers) => {
      const { port, dataFolder, kill } = servers.documents;
      await kill();
      return async () => {
        servers.documents = await spawnMongod({ port, dataFolder });
      };
    },
  },
  hang('MongoDB', ({ documents }) => documents),
];

/** Every acknowledged write is where its answer said, and none stands twice. */
const expectNothingLost = (events: readonly RecordedEvent[], { attempts }: Load): void => {
  const amounts = new Map<number, string>();
  for (const { type, data, stream, revision } of events) {
    if (type !== 'ProductPricesSet') continue;
    const { items } = data as {
      items: readonly { productId: string; adjustments: { USD: { amount: number } } }[];
    };
    for (const { productId, adjustments } of items) {
      const { amount } = adjustments.USD;
      expect(amounts.get(amount), `the write of ${String(amount)} is stored twice`).to.equal(undefined);
      amounts.set(amount, `${stream} ${String(revision)} ${productId}`);
    }
  }
  const acknowledged = attempts.filter(({ revision }) => revision !== undefined);
  expect(acknowledged).to.have.length.greaterThan(200);
  for (const { book, product, amount, revision } of acknowledged) {
    expect(amounts.get(amount)).to.equal(`priceBook-${book} ${String(revision)} ${product}`);
  }
};

const describeIfThere = mongodIsThere() ? describe : describe.skip;

describeIfThere('servers that fail under load (stand-in EventStoreDB, MongoDB)', () => {
  const folder = newFolder();
  const dataFile = path.join(folder, 'events.jsonl');
  let servers: Servers;
  let service: ServiceProcess | undefined;

  before(async () => {
    servers = { events: await spawnStandIn({ dataFile }), documents: await spawnMongod() };
  });
  after(async () => {
    service?.child.kill('SIGKILL');
    await service?.ended;
    await servers.events.kill();
    await servers.documents.remove();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('are answered with 503 in time, recovered from, and lose and repeat nothing', async () => {
    const database = newDatabase(servers.documents);
    service = startProcess(['serve'], {
      PORT: '0',
      EVENTSTOREDB_URL: servers.events.url,
      MONGODB_URL: database.url,
      PRICEBOOK_BOOTSTRAP_KEY: TEST_KEY,
      LOG_LEVEL: 'fatal',
    });
    const url = await service.ready;
    const load = startLoad(url, await createBooks(url, BOOKS), CLIENTS);
    for (const { name, strike } of FAULTS) {
      await delay(500);
      const seen = load.observed.length;
      const end = await strike(servers, dataFile);
      await delay(AWAY_MS);
      await end();
      expect(await load.recovered(), `recovery where ${name}`).to.be.lessThan(RECOVERY_MS);
      const refused = load.observed.slice(seen).filter(({ status }) => status !== 200 && status !== 404);
      expect(refused, `refusals where ${name}`).to.have.length.greaterThan(0);
      for (const { status, retryAfter, milliseconds } of refused) {
        expect({ status, retryAfter: Number(retryAfter) > 0 }, name).to.deep.equal({
          status: 503,
          retryAfter: true,
        });
        expect(milliseconds, name).to.be.lessThan(REFUSAL_MS);
      }
    }
    await load.stop();
    service.child.kill('SIGTERM');
    expect(await service.ended).to.deep.equal({ code: 0, signal: null });
    expect(service.output()).not.to.match(/"level":60/);

    const eventStore = openEventStoreDb(servers.events.url, STREAM_PREFIXES);
    try {
      expectNothingLost(await allEvents(eventStore), load);
      await expectLikeRebuilt(eventStore, database.url, servers.documents);
    } finally {
      await eventStore.close();
    }
  }).timeout(120_000);
});
