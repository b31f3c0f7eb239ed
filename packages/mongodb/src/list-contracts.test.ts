/** A few random books; more are tried in contracts.slow.test.ts. */
import {
  describeReadModelEntries,
  describeReadModelLists,
  describeReadModelProducts,
} from '@pricebook/contract-tests';
import { readModelsOn, toReadOn, withMongoDb } from './testing/under-contract';

withMongoDb('lists and entries of the read model', (name, server) => {
  describeReadModelLists(name, readModelsOn(server), { runs: 6 });
  describeReadModelProducts(name, readModelsOn(server), { runs: 4 });

  describeReadModelEntries(name, toReadOn(server), { runs: 6 });
});
