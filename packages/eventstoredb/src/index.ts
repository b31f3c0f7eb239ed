export { type EventStoreDb, openEventStoreDb } from './event-store';
