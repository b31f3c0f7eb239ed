import { startStandIn } from './stand-in/stand-in';

/** An EventStoreDB for a suite that runs on the real server and on the stand-in alike. */
export interface EventStoreDbUnderTest {
  /** For the titles of tests. */
  readonly name: string;
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** The title under which suites run: the real server where EVENTSTOREDB_URL names one. */
export const eventStoreDbName =
  process.env['EVENTSTOREDB_URL'] === undefined
    ? 'EventStoreDB (stand-in)'
    : 'EventStoreDB (EVENTSTOREDB_URL)';

export const startEventStoreDb = async (): Promise<EventStoreDbUnderTest> => {
  const url = process.env['EVENTSTOREDB_URL'];
  if (url !== undefined) return { name: eventStoreDbName, url, stop: () => Promise.resolve() };
  const standIn = await startStandIn();
  return { name: eventStoreDbName, url: standIn.url, stop: standIn.stop };
};
