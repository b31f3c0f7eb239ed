export { datedOrNot } from './dated-adjustments';
export { failWith, succeed } from './either';
export { describeEventStore, type EventStoreUnderTest } from './event-store-contract';
export { describeKeyUses, type KeyUsesUnderTest } from './key-uses-contract';
export { describeReadModelLists } from './read-model-lists-contract';
export { describeReadModel, type ReadModelUnderTest } from './read-model-contract';
export { randomHistory, startBooks } from './random-history';
export { describeReadModelEntries, type EntriesUnderTest } from './read-model-entries-contract';
export { describeReadModelStore, type ReadModelStoreUnderTest } from './read-model-store-contract';
