/**
 * The read models of a database. Which one is live stands in a document that every process looks at; a rebuild
 * announces its own there before it is live, and takes the old one away once no process can be reading it.
 */
import { randomBytes, randomUUID } from 'node:crypto';
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
import { checkpointsOf, FIRST, PARTS, readModelOf, suffixOf } from './collections';
import { checkpointOf, eventsOf, type EventSource, ForeignReadModel, openReadModel } from './read-model';
import { CLAIM, type ClaimDocument, claimsOf } from './rebuild-claim';
import { connect, isDuplicate, isMissing, type Named, type Server, toStoreError } from './server';

/** For how long a process relies on what it has read of which read model is live. */
export const LEASE_MS = 3_000;
/** Leases after which who renews a claim no more counts as ended. What was announced counts for as long. */
const STALE_LEASES = 4;
/** Leases after which every process has heard of something, or does not answer before it has. */
const HEARD_LEASES = 1.2;
/** Leases after which nobody uses the old read model: others have heard of it, and those that went over first have let go. */
const UNUSED_LEASES = 3;

interface NamesDocument extends Named {
  readonly live: string;
  readonly next?: string;
}

const NAMES = 'names';

export interface MongoReadModelStore extends ReadModelStore {
  readonly leaseMs: number;
  readonly close: () => Promise<void>;
}

interface Options {
  /** The same for every process that uses the database. */
  readonly leaseMs?: number;
}

