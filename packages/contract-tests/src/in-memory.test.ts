import { createInMemoryEventStore, createInMemoryReadModel } from '@pricebook/application/in-memory';
import { describeEventStore } from './event-store-contract';
import { describeReadModel } from './read-model-contract';

const dispose = (): Promise<void> => Promise.resolve();

describeEventStore('in memory', () => Promise.resolve({ eventStore: createInMemoryEventStore(), dispose }));
describeReadModel('in memory', () => Promise.resolve({ readModel: createInMemoryReadModel(), dispose }));
