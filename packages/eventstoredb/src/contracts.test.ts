import { describeEventStore } from '@pricebook/contract-tests';
import { openEventStoreDb } from './event-store';
import { eventStoreDbName, type EventStoreDbUnderTest, startEventStoreDb } from './testing/server';

describe('with a server', () => {
  let server: EventStoreDbUnderTest | undefined;
  before(async () => {
    server = await startEventStoreDb();
  });
  after(() => server?.stop());

  describeEventStore(eventStoreDbName, () => {
    const open = () => openEventStoreDb(server?.url ?? '', ['priceBook-', 'apiKeys']);
    let eventStore = open();
    return Promise.resolve({
      eventStore,
      restart: async () => {
        await eventStore.close();
        eventStore = open();
        return eventStore;
      },
      dispose: () => eventStore.close(),
    });
  });
});
