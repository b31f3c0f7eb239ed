/** The connection to MongoDB: its limits, what is asked of it, and its errors as those of the port. */
import { setTimeout as delay } from 'node:timers/promises';
import type { StoreError } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import {
  type Collection,
  type Db,
  type Document,
  MongoClient,
  MongoError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';

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

/** What a server can do. */
interface Abilities {
  /** Whether documents are found by several names at once without reading the whole collection. */
  readonly findsTogether: boolean;
  /** How many updates go into one command. */
  readonly updatesTogether: number;
}

const MONGODB: Abilities = { findsTogether: true, updatesTogether: 1_000 };
/** FerretDB 1 looks up one name at a time, and holds a connection to its own store for every update of a command. */
const FERRETDB: Abilities = { findsTogether: false, updatesTogether: 16 };

export interface Server {
  readonly database: Db;
  readonly abilities: Abilities;
  /** Runs a query within its time. */
  readonly query: <A>(ask: () => Promise<A>) => TaskEither<StoreError, A>;
  /** Runs a command of the projection within its time. */
  readonly command: <A>(send: () => Promise<A>) => Promise<A>;
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
  const isKnown = failure instanceof MongoError || failure instanceof NoAnswer;
  // What is none of the server's failures is a mistake in the program.
  if (!isKnown) throw failure;
  const code = failure instanceof MongoServerError ? ` (code ${String(failure.code)})` : '';
  return { _tag: 'StoreUnavailable', reason: `MongoDB: ${failure.name}${code}: ${failure.message}` };
};

const E11000 = 11_000;

/** Whether the server could not be reached, as opposed to having refused. */
export const isUnreachable = (failure: unknown): failure is Error =>
  failure instanceof NoAnswer ||
  failure instanceof MongoServerSelectionError ||
  failure instanceof MongoNetworkError;

/** Whether a document of this name was there already. */
export const isDuplicate = (failure: unknown): boolean =>
  failure instanceof MongoServerError && failure.code === E11000;

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
    writeConcern: { w: 'majority' },
    serverSelectionTimeoutMS: QUERY_LIMIT_MS,
    connectTimeoutMS: QUERY_LIMIT_MS,
    waitQueueTimeoutMS: QUERY_LIMIT_MS,
    socketTimeoutMS: SOCKET_LIMIT_MS,
    heartbeatFrequencyMS: HEARTBEAT_MS,
  });
  try {
    await client.connect();
    const isNamed = new URL(url.replace(/^mongodb(\+srv)?:\/\/[^/]*/, 'mongodb://host')).pathname.length > 1;
    const database = isNamed ? client.db() : client.db(DEFAULT_DATABASE);
    const { ferretdbVersion } = await within(QUERY_LIMIT_MS, database.admin().command({ buildInfo: 1 }));
    return {
      database,
      abilities: typeof ferretdbVersion === 'string' ? FERRETDB : MONGODB,
      query: (ask) => () =>
        within(QUERY_LIMIT_MS, ask()).then(E.right, (failure: unknown) => E.left(toStoreError(failure))),
      command: (send) => within(WRITE_LIMIT_MS, send()),
      close: () => client.close(),
    };
  } catch (failure) {
    await client.close();
    throw failure;
  }
};

/** Finds documents by their names, in one round trip. Those that are not there are not in the map. */
export const findByNames = async <D extends Named>(
  { abilities }: Pick<Server, 'abilities'>,
  collection: Collection<D>,
  names: readonly string[],
): Promise<ReadonlyMap<string, D>> => {
  if (names.length === 0) return new Map();
  const filterOf = (_id: unknown) => ({ _id }) as Parameters<typeof collection.find>[0];
  const found = abilities.findsTogether
    ? await collection.find(filterOf({ $in: names })).toArray()
    : await Promise.all(names.map((name) => collection.findOne(filterOf(name))));
  return new Map(
    found.filter((document) => document !== null).map((document) => [document._id, document as D]),
  );
};
