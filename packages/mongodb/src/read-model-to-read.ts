/** The live read model of a database for those who look at it beside the processes that use it. */
import type { LiveReadModel } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import { collectionsOf } from './collections';
import { toPosition } from './documents';
import { checkpointOf, eventsOf, type EventSource, ForeignReadModel, sourceOf } from './read-model';
import { findEntries, walkEntries } from './read-model-entries';
import { LEASE_MS, openStore } from './read-model-store';
import { connect, type Server } from './server';

export interface MongoReadModelToRead extends LiveReadModel {
  readonly close: () => Promise<void>;
}

const open = async (server: Server, events: EventSource): Promise<MongoReadModelToRead> => {
  const { look } = openStore(server, events, LEASE_MS);
  const liveName = async (): Promise<string> => {
    const names = await look()();
    if (E.isLeft(names)) throw new Error(names.left.reason);
    return names.right.live;
  };
  const name = await liveName();
  const collections = collectionsOf(server, name);
  const readCheckpoint = () => collections.checkpoints.findOne({ _id: checkpointOf(name) });

  const stored = await server.read(readCheckpoint);
  const where = `the database ${server.database.databaseName} of MONGODB_URL`;
  if (stored === null) throw new ForeignReadModel(`there is no read model in ${where}: the service makes it`);
  const { source, position } = stored;
  const refuse = (how: string): never => {
    throw new ForeignReadModel(`the read model in ${where} was made ${how}`);
  };
  if (source !== undefined && events.id !== undefined && source !== sourceOf(events.id)) {
    refuse(eventsOf(source) === events.id ? 'by another version of the service' : 'of other events');
  }
  const end = await events.end();
  if (position !== undefined && (end === undefined || toPosition(position) > end)) {
    refuse('of more events than there are now');
  }

  return {
    checkpoint: () =>
      server.query(async () => {
        const found = await readCheckpoint();
        return found?.position === undefined ? undefined : toPosition(found.position);
      }),
    isLive: () => async () => {
      const names = await look()();
      return E.isLeft(names) ? names : E.right(names.right.live === name);
    },
    entries: () => walkEntries(server, collections),
    findEntries: (keys) => findEntries(server, collections, keys),
    close: server.close,
  };
};

/**
 * Opens the live read model of a database, without claiming or making anything.
 *
 * @throws MongoError where the server does not answer.
 * @throws ForeignReadModel where there is none, or it was made of other events, or has come further than they.
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
