import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { mock } from 'node:test';
import { describeReadModelStore, succeed } from '@pricebook/contract-tests';
import { expect } from 'chai';
import { Collection, MongoClient, MongoNetworkError } from 'mongodb';
import { type MongoReadModelStore, openMongoReadModels } from './read-model-store';
import { changeCheckpoint, readModelsIn } from './testing/dump';
import { mongoDbName, type MongoDbUnderTest, newDatabase, NO_MONGODB, startMongoDb } from './testing/server';

/** The suite makes up its positions: no read model of it is ahead. */
const SOURCE = { id: 'events', end: () => Promise.resolve(1n << 180n) };
const LONG_AGO = new Date('2026-01-01T00:00:00Z');

/** Begins a read model in a process of its own, and kills that. */
const beginAndKill = async (url: string): Promise<void> => {
  const script = `
    const { openMongoReadModels } = require(${JSON.stringify(path.join(__dirname, 'index.js'))});
    const source = { id: 'events', end: async () => 1n << 180n };
    (async () => {
      await (await openMongoReadModels(${JSON.stringify(url)}, source)).begin();
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
        const store = await openMongoReadModels(database.url, SOURCE);
        opened.push(store);
        return store;
      };
      return {
        store: await open(),
        ofAnother: open,
        beginAndKill: () => beginAndKill(database.url),
        left: () => readModelsIn(database.url),
        dispose: async () => {
          for (const one of opened) await one.close();
          await database.remove();
        },
      };
    });

    describe(`read models of ${name}`, () => {
      let database: ReturnType<typeof newDatabase>;
      let store: MongoReadModelStore;
      beforeEach(async () => {
        database = newDatabase(server);
        store = await openMongoReadModels(database.url, SOURCE);
      });
      afterEach(async () => {
        await store.close();
        await database.remove();
      });

      const liveName = async (): Promise<string> => {
        const kept = await store.openLive();
        await kept.close();
        return kept.name;
      };
      const rebuild = async (): Promise<string> => {
        const fresh = await store.begin();
        expect(await succeed(fresh.goLive)).to.equal(true);
        await fresh.close();
        return fresh.name;
      };
      /** As where every process that used it has ended long ago. */
      const leave = (readModel: string) => changeCheckpoint(database.url, { usedAt: LONG_AGO }, readModel);
      const left = async (): Promise<readonly string[]> => [...(await readModelsIn(database.url))].sort();

      it('are made by two rebuilds at once, of which the first to finish wins, whichever began first', async () => {
        const [slow, fast] = [await store.begin(), await store.begin()];
        expect(await succeed(fast.goLive)).to.equal(true);
        expect(await succeed(slow.goLive)).to.equal(false);
        await slow.abandon();
        await fast.close();
        expect(await liveName()).to.equal(fast.name);
        expect(await left()).to.not.include(slow.name);
        const [late, later] = [await store.begin(), await store.begin()];
        expect(await succeed(late.goLive)).to.equal(true);
        expect(await succeed(later.goLive)).to.equal(false);
        await later.abandon();
        await late.close();
        expect(await liveName()).to.equal(late.name);
      });

      it('are removed by the next rebuild when no process has used them for an hour, and never before', async () => {
        const first = await liveName();
        const second = await rebuild();
        const third = await rebuild();
        await beginAndKill(database.url);
        expect(await left())
          .to.have.length(4)
          .and.include.members([first, second, third]);
        for (const one of await left()) if (one !== second) await leave(one);
        const fourth = await rebuild();
        expect(await left()).to.deep.equal([second, third, fourth].sort());
      });

      it('count as used as long as a process has them open', async () => {
        mock.timers.enable({ apis: ['setInterval'] });
        try {
          const kept = await store.openLive();
          const isUsed = async (): Promise<boolean> => {
            const { usedAt = LONG_AGO } = await changeCheckpoint(database.url, {});
            return usedAt > LONG_AGO;
          };
          await leave(kept.name);
          expect(await isUsed()).to.equal(false);
          mock.timers.tick(60_000);
          while (!(await isUsed()));
          await kept.close();
          await leave(kept.name);
          mock.timers.tick(120_000);
          await rebuild();
          expect(await isUsed()).to.equal(false);
        } finally {
          mock.timers.reset();
        }
      });

      it('of another version are left alone as long as it is used, and so are those of versions before v3', async () => {
        const client = await MongoClient.connect(database.url);
        try {
          for (const suffix of ['', '-3f9a2b1c', '-v2']) {
            for (const part of ['current', 'history', 'requests']) {
              await client.db().createCollection(part + suffix);
            }
            const checkpoint = { _id: `checkpoint${suffix}`, source: '2:events' };
            const used = suffix === '-v2' ? { usedAt: new Date() } : {};
            await client
              .db()
              .collection<{ _id: string }>('checkpoints')
              .insertOne({ ...checkpoint, ...used });
          }
          const collections = async () =>
            (await client.db().listCollections().toArray()).map(({ name: one }) => one);
          await rebuild();
          expect(await collections()).to.include.members(['current', 'current-3f9a2b1c', 'current-v2']);
          await leave('v2');
          await rebuild();
          expect(await collections())
            .to.include.members(['current', 'current-3f9a2b1c'])
            .and.not.include('current-v2');
        } finally {
          await client.close();
        }
      });

      it('of other events, of any version, are refused', async () => {
        const client = await MongoClient.connect(database.url);
        const checkpoint = { _id: 'checkpoint', source: '2:other events' };
        await client.db().collection<{ _id: string }>('checkpoints').insertOne(checkpoint);
        await client.close();
        for (const open of [store.openLive, store.begin]) {
          const failure: unknown = await open().catch((refusal: unknown) => refusal);
          expect(failure).to.have.property('name', 'ForeignReadModel');
        }
        expect(await left()).to.deep.equal([]);
      });

      /** Loses the answer to the command that names the live one, which was carried out or was not. */
      const losingAnswer = async (wasCarriedOut: boolean, act: () => Promise<void>): Promise<void> => {
        const methods = Collection.prototype as unknown as Record<
          'updateOne',
          (...args: unknown[]) => Promise<unknown>
        >;
        const { updateOne } = methods;
        methods.updateOne = async function (this: Collection, ...args) {
          if (this.collectionName !== 'read-models') return updateOne.apply(this, args);
          if (wasCarriedOut) await updateOne.apply(this, args);
          throw new MongoNetworkError('cut off');
        };
        await act().finally(() => {
          methods.updateOne = updateOne;
        });
      };

      for (const wasCarriedOut of [true, false]) {
        it(`are kept where it is not known which is live: the command was ${wasCarriedOut ? '' : 'not '}carried out`, async () => {
          const old = await liveName();
          const fresh = await store.begin();
          await losingAnswer(wasCarriedOut, async () => {
            expect(await fresh.goLive()).to.have.nested.property('left._tag', 'StoreUnavailable');
          });
          await fresh.abandon();
          expect(await left()).to.include.members([old, fresh.name]);
          expect(await liveName()).to.equal(wasCarriedOut ? fresh.name : old);
          expect(await succeed(fresh.goLive)).to.equal(true);
          expect(await liveName()).to.equal(fresh.name);
        });
      }
    });
  });
}
