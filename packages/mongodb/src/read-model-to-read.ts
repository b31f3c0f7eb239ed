/** The live read model of a database for those who look at it beside the processes that use it. */
import type { LiveReadModel } from '@pricebook/application';
import { readCheckpoint } from './checkpoint';
import { checkSource, type EventSource, ForeignReadModel, keepInUse } from './claim';
import { collectionsOf } from './collections';
import { findEntries, walkEntries } from './read-model-entries';
import { liveName } from './read-model-store';
import { connect, type Server } from './server';

export interface MongoReadModelToRead extends LiveReadModel {
  readonly close: () => Promise<void>;
}

const open = async (server: Server, events: EventSource): Promise<MongoReadModelToRead> => {
  const name = await liveName(server);
  if ((await checkSource(server, name, events)) === undefined) {
    throw new ForeignReadModel(
      `there is no read model in the database ${server.database.databaseName} of MONGODB_URL: the service makes it`,
    );
  }
  const collections = collectionsOf(server, name);
  const stopUse = keepInUse(server, name);
  return {
    checkpoint: readCheckpoint(server, name),
    entries: () => walkEntries(server, collections),
    findEntries: (keys) => findEntries(server, collections, keys),
    close: () => {
      stopUse();
      return server.close();
    },
  };
};

/**
 * Opens the live read model of a database, without claiming or making anything.
 *
 * @throws MongoError where the server does not answer.
 * @throws ForeignReadModel where there is none, or it was made of other events, or is ahead of them.
 */
export const openMongoReadModelToRead = async (
  url: string,
  events: EventSource,
): Promise<MongoReadModelToRead> => {
  const server = await connect(url);
  try {
    return await open(server, events);
  } catch (failure) {
    await server.close();
    throw failure;
  }
};
