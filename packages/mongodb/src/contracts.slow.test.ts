/** The contracts with more random histories than there is time for at each edit. */
import {
  describeReadModel,
  describeReadModelEntries,
  describeReadModelLists,
  describeReadModelProducts,
} from '@pricebook/contract-tests';
import { readModelsOn, toReadOn, withMongoDb } from './testing/under-contract';

const RUNS = 20;

withMongoDb('the read model, at length', (name, server) => {
  describeReadModel(name, readModelsOn(server), { runs: RUNS });
  describeReadModelLists(name, readModelsOn(server), { runs: RUNS });
  describeReadModelProducts(name, readModelsOn(server), { runs: RUNS });
  describeReadModelEntries(name, toReadOn(server), { runs: RUNS });
});
