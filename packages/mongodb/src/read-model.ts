import type { KeptReadModel, StoreError } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import { readCheckpoint, saveCheckpoint } from './checkpoint';
import { createBoundaryLists } from './boundaries';
import { claim, type EventSource, keepInUse } from './claim';
import { openCollections } from './collections';
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
  const requests = createRememberedRequests(server, collections);
  /** A majority may not have yet what a batch that failed wrote: one read could see it, and the one before not. */
  let isUnconfirmed = false;

  return {
    name,

    ...createQueries(server, collections),
    ...createLists(server, collections),
    ...createBoundaryLists(server, collections),

    findRemembered: (requestName) => server.query(() => requests.find(requestName)),

    changesTogether: CHANGES_TOGETHER,

    checkpoint: readCheckpoint(server, name),

    apply: (changes, checkpoint, after) => async (): Promise<E.Either<StoreError, void>> => {
      try {
        if (changes.length > 0) {
          if (isUnconfirmed) await server.together(() => Promise.resolve());
          const set = await loadWorkingSet(server, collections, changes);
          await foldBatch(set, changes);
          isUnconfirmed = true;
          await server.together(async () => {
            await writeBatch(server, collections, set);
            await requests.keep(changes);
          });
          isUnconfirmed = false;
        }
        await saveCheckpoint(server, name, checkpoint, after);
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
