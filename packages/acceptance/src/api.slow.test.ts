/** The HTTP API in bulk on every set of stores, and all of it where one store is on a server. */
import { eventStoreDbName } from '@pricebook/eventstoredb/testing';
import { mongoDbName, NO_MONGODB } from '@pricebook/mongodb/testing';
import { describeApi, describeApiInBulk } from './api-suite/suite';
import { onEventStoreDb, onMongoDb, startOn } from './testing/on-servers';
import { startTestService } from './testing/test-service';

describeApiInBulk('embedded', () => startTestService());
describeApi(`${eventStoreDbName}, embedded read model`, startOn(onEventStoreDb));
describeApiInBulk(`${eventStoreDbName}, embedded read model`, startOn(onEventStoreDb), true);
if (mongoDbName === undefined) {
  it(`HTTP API on MongoDB: ${NO_MONGODB}`);
} else {
  describeApi(`embedded events, ${mongoDbName}`, startOn(onMongoDb));
  describeApiInBulk(`embedded events, ${mongoDbName}`, startOn(onMongoDb));
  describeApiInBulk(`${eventStoreDbName}, ${mongoDbName}`, startOn(onEventStoreDb, onMongoDb), true);
}
