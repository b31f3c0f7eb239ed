import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { describeReadModelStore, type KilledAt } from '@pricebook/contract-tests';
import { openMongoReadModels } from './read-model-store';
import { readModelsIn } from './testing/dump';
import { mongoDbName, type MongoDbUnderTest, newDatabase, NO_MONGODB, startMongoDb } from './testing/server';

/** The suite makes up its positions: no read model of it is ahead. */
const SOURCE = { id: 'events', end: () => Promise.resolve(1n << 180n) };
const LEASE_MS = 150;

/** Begins a read model, and announces it where that is asked, in a process of its own; kills that. */
const beginAndKill = async (url: string, at: KilledAt): Promise<void> => {
  const script = `
    const { openMongoReadModels } = require(${JSON.stringify(path.join(__dirname, 'index.js'))});
    const source = { id: 'events', end: async () => 1n << 180n };
    (async () => {
      const store = await openMongoReadModels(${JSON.stringify(url)}, source, { leaseMs: ${String(LEASE_MS)} });
      const fresh = await store.begin();
      if (${String(at === 'announced')}) void fresh.goLive(new AbortController().signal)();
      for (;;) {
        const { right } = await store.look()();
        if (${String(at === 'begun')} || right.next === fresh.name) break;
      }
      process.kill(process.pid, 'SIGKILL');
    })();`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'inherit'] });
  await once(child, 'exit');
};

if (mongoDbName === undefined) {
  it(`read model store: MongoDB: ${NO_MONGODB}`);
} else {
  const name = mongoDbName;
  describe('with a server', () => {
    let server: MongoDbUnderTest;
    before(async () => {
      server = await startMongoDb();
    });
    after(() => server.stop());

    describeReadModelStore(name, async () => {
      const database = newDatabase(server);
      const opened: { readonly close: () => Promise<void> }[] = [];
      const open = async () => {
        const store = await openMongoReadModels(database.url, SOURCE, { leaseMs: LEASE_MS });
        opened.push(store);
        return store;
      };
      return {
        store: await open(),
        ofAnother: open,
        whileServed: (act) => act(),
        beginAndKill: (at) => beginAndKill(database.url, at),
        left: () => readModelsIn(database.url),
        dispose: async () => {
          for (const one of opened) await one.close();
          await database.remove();
        },
      };
    });
  });
}
