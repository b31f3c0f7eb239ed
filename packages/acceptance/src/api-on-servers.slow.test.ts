/** The whole HTTP API on the sets of stores with a server. */
import { eventStoreDbName, startEventStoreDb } from '@pricebook/eventstoredb/testing';
import { mongoDbName, newDatabase, NO_MONGODB, startMongoDb } from '@pricebook/mongodb/testing';
import { describeApi } from './api-suite/suite';
import { newFolder, startTestService, type TestService, type TestStores } from './testing/test-service';

/** A store on a server, for as long as a suite runs. */
type StartStore = () => Promise<{
  readonly stores: TestStores;
  readonly stop: () => Promise<void>;
}>;

const onEventStoreDb: StartStore = async () => {
  const server = await startEventStoreDb();
  return { stores: { eventStoreDbUrl: server.url }, stop: server.stop };
};

const onMongoDb: StartStore = async () => {
  const server = await startMongoDb();
  const database = newDatabase(server);
  return {
    stores: { mongoDbUrl: database.url },
    stop: async () => {
      await database.remove();
      await server.stop();
    },
  };
};

/** A service on servers that are started before it, and stopped after it. */
const startOn =
  (...starts: readonly StartStore[]) =>
  async (): Promise<TestService> => {
    const started = await Promise.all(starts.map((start) => start()));
    const stores = Object.assign({}, ...started.map((one) => one.stores)) as TestStores;
    const service = await startTestService(newFolder(), stores);
    return {
      ...service,
      stop: async () => {
        await service.stop();
        for (const { stop } of started) await stop();
      },
    };
  };

describeApi(`${eventStoreDbName}, embedded read model`, startOn(onEventStoreDb), true);
if (mongoDbName === undefined) {
  it(`HTTP API on MongoDB: ${NO_MONGODB}`);
} else {
  describeApi(`embedded events, ${mongoDbName}`, startOn(onMongoDb));
  describeApi(`${eventStoreDbName}, ${mongoDbName}`, startOn(onEventStoreDb, onMongoDb), true);
}
