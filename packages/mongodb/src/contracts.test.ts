import {
  describeKeyUses,
  describeReadModel,
  describeReadModelEntries,
  describeReadModelLists,
} from '@pricebook/contract-tests';
import { openMongoKeyUses } from './key-uses';
import { openMongoReadModel } from './read-model-store';
import { openMongoReadModelToRead } from './read-model-to-read';
import { mongoDbName, type MongoDbUnderTest, newDatabase, NO_MONGODB, startMongoDb } from './testing/server';

/** The suite makes up its positions: no read model of it is ahead. */
const SOURCE = { id: 'events', end: () => Promise.resolve(1n << 180n) };

if (mongoDbName === undefined) {
  it(`read model: MongoDB: ${NO_MONGODB}`);
} else {
  const name = mongoDbName;
  describe('with a server', () => {
    let server: MongoDbUnderTest;
    before(async () => {
      server = await startMongoDb();
    });
    after(() => server.stop());

    const create = async () => {
      const database = newDatabase(server);
      let readModel = await openMongoReadModel(database.url, SOURCE);
      return {
        readModel,
        restart: async () => {
          await readModel.close();
          readModel = await openMongoReadModel(database.url, SOURCE);
          return readModel;
        },
        dispose: async () => {
          await readModel.close();
          await database.remove();
        },
      };
    };
    describeReadModel(name, create, { runs: 20 });
    describeReadModelLists(name, create, { runs: 20 });

    describeKeyUses(name, async () => {
      const database = newDatabase(server);
      let keyUses = await openMongoKeyUses(database.url);
      return {
        keyUses,
        restart: async () => {
          await keyUses.close();
          keyUses = await openMongoKeyUses(database.url);
          return keyUses;
        },
        dispose: async () => {
          await keyUses.close();
          await database.remove();
        },
      };
    });

    const createToRead = async () => {
      const { url, remove } = newDatabase(server);
      const readModel = await openMongoReadModel(url, SOURCE);
      const live = await openMongoReadModelToRead(url, SOURCE);
      return {
        readModel,
        live,
        dispose: async () => {
          await live.close();
          await readModel.close();
          await remove();
        },
      };
    };
    describeReadModelEntries(name, createToRead, { runs: 20 });
  });
}
