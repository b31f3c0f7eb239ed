/** Read models for the contract suites. */
import { openMongoReadModel } from '../read-model-store';
import { openMongoReadModelToRead } from '../read-model-to-read';
import { mongoDbName, type MongoDbUnderTest, newDatabase, NO_MONGODB, startMongoDb } from './server';

/** The suites make up their positions: no read model of them is ahead. */
const SOURCE = { id: 'events', end: () => Promise.resolve(1n << 180n) };

/** Runs suites on a server; without one it says that they are skipped. */
export const withMongoDb = (
  what: string,
  describeAll: (name: string, server: () => MongoDbUnderTest) => void,
): void => {
  if (mongoDbName === undefined) {
    it(`${what} on MongoDB: ${NO_MONGODB}`);
    return;
  }
  const name = mongoDbName;
  describe('with a server', () => {
    let server: MongoDbUnderTest;
    before(async () => {
      server = await startMongoDb();
    });
    after(() => server.stop());
    describeAll(name, () => server);
  });
};

/** Creates a read model in a database of its own. */
export const readModelsOn = (server: () => MongoDbUnderTest) => async () => {
  const database = newDatabase(server());
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

/** Creates a read model, and opens it to read beside that. */
export const toReadOn = (server: () => MongoDbUnderTest) => async () => {
  const { url, remove } = newDatabase(server());
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
