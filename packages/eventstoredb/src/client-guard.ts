/**
 * Keeps three faults of @eventstore/db-client 6.2.1 from ending the process.
 *
 * The client keeps the appends that wait for an answer in one table for the whole process, and empties it when
 * any of its append streams breaks. An answer that comes late then finds no entry, and the client throws where
 * nobody can catch. What it queues for a stream that is full, it rejects where nobody listens when that stream
 * breaks. And when it looks for the leader of a cluster while a call on the old connection ends, and finds none,
 * nobody listens either.
 */
import type { Duplex } from 'node:stream';
import type { EventStoreDBClient } from '@eventstore/db-client';

type Creator = (client: unknown) => Duplex;

/** What is used of the client's inside. The package is pinned to the version that this was read in. */
interface Inside {
  GRPCStreamCreator: (
    grpcClient: unknown,
    name: string,
    create: Creator,
    ...rest: unknown[]
  ) => () => Promise<Duplex>;
  handleError: (grpcClient: unknown, failure: unknown) => Promise<void>;
}

const guardAppendStream = (stream: Duplex): Duplex => {
  for (const listener of stream.listeners('data')) {
    stream.removeListener('data', listener as (answer: unknown) => void);
    stream.on('data', (answer: unknown) => {
      try {
        listener.call(stream, answer);
      } catch (failure) {
        // Taking apart an entry that is not there is a TypeError; anything else is not ours to hide.
        if (!(failure instanceof TypeError)) throw failure;
      }
    });
  }
  // "Full" sends what follows into that queue. How much is in flight is bounded by the connection instead.
  const write = stream.write.bind(stream) as (message: unknown) => boolean;
  stream.write = (message: unknown): boolean => {
    write(message);
    return true;
  };
  return stream;
};

/** Guards a client that has just been made. */
export const guardClient = (client: EventStoreDBClient): EventStoreDBClient => {
  const inside = client as unknown as Inside;
  const create = inside.GRPCStreamCreator;
  inside.GRPCStreamCreator = (grpcClient, name, creator, ...rest) =>
    create(
      grpcClient,
      name,
      name === 'appendToStream' ? (made) => guardAppendStream(creator(made)) : creator,
      ...rest,
    );
  const handle = inside.handleError;
  inside.handleError = (...failed) => handle(...failed).catch(() => undefined);
  return client;
};
