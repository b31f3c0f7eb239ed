import type { KeptReadModel, Position, StoreError } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import { openCollections, suffixOf } from './collections';
import { type CheckpointDocument, toPosition, toStoredPosition } from './documents';
import { foldBatch } from './fold-batch';
import { createLists } from './lists';
import { createQueries } from './queries';
import { createRememberedRequests } from './remembered-requests';
import { isDuplicate, type Server, toStoreError } from './server';
import { loadWorkingSet } from './working-set';
import { writeBatch } from './write-batch';

/** The document that says how far the projection of a read model has come. */
export const checkpointOf = (readModel: string): string => `checkpoint${suffixOf(readModel)}`;

/** A document that many changes of a batch are about is written once. */
const CHANGES_TOGETHER = 5_000;

/** Of what is kept: a read model of another version has to be made anew. */
const VERSION = 2;

/** The read model is of other events, or of another version of the service. */
export class ForeignReadModel extends Error {
  override readonly name = 'ForeignReadModel';
}

/** What a read model is made of. */
export interface EventSource {
  /** Tells the events from those of any other store; undefined while there are none. */
  readonly id: string | undefined;
  /** As far as a read model of these events can have come; undefined for not at all. */
  readonly end: () => Promise<Position | undefined>;
}

/** What says which events a read model is made of, and by which version. */
export const sourceOf = (id: string): string => `${String(VERSION)}:${id}`;

/** The events that a read model is made of, whichever version has made it. */
export const eventsOf = (source: string): string => source.replace(/^\d+:/, '');

/**
 * Opens a read model in a database of MongoDB, with its indexes.
 *
 * @throws MongoError where the server does not answer.
 * @throws ForeignReadModel where the database holds what was made of other events, or has come further than they.
 */
export const openReadModel = async (
  server: Server,
  name: string,
  events: EventSource,
): Promise<KeptReadModel> => {
  const collections = await openCollections(server, name);
  const { checkpoints } = collections;
  const requests = createRememberedRequests(server, collections);
  const _id = checkpointOf(name);
  const readCheckpoint = () => checkpoints.findOne({ _id });
  const positionOf = (stored: CheckpointDocument | null): Position | undefined =>
    stored?.position === undefined ? undefined : toPosition(stored.position);
  const readPosition = async () => positionOf(await readCheckpoint());

  /** Claims the database for these events, or finds that it is of others. */
  const claim = async (): Promise<void> => {
    const stored = await server.read(readCheckpoint);
    const position = positionOf(stored);
    const source = events.id === undefined ? undefined : sourceOf(events.id);
    const isForeign = stored?.source !== undefined && source !== undefined && stored.source !== source;
    // Asked after the checkpoint was read: other processes append, and project, meanwhile.
    const end = await events.end();
    const isAhead = position !== undefined && (end === undefined || position > end);
    const isOfOthers = isForeign && eventsOf(stored.source) !== events.id;
    const found = `the read model in the database ${server.database.databaseName} of MONGODB_URL was made`;
    const anew = 'drop this one and start again: it is made anew';
    if (isOfOthers) {
      throw new ForeignReadModel(`${found} of other events. Name another database, or ${anew}`);
    }
    if (isForeign || isAhead) {
      const how = isForeign ? 'by another version of the service' : 'of more events than there are now';
      throw new ForeignReadModel(
        `${found} ${how}. Run pricebook rebuild; or name another database, or ${anew}`,
      );
    }
    if (source === undefined || stored?.source !== undefined) return;
    await server.command(() =>
      // Where another process has claimed it since, this one tries to insert, and finds a duplicate.
      checkpoints.updateOne({ _id, source: { $exists: false } }, { $set: { source } }, { upsert: true }),
    );
  };
  await claim().catch(async (failure: unknown) => {
    // Two processes that start at once may both have claimed it: look again whose it is.
    if (!isDuplicate(failure)) throw failure;
    await claim();
  });

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
    close: () => Promise.resolve(),
  };
};
