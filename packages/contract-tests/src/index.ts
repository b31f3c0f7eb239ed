export { failWith, succeed } from './either';
export { describeEventStore, type EventStoreUnderTest } from './event-store-contract';
export { describeReadModel, type ReadModelUnderTest } from './read-model-contract';
