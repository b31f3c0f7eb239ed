/** For tests of those who use this package: the stand-in of a server, and whether there is a real one. */
export { eventStoreDbName, type EventStoreDbUnderTest, startEventStoreDb } from './testing/server';
export { spawnStandIn, type StandInProcess } from './testing/stand-in/process';
export { type StandIn, startStandIn } from './testing/stand-in/stand-in';
