/**
 * Reads that never go back in time when a primary is lost.
 *
 * With majority read concern a primary shows only what no failover takes back. A new one has all of that, but shows a
 * little less at first: it does not know yet how much of what it has a majority has. It knows when a majority has
 * acknowledged a write of its own, so that is waited for once, before anything is read from it.
 */
import type { Db, MongoClient, TopologyDescription } from 'mongodb';

/** Names a primary; the same server, elected again, has another name. */
const nameOf = ({ servers }: TopologyDescription): string | undefined => {
  for (const { type, address, electionId } of servers.values()) {
    if (type === 'RSPrimary') return `${address} ${String(electionId)}`;
  }
  return undefined;
};

/** @returns the last primary that the driver has found; undefined for a server that is no replica set. */
export const watchPrimary = (client: MongoClient): (() => string | undefined) => {
  let last: string | undefined;
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    last = nameOf(newDescription) ?? last;
  });
  return () => last;
};

export const readSteadily = (database: Db, primary: () => string | undefined) => {
  /** The primary that has shown that it knows what a majority has. */
  let settled: string | undefined;
  let settling: Promise<void> | undefined;

  const settle = async (): Promise<void> => {
    const name = primary();
    // It finds nothing to change, and is answered when a majority has all that this primary had by then.
    await database.collection('checkpoints').updateOne({ none: true }, { $set: { none: true } });
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
