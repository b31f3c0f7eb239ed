/**
 * The read models of a database. Which one is live stands in a document that every process looks at; a rebuild
 * announces its own there before it is live, and takes the old one away once no process can be reading it.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type {
  KeptReadModel,
  NewReadModel,
  ReadModelNames,
  ReadModelStore,
  StoreError,
} from '@pricebook/application';
import * as E from 'fp-ts/Either';
import type { Collection } from 'mongodb';
import { checkpointsOf, FIRST, readModelOf, suffixOf } from './collections';
import { checkpointOf, eventsOf, type EventSource, ForeignReadModel, openReadModel } from './read-model';
import { connect, isDuplicate, type Named, type Server, toStoreError } from './server';

/** For how long a process relies on what it has read of which read model is live. */
export const LEASE_MS = 5_000;
/** How often a rebuild says that it is still at it, and after how long it counts as ended; clocks may differ a little. */
const RENEW_MS = 10_000;
const STALE_MS = 60_000;

interface NamesDocument extends Named {
  readonly live: string;
  readonly next?: string;
}

interface ClaimDocument extends Named {
  readonly owner: string;
  readonly renewedAt: Date;
}

const NAMES = 'names';
const REBUILD = 'rebuild';

export interface MongoReadModelStore extends ReadModelStore {
  readonly leaseMs: number;
  readonly close: () => Promise<void>;
}

interface Options {
  readonly leaseMs?: number;
}

const takenOver = (): Error => new Error('another process has taken the rebuild over');

const isFresh = ({ renewedAt }: ClaimDocument): boolean => Date.now() - renewedAt.getTime() < STALE_MS;

export const openStore = (server: Server, events: EventSource, leaseMs: number): MongoReadModelStore => {
  const { database, command } = server;
  const readModels = database.collection('read-models') as unknown as Collection<
    NamesDocument | ClaimDocument
  >;
  const names = readModels as unknown as Collection<NamesDocument>;
  const claims = readModels as unknown as Collection<ClaimDocument>;

  const readNames = async (): Promise<ReadModelNames> => {
    const found = await readModels.find().toArray();
    const named = found.find(({ _id }) => _id === NAMES) as NamesDocument | undefined;
    const claim = found.find(({ _id }) => _id === REBUILD) as ClaimDocument | undefined;
    // A rebuild that has ended without a word has left what it announced behind.
    const isAnnounced = named?.next !== undefined && claim !== undefined && isFresh(claim);
    return { live: named?.live ?? FIRST, ...(isAnnounced && { next: named.next }) };
  };

  const write = (live: string, next: string | undefined): Promise<unknown> =>
    command(() =>
      names.updateOne(
        { _id: NAMES },
        next === undefined ? { $set: { live }, $unset: { next: '' } } : { $set: { live, next } },
        { upsert: true },
      ),
    );

  /** @returns whether no other process has the claim. */
  const claim = async (owner: string): Promise<boolean> => {
    try {
      await command(() =>
        claims.updateOne(
          { _id: REBUILD, renewedAt: { $lt: new Date(Date.now() - STALE_MS) } },
          { $set: { owner, renewedAt: new Date() } },
          { upsert: true },
        ),
      );
      return true;
    } catch (failure) {
      if (isDuplicate(failure)) return false;
      throw failure;
    }
  };

  const renew = async (owner: string): Promise<boolean> => {
    const renewed = await command(() =>
      claims.updateOne({ _id: REBUILD, owner }, { $set: { renewedAt: new Date() } }),
    );
    return renewed.matchedCount === 1;
  };

  const remove = async (readModel: string): Promise<void> => {
    for (const name of ['current', 'history'])
      await command(() => database.dropCollection(name + suffixOf(readModel)));
    await command(() => checkpointsOf(server).deleteOne({ _id: checkpointOf(readModel) }));
  };

  /** Takes away what is neither live nor of the first start, and says which number is free. */
  const clear = async (live: string): Promise<string> => {
    const collections = await command(() => database.listCollections({}, { nameOnly: true }).toArray());
    const there = [...new Set(collections.map(({ name }) => readModelOf(name)))].filter(
      (one) => one !== undefined,
    );
    for (const one of there) if (one !== live) await remove(one);
    return String(Math.max(...[live, ...there].map(Number)) + 1);
  };

  /** A database that others use must not be taken over. */
  const refuseOthers = async (live: string): Promise<void> => {
    const stored = await command(() => checkpointsOf(server).findOne({ _id: checkpointOf(live) }));
    if (stored?.source === undefined || eventsOf(stored.source) === events.id) return;
    throw new ForeignReadModel(
      `the read model in the database ${database.databaseName} of MONGODB_URL was made of other events. Name another`,
    );
  };

  const begin = async (): Promise<NewReadModel> => {
    const owner = randomUUID();
    const { live: old } = await readNames();
    await refuseOthers(old);
    if (!(await claim(owner))) {
      throw new Error(
        `the read model in the database ${database.databaseName} is being rebuilt by another process, or was a minute ago`,
      );
    }
    await write(old, undefined);
    const name = await clear(old);
    const fresh = await openReadModel(server, name, events);
    const renewing = setInterval(() => {
      // Whether it has succeeded is looked at before it matters.
      renew(owner).catch(() => undefined);
    }, RENEW_MS);

    const end = async (): Promise<void> => {
      clearInterval(renewing);
      await command(() => claims.deleteOne({ _id: REBUILD, owner }));
    };

    const goLive = async (signal: AbortSignal): Promise<boolean> => {
      const isToStop = (): boolean => signal.aborted;
      const wait = (ms: number) => delay(ms, undefined, { signal }).catch(() => undefined);
      if (!(await renew(owner))) throw takenOver();
      await write(old, name);
      // Every process has heard of it then, or does not answer before it has.
      await wait(leaseMs * 1.2);
      if (!(await renew(owner))) throw takenOver();
      if (isToStop()) return false;
      await write(name, undefined);
      // The same, and those that went over first still see to the old one meanwhile.
      await wait(leaseMs * 3);
      // Who does not wait so long leaves it to the next rebuild.
      if (!isToStop()) await remove(old);
      await end();
      return true;
    };

    return {
      ...fresh,
      goLive: (signal) => () =>
        goLive(signal).then(E.right, (failure: unknown) => E.left(toStoreError(failure))),
      abandon: async () => {
        if (await renew(owner)) {
          await write(old, undefined);
          await remove(name);
        }
        await end();
      },
    };
  };

  return {
    look: () => async (): Promise<E.Either<StoreError, ReadModelNames>> => server.query(readNames)(),
    leaseMs,
    open: (name): Promise<KeptReadModel> => openReadModel(server, name, events),
    adopted: () => () => Promise.resolve(E.right(undefined)),
    begin,
    close: server.close,
  };
};

/**
 * Connects to the database that keeps the read models.
 *
 * @param url `mongodb://...`; the database is the one in its path, or `pricebook`.
 * @throws MongoError where the server does not answer.
 */
export const openMongoReadModels = async (
  url: string,
  events: EventSource,
  { leaseMs = LEASE_MS }: Options = {},
): Promise<MongoReadModelStore> => openStore(await connect(url), events, leaseMs);

/** Opens the live read model of a database by itself, with a connection of its own. */
export const openMongoReadModel = async (url: string, events: EventSource): Promise<KeptReadModel> => {
  const store = await openMongoReadModels(url, events);
  try {
    const names = await store.look()();
    const kept = await store.open(E.isRight(names) ? names.right.live : FIRST);
    return { ...kept, close: store.close };
  } catch (failure) {
    await store.close();
    throw failure;
  }
};
