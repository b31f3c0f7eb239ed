/** Services on stores that are started for them. */
import { startEventStoreDb } from '@pricebook/eventstoredb/testing';
import { newDatabase, startMongoDb } from '@pricebook/mongodb/testing';
import { newFolder, startTestService, type TestService, type TestStores } from './test-service';

/** A store on a server, for as long as a suite runs. */
type StartStore = () => Promise<{
  readonly stores: TestStores;
  readonly stop: () => Promise<void>;
}>;

export const onEventStoreDb: StartStore = async () => {
  const server = await startEventStoreDb();
  return { stores: { eventStoreDbUrl: server.url }, stop: server.stop };
};

export const onMongoDb: StartStore = async () => {
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
export const startOn =
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
