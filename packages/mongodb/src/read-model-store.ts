/**
 * The read models of a database. A document for each version of the service names the live one. A rebuild builds its
 * own beside that and changes the name in one step; processes stay with the read model that they have opened.
 */
import type { KeptReadModel, NewReadModel, ReadModelStore } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import type { Collection } from 'mongodb';
import type { EventSource } from './claim';
import { checkpointOf, checkpointsOf, FIRST, LIVE, newName, PARTS, readModelOf } from './collections';
import { openReadModel } from './read-model';
import { connect, isDuplicate, isMissing, type Named, type Server, toStoreError } from './server';

/** A read model that no process has used for so long may be removed. */
const UNUSED_MS = 3_600_000;

interface LiveDocument extends Named {
  readonly live: string;
}

const liveDocuments = ({ database }: Server): Collection<LiveDocument> => database.collection('read-models');

/** The name of the live read model. */
export const liveName = async (server: Server): Promise<string> =>
  (await server.read(() => liveDocuments(server).findOne({ _id: LIVE })))?.live ?? FIRST;

export interface MongoReadModelStore extends ReadModelStore {
  readonly close: () => Promise<void>;
}

/** Its checkpoint goes last: what is cut off is found, and removed, the next time. */
const remove = async (server: Server, readModel: string): Promise<void> => {
  for (const name of PARTS) {
    const drop = () => server.database.dropCollection(`${name}-${readModel}`);
    await server.command(drop).catch((failure: unknown) => {
      if (!isMissing(failure)) throw failure;
    });
  }
  await server.command(() => checkpointsOf(server).deleteOne({ _id: checkpointOf(readModel) }));
};

/** Removes the read models, of every version, that are not live in this one and that no process uses. */
const removeUnused = async (server: Server, live: string): Promise<void> => {
  const isUnused = { $expr: { $lt: ['$usedAt', { $subtract: ['$$NOW', UNUSED_MS] }] } };
  const unused = await server.read(() => checkpointsOf(server).find(isUnused).toArray());
  for (const name of unused.map(({ _id }) => readModelOf(_id))) {
    if (name !== undefined && name !== live) await remove(server, name);
  }
};

const begin = async (server: Server, events: EventSource): Promise<NewReadModel> => {
  const old = await liveName(server);
  const name = newName();
  const fresh = await openReadModel(server, name, events);
  await removeUnused(server, old);
  /** It is, or nobody knows: a command that was not answered may still be carried out. */
  let mayBeLive = false;

  const goLive = async (): Promise<boolean> => {
    try {
      const { matchedCount, upsertedCount } = await server.command(() =>
        liveDocuments(server).updateOne(
          { _id: LIVE, live: old },
          { $set: { live: name } },
          { upsert: old === FIRST },
        ),
      );
      if (matchedCount + upsertedCount > 0) {
        mayBeLive = true;
        return true;
      }
    } catch (failure) {
      // An upsert that finds that another one is live.
      if (!isDuplicate(failure)) {
        mayBeLive = true;
        throw failure;
      }
    }
    return (await liveName(server)) === name;
  };

  return {
    ...fresh,
    goLive: () => goLive().then(E.right, (failure: unknown) => E.left(toStoreError(failure))),
    abandon: async () => {
      await fresh.close();
      if (!mayBeLive) await remove(server, name);
    },
  };
};

const openStore = (server: Server, events: EventSource): MongoReadModelStore => ({
  openLive: async () => openReadModel(server, await liveName(server), events),
  begin: () => begin(server, events),
  close: server.close,
});

/**
 * Connects to the database that keeps the read models.
 *
 * @param url `mongodb://...`; the database is the one in its path, or `pricebook`.
 * @throws MongoError where the server does not answer.
 */
export const openMongoReadModels = async (url: string, events: EventSource): Promise<MongoReadModelStore> =>
  openStore(await connect(url), events);

/** Opens the live read model of a database by itself, with a connection of its own. */
export const openMongoReadModel = async (url: string, events: EventSource): Promise<KeptReadModel> => {
  const store = await openMongoReadModels(url, events);
  try {
    const kept = await store.openLive();
    return {
      ...kept,
      close: async () => {
        await kept.close();
        await store.close();
      },
    };
  } catch (failure) {
    await store.close();
    throw failure;
  }
};
