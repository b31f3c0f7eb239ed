import { describeReadModelEntries, describeReadModelLists } from '@pricebook/contract-tests';
import { openMongoReadModel } from './read-model-store';
import { openMongoReadModelToRead } from './read-model-to-read';
import { newDatabase } from './testing/server';
import { readModelsOn, SOURCE, withMongoDb } from './testing/under-contract';

withMongoDb('lists and entries of the read model', (name, server) => {
  describeReadModelLists(name, readModelsOn(server), { runs: 20 });

  const createToRead = async () => {
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
  describeReadModelEntries(name, createToRead, { runs: 20 });
});
