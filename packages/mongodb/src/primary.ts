/**
 * Reads that never go back in time when a primary is lost.
 *
 * With majority read concern a primary shows only what no failover takes back. A new one has all of that, but shows a
 * little less at first: it does not know yet how much of what it has a majority has. It knows when a majority has
 * acknowledged a write of its own, so that is waited for once, before anything is read from it.
 */
import { type Db, type MongoClient, MongoError, type TopologyDescription } from 'mongodb';

/** Names the server that takes writes, where the driver knows one; the same one, elected again, has another name. */
const nameOf = ({ servers }: TopologyDescription): string | undefined => {
  for (const { type, address, electionId } of servers.values()) {
    if (type === 'RSPrimary' || type === 'Standalone') return `${address} ${String(electionId)}`;
  }
  return undefined;
};

/** @returns the last primary that the driver has found. */
export const watchPrimary = (client: MongoClient): (() => string | undefined) => {
  let last: string | undefined;
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    last = nameOf(newDescription) ?? last;
  });
  return () => last;
};

/** Writes that find nothing to change are acknowledged too when a majority has all that the primary had by then. */
const waitForMajority = (database: Db): Promise<unknown> =>
  database.collection('checkpoints').updateOne({ none: true }, { $set: { none: true } });

/**
 * Runs writes that need only the primary's acknowledgement, and then waits once until a majority has all of them.
 *
 * @param bounded bounds the time of the wait.
 * @throws MongoError where the driver lost or found a primary meanwhile: the first writes may have been lost with it.
 */
export const writeTogether = (
  client: MongoClient,
  database: Db,
  bounded: (send: () => Promise<unknown>) => Promise<unknown>,
) => {
  let changes = 0;
  client.on('topologyDescriptionChanged', ({ previousDescription, newDescription }) => {
    if (nameOf(previousDescription) !== nameOf(newDescription)) changes += 1;
  });
  return async (write: () => Promise<void>): Promise<void> => {
    const before = changes;
    await write();
    await bounded(() => waitForMajority(database));
    if (changes !== before) throw new MongoError('the primary changed during a batch');
  };
};

export const readSteadily = (database: Db, primary: () => string | undefined) => {
  /** The primary that has shown that it knows what a majority has. */
  let settled: string | undefined;
  let settling: Promise<void> | undefined;

  const settle = async (): Promise<void> => {
    const name = primary();
    await waitForMajority(database);
    settled = name;
  };

  /** Asks; and asks again where the answer may have come from another primary than the one that has settled. */
  return async <A>(ask: () => Promise<A>): Promise<A> => {
    for (;;) {
      while (settled !== primary()) {
        settling ??= settle().finally(() => {
          settling = undefined;
        });
        await settling;
      }
      const answer = await ask();
      if (settled === primary()) return answer;
    }
  };
};
