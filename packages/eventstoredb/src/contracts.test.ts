import { describeEventStore } from '@pricebook/contract-tests';
import { openEventStoreDb } from './event-store';
import { eventStoreDbName, type EventStoreDbUnderTest, startEventStoreDb } from './testing/server';

/** The suite is about what is answered, on machines that are busy too. */
const PATIENT_MS = 60_000;

describe('with a server', () => {
  let server: EventStoreDbUnderTest | undefined;
  before(async () => {
    server = await startEventStoreDb();
  });
  after(() => server?.stop());

  describeEventStore(eventStoreDbName, () => {
    const open = () => openEventStoreDb(server?.url ?? '', ['priceBook-', 'apiKeys'], PATIENT_MS);
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
