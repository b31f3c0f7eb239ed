/** The connection to MongoDB: its limits, what is asked of it, and its errors as those of the port. */
import { setTimeout as delay } from 'node:timers/promises';
import type { StoreError } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import {
  type AbstractCursor,
  BSON,
  type Collection,
  type Db,
  type Document,
  MongoAPIError,
  MongoClient,
  MongoError,
  MongoServerError,
} from 'mongodb';
import { readSteadily, watchPrimary, writeTogether } from './primary';

/** Documents are found by names of ours, never by what the server makes up. */
export interface Named extends Document {
  readonly _id: string;
}

/** How long a query may take: a request is to be refused within 2 s where the server is silent. */
const QUERY_LIMIT_MS = 1_500;
/** How long a command of the projection may take. */
const WRITE_LIMIT_MS = 5_000;
/** After so long the driver gives a silent connection up. */
const SOCKET_LIMIT_MS = 10_000;
/** How often the driver looks whether a server is there: it is back in use soon after it is back. */
const HEARTBEAT_MS = 2_000;

const DEFAULT_DATABASE = 'pricebook';

export interface Server {
  readonly database: Db;
  /** Runs a query within its time; sees all that was acknowledged before, and nothing that may be taken back. */
  readonly query: <A>(ask: () => Promise<A>) => TaskEither<StoreError, A>;
  /** Goes through the documents of a cursor until one is not taken. Each part comes within the time of a query. */
  readonly walk: <D>(
    cursor: AbstractCursor<D>,
    take: (document: D) => boolean,
  ) => TaskEither<StoreError, void>;
  /** The same for what the projection reads, in the time of its commands. */
  readonly read: <A>(ask: () => Promise<A>) => Promise<A>;
  /** Runs a command that writes within its time: it has succeeded when a majority has written it to disk. */
  readonly command: <A>(send: () => Promise<A>) => Promise<A>;
  /** Runs commands that only the primary acknowledges: they have succeeded when a majority has all of them. */
  readonly together: (write: () => Promise<void>) => Promise<void>;
  readonly close: () => Promise<void>;
}

class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

const within = async <A>(ms: number, work: Promise<A>): Promise<A> => {
  const stop = new AbortController();
  const timeUp = delay(ms, undefined, { signal: stop.signal }).then(() => {
    throw new NoAnswer('the server does not answer');
  });
  try {
    return await Promise.race([work, timeUp]);
  } finally {
    timeUp.catch(() => undefined);
    work.catch(() => undefined);
    stop.abort();
  }
};

export const toStoreError = (failure: unknown): StoreError => {
  const isKnown =
    failure instanceof MongoError || failure instanceof NoAnswer || failure instanceof BSON.BSONError;
  // What is none of the server's failures is a mistake in the program.
  if (!isKnown) throw failure;
  const code = failure instanceof MongoServerError ? ` (code ${String(failure.code)})` : '';
  return { _tag: 'StoreUnavailable', reason: `MongoDB: ${failure.name}${code}: ${failure.message}` };
};

const UNAUTHORIZED = 13;
const AUTHENTICATION_FAILED = 18;

/** Whether it makes no sense to try again: the URL, or who it names, is wrong. */
export const isHopeless = (failure: unknown): boolean =>
  // By its name: the library that reads the URL has a class of its own for it.
  (failure instanceof Error && failure.name === 'MongoParseError') ||
  failure instanceof MongoAPIError ||
  (failure instanceof MongoServerError &&
    (failure.code === UNAUTHORIZED || failure.code === AUTHENTICATION_FAILED));

const E11000 = 11_000;

/** Whether a document of this name was there already. */
export const isDuplicate = (failure: unknown): boolean =>
  failure instanceof MongoServerError && failure.code === E11000;

const NAMESPACE_NOT_FOUND = 26;

/** Whether a collection that was to be dropped was not there: some servers mind. */
export const isMissing = (failure: unknown): boolean =>
  failure instanceof MongoServerError && failure.code === NAMESPACE_NOT_FOUND;

/**
 * Connects.
 *
 * @param url `mongodb://...`; the database is the one in its path, or `pricebook`.
 * @throws MongoError where the server does not answer.
 */
export const connect = async (url: string): Promise<Server> => {
  const client = new MongoClient(url, {
    appName: 'pricebook',
    ignoreUndefined: true,
    // Whatever the URL says: what was acknowledged, or read, has to stay when a primary is lost (decision 0026).
    writeConcern: { w: 'majority', journal: true },
    readConcern: { level: 'majority' },
    readPreference: 'primary',
    serverSelectionTimeoutMS: QUERY_LIMIT_MS,
    connectTimeoutMS: QUERY_LIMIT_MS,
    waitQueueTimeoutMS: QUERY_LIMIT_MS,
    socketTimeoutMS: SOCKET_LIMIT_MS,
    heartbeatFrequencyMS: HEARTBEAT_MS,
  });
  const primary = watchPrimary(client);
  try {
    await client.connect();
    const isNamed = new URL(url.replace(/^mongodb(\+srv)?:\/\/[^/]*/, 'mongodb://host')).pathname.length > 1;
    const database = isNamed ? client.db() : client.db(DEFAULT_DATABASE);
    const steadily = readSteadily(database, primary);
    const command = <A>(send: () => Promise<A>): Promise<A> => within(WRITE_LIMIT_MS, send());
    return {
      database,
      query: (ask) => () =>
        within(QUERY_LIMIT_MS, steadily(ask)).then(E.right, (failure: unknown) =>
          E.left(toStoreError(failure)),
        ),
      walk: (cursor, take) => async () => {
        try {
          while (
            await within(
              QUERY_LIMIT_MS,
              steadily(() => cursor.hasNext()),
            )
          ) {
            if (!cursor.readBufferedDocuments().every(take)) break;
          }
          return E.right(undefined);
        } catch (failure) {
          return E.left(toStoreError(failure));
        } finally {
          cursor.close().catch(() => undefined);
        }
      },
      read: (ask) => within(WRITE_LIMIT_MS, steadily(ask)),
      command,
      together: writeTogether(client, database, command),
      close: () => client.close(),
    };
  } catch (failure) {
    await client.close();
    throw failure;
  }
};

/** Documents that go into one command: with ids of any length they stay far below what it may hold. */
export const TOGETHER = 500;

export const chunksOf = <A>(items: readonly A[], size: number): readonly (readonly A[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );

/** Names that are looked for in one command: 2 MB where all are as long as they can be. */
const NAMES_TOGETHER = 2_000;

/**
 * Finds documents by their names, in one round trip unless they are very many. Those that are not there are not in
 * the map.
 *
 * @param bounded bounds the time of each command.
 */
export const findByNames = async <D extends Named>(
  collection: Collection<D>,
  names: readonly string[],
  bounded: <A>(send: () => Promise<A>) => Promise<A> = (send) => send(),
): Promise<ReadonlyMap<string, D>> => {
  const found = new Map<string, D>();
  for (const chunk of chunksOf(names, NAMES_TOGETHER)) {
    const filter = { _id: { $in: chunk } } as unknown as Parameters<typeof collection.find>[0];
    // With fewer in a batch, or just as many, the server would be asked for more of them.
    const batchSize = chunk.length + 1;
    for (const document of await bounded(() => collection.find(filter, { batchSize }).toArray())) {
      found.set(document._id, document as D);
    }
  }
  return found;
};
