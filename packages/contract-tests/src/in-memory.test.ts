import {
  createInMemoryEventStore,
  createInMemoryKeyUses,
  createInMemoryReadModel,
  createInMemoryWebhookProgress,
} from '@pricebook/application/in-memory';
import { describeEventStore } from './event-store-contract';
import { describeKeyUses } from './key-uses-contract';
import { describeReadModel } from './read-model-contract';
import { describeReadModelLists } from './read-model-lists-contract';
import { describeWebhookProgress } from './webhook-progress-contract';
import { describeReadModelProducts } from './read-model-products-contract';
import { describeReadModelEntries } from './read-model-entries-contract';

const dispose = (): Promise<void> => Promise.resolve();

describeEventStore('in memory', () => Promise.resolve({ eventStore: createInMemoryEventStore(), dispose }));
describeKeyUses('in memory', () => Promise.resolve({ keyUses: createInMemoryKeyUses(), dispose }));
describeWebhookProgress('in memory', () =>
  Promise.resolve({ store: createInMemoryWebhookProgress(), dispose }),
);
const createReadModel = () => Promise.resolve({ readModel: createInMemoryReadModel(), dispose });
describeReadModel('in memory', createReadModel);
describeReadModelLists('in memory', createReadModel);
describeReadModelProducts('in memory', createReadModel);
describeReadModelEntries('in memory', () => {
  const readModel = createInMemoryReadModel();
  return Promise.resolve({ readModel, live: readModel, dispose });
});
