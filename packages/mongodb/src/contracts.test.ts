/** A few random histories; more are tried in contracts.slow.test.ts. */
import { describeKeyUses, describeReadModel } from '@pricebook/contract-tests';
import { openMongoKeyUses } from './key-uses';
import { newDatabase } from './testing/server';
import { readModelsOn, withMongoDb } from './testing/under-contract';

withMongoDb('the read model', (name, server) => {
  describeReadModel(name, readModelsOn(server), { runs: 6 });
  describeKeyUses(name, async () => {
    const database = newDatabase(server());
    let keyUses = await openMongoKeyUses(database.url);
    return {
      keyUses,
      restart: async () => {
        await keyUses.close();
        keyUses = await openMongoKeyUses(database.url);
        return keyUses;
      },
      dispose: async () => {
        await keyUses.close();
        await database.remove();
      },
    };
  });
});
