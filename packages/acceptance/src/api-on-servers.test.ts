/** The whole HTTP API with both stores on servers; the other sets of stores are in api.slow.test.ts. */
import { eventStoreDbName } from '@pricebook/eventstoredb/testing';
import { mongoDbName, NO_MONGODB } from '@pricebook/mongodb/testing';
import { describeApi } from './api-suite/suite';
import { onEventStoreDb, onMongoDb, startOn } from './testing/on-servers';

if (mongoDbName === undefined) it(`HTTP API on ${eventStoreDbName} and MongoDB: ${NO_MONGODB}`);
else describeApi(`${eventStoreDbName}, ${mongoDbName}`, startOn(onEventStoreDb, onMongoDb));
