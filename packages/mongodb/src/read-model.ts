import type { KeptReadModel, Position, StoreError } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import { claim, type EventSource, keepInUse, positionOf } from './claim';
import { checkpointOf, openCollections } from './collections';
import { toStoredPosition } from './documents';
import { foldBatch } from './fold-batch';
import { createLists } from './lists';
import { createQueries } from './queries';
import { createRememberedRequests } from './remembered-requests';
import { type Server, toStoreError } from './server';
import { loadWorkingSet } from './working-set';
import { writeBatch } from './write-batch';

/** A document that many changes of a batch are about is written once. */
const CHANGES_TOGETHER = 5_000;

/**
 * Opens a read model in a database of MongoDB, with its indexes. It counts as used until it is closed.
 *
 * @throws MongoError where the server does not answer.
 * @throws ForeignReadModel where the database holds what was made of other events, or it is ahead of these.
 */
export const openReadModel = async (
  server: Server,
  name: string,
  events: EventSource,
): Promise<KeptReadModel> => {
  await claim(server, name, events);
  const collections = await openCollections(server, name);
  const stopUse = keepInUse(server, name);
  const { checkpoints } = collections;
  const requests = createRememberedRequests(server, collections);
  const _id = checkpointOf(name);
  const readPosition = async () => positionOf(await checkpoints.findOne({ _id }));

  const saveCheckpoint = (position: Position): Promise<unknown> =>
    server.command(() =>
      checkpoints.updateOne({ _id }, { $max: { position: toStoredPosition(position) } }, { upsert: true }),
    );

  return {
    name,

    ...createQueries(server, collections),
    ...createLists(server, collections),

    findRemembered: (requestName) => server.query(() => requests.find(requestName)),

    changesTogether: CHANGES_TOGETHER,

    checkpoint: () => server.query(readPosition),

    apply: (changes, checkpoint, after) => async (): Promise<E.Either<StoreError, void>> => {
      try {
        const [set, stored] = await Promise.all([
          loadWorkingSet(server, collections, changes),
          server.read(readPosition),
        ]);
        if (after !== undefined && (stored === undefined || stored < after)) {
          return E.left({ _tag: 'StoreUnavailable', reason: 'MongoDB: the read model has gone back' });
        }
        if (changes.length > 0) {
          await foldBatch(set, changes);
          await writeBatch(server, collections, set);
          await requests.keep(changes);
        }
        await saveCheckpoint(checkpoint);
        return E.right(undefined);
      } catch (failure) {
        return E.left(toStoreError(failure));
      }
    },

    // The connection is that of the store.
    close: () => {
      stopUse();
      return Promise.resolve();
    },
  };
};