export const openStore = (server: Server, events: EventSource, leaseMs: number): MongoReadModelStore => {
  const { database, command, read } = server;
  const staleMs = leaseMs * STALE_LEASES;
  const names = database.collection('read-models') as unknown as Collection<NamesDocument>;
  const claims = claimsOf(server, names as unknown as Collection<ClaimDocument>, staleMs);

  /** What is announced, also by a rebuild that has ended without a word. */
  const readNames = async (): Promise<ReadModelNames> => {
    const { live = FIRST, next } = (await read(() => names.findOne({ _id: NAMES }))) ?? {};
    return { live, ...(next !== undefined && { next }) };
  };

  const look = async (): Promise<ReadModelNames> => {
    const found: readonly Named[] = await names.find().toArray();
    const { live = FIRST, next } = (found.find(({ _id }) => _id === NAMES) ?? {}) as Partial<NamesDocument>;
    const claim = found.find(({ _id }) => _id === CLAIM) as ClaimDocument | undefined;
    if (next === undefined) return { live };
    if (claims.isRenewed(claim)) return { live, next };
    // Its rebuild has ended without a word, or cannot be heard: then it may be live by now, and this fails to end it.
    await takeBack(next);
    return readNames();
  };

  /** Each step takes the one before for granted: one that was sent long ago, and comes late, changes nothing. */
  const announce = async (live: string, next: string): Promise<void> => {
    try {
      await command(() =>
        names.updateOne({ _id: NAMES, live }, { $set: { next } }, { upsert: live === FIRST }),
      );
    } catch (failure) {
      // Another one is live.
      if (!isDuplicate(failure)) throw failure;
    }
  };

  /** @returns whether it had been announced. */
  const takeBack = async (name: string): Promise<boolean> => {
    const { matchedCount } = await command(() =>
      names.updateOne({ _id: NAMES, next: name }, { $unset: { next: '' } }),
    );
    return matchedCount > 0;
  };

  /** @returns whether it is live. */
  const makeLive = async (name: string): Promise<boolean> => {
    await command(() =>
      // Another rebuild, to which this one looked as if it had ended, has withdrawn it.
      names.updateOne({ _id: NAMES, next: name }, { $set: { live: name }, $unset: { next: '' } }),
    );
    return (await readNames()).live === name;
  };

  /** Who has heard of it projects into it until it is withdrawn, and that is heard. */
  const withdraw = async (name: string): Promise<void> => {
    if (await takeBack(name)) await delay(leaseMs * HEARD_LEASES);
  };

  const remove = async (readModel: string): Promise<void> => {
    for (const name of PARTS) {
      await command(() => database.dropCollection(name + suffixOf(readModel))).catch((failure: unknown) => {
        if (!isMissing(failure)) throw failure;
      });
    }
    await command(() => checkpointsOf(server).deleteOne({ _id: checkpointOf(readModel) }));
  };

  /** Takes away what rebuilds have left that did not come to their end. */
  const removeOthers = async (live: string): Promise<void> => {
    const collections = await read(() => database.listCollections({}, { nameOnly: true }).toArray());
    const checkpoints = await read(() => checkpointsOf(server).find().toArray());
    const all = [...collections.map(({ name }) => name), ...checkpoints.map(({ _id }) => _id)];
    const there = new Set(all.map(readModelOf));
    for (const one of there) if (one !== undefined && one !== live) await remove(one);
  };

  /** A database that others use must not be taken over. */
  const refuseOthers = async (live: string): Promise<void> => {
    const stored = await read(() => checkpointsOf(server).findOne({ _id: checkpointOf(live) }));
    if (stored?.source === undefined || eventsOf(stored.source) === events.id) return;
    throw new ForeignReadModel(
      `the read model in the database ${database.databaseName} of MONGODB_URL was made of other events. Name another`,
    );
  };

  /** Announces it until every process has heard of it; false where it is told to stop. */
  const announceToAll = async (live: string, name: string, owner: string, signal: AbortSignal) => {
    for (;;) {
      const from = performance.now();
      if (!(await claims.renew(owner))) throw new Error('another process has taken the rebuild over');
      await announce(live, name);
      await delay(leaseMs * HEARD_LEASES, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return false;
      // Held up for long, it may have counted as ended meanwhile, and what it announced as left behind.
      if (performance.now() - from < staleMs * 0.75) return true;
    }
  };

  const beginOwned = async (owner: string): Promise<NewReadModel> => {
    const { next: left } = await readNames();
    if (left !== undefined) await withdraw(left);
    // Asked after that: what was left may have become live instead.
    const { live: old } = await readNames();
    await removeOthers(old);
    const name = randomBytes(4).toString('hex');
    const fresh = await openReadModel(server, name, events);
    const renewing = setInterval(() => {
      // Whether it has succeeded is looked at before it matters.
      claims.renew(owner).catch(() => undefined);
    }, staleMs / 8).unref();

    const end = async (): Promise<void> => {
      clearInterval(renewing);
      await claims.release(owner);
    };

    const goLive = async (signal: AbortSignal): Promise<boolean> => {
      if ((await readNames()).live !== name) {
        if (signal.aborted) return false;
        if (!(await announceToAll(old, name, owner, signal))) {
          await withdraw(name);
          return false;
        }
        if (!(await makeLive(name))) throw new Error('another process has taken the rebuild over');
      }
      await delay(leaseMs * UNUSED_LEASES);
      await remove(old);
      await end();
      return true;
    };

    return {
      ...fresh,
      goLive: (signal) => () =>
        goLive(signal).then(E.right, (failure: unknown) => E.left(toStoreError(failure))),
      abandon: async () => {
        if (await claims.renew(owner)) {
          await withdraw(name);
          // Where it was not heard whether it had become the live one, it may be just that.
          if ((await readNames()).live !== name) await remove(name);
        }
        await end();
      },
    };
  };

  const begin = async (): Promise<NewReadModel> => {
    await refuseOthers((await readNames()).live);
    const owner = randomUUID();
    if (!(await claims.take(owner))) {
      throw new Error(
        `the read model in the database ${database.databaseName} of MONGODB_URL is being rebuilt by another process`,
      );
    }
    try {
      return await beginOwned(owner);
    } catch (failure) {
      await claims.release(owner).catch(() => undefined);
      throw failure;
    }
  };

  return {
    look: () => server.query(look),
    leaseMs,
    open: (name): Promise<KeptReadModel> => openReadModel(server, name, events),
    // What is live here stays so until another is.
    adopt: () => (): Promise<E.Either<StoreError, boolean>> => Promise.resolve(E.right(true)),
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
