/** A few random histories; more are tried in contracts.slow.test.ts. */
import { describeKeyUses, describeReadModel, describeWebhookProgress } from '@pricebook/contract-tests';
import { openMongoKeyUses } from './key-uses';
import { openMongoWebhookProgress } from './webhook-progress';
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
  describeWebhookProgress(name, async () => {
    const database = newDatabase(server());
    let store = await openMongoWebhookProgress(database.url);
    return {
      store,
      restart: async () => {
        await store.close();
        store = await openMongoWebhookProgress(database.url);
        return store;
      },
      dispose: async () => {
        await store.close();
        await database.remove();
      },
    };
  });
});
