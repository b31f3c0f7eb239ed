import type { Position, ReadModel, StoreError } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import { openCollections } from './collections';
import { toPosition, toStoredPosition } from './documents';
import { foldBatch } from './fold-batch';
import { createQueries } from './queries';
import { connect, isDuplicate, toStoreError } from './server';
import { loadWorkingSet } from './working-set';
import { writeBatch } from './write-batch';

export interface MongoReadModel extends ReadModel {
  readonly close: () => Promise<void>;
}

/** The document that says how far the projection has come. */
const CHECKPOINT = 'checkpoint';

/** A document that many changes of a batch are about is written once. */
const CHANGES_TOGETHER = 5_000;

/** Of what is kept: a read model of another version has to be made anew. */
const VERSION = 1;

/** The read model is of other events, or of another version of the service. */
export class ForeignReadModel extends Error {
  override readonly name = 'ForeignReadModel';
}

/** What a read model is made of. */
interface EventSource {
  /** Tells the events from those of any other store; undefined while there are none. */
  readonly id: string | undefined;
  /** As far as a read model of these events can have come; undefined for not at all. */
  readonly end: () => Promise<Position | undefined>;
}

/**
 * Opens the read model in a database of MongoDB, with its indexes.
 *
 * @param url `mongodb://...`; the database is the one in its path, or `pricebook`.
 * @throws MongoError where the server does not answer.
 * @throws ForeignReadModel where the database holds what was made of other events, or has come further than they.
 */
export const openMongoReadModel = async (url: string, events: EventSource): Promise<MongoReadModel> => {
  const server = await connect(url);
  try {
    const collections = await openCollections(server);
    const { checkpoints } = collections;
    const readCheckpoint = () => checkpoints.findOne({ _id: CHECKPOINT });

    /** Claims the database for these events, or finds that it is of others. */
    const claim = async (): Promise<void> => {
      const stored = await server.command(readCheckpoint);
      const position = stored?.position === undefined ? undefined : toPosition(stored.position);
      const source = events.id === undefined ? undefined : `${String(VERSION)}:${events.id}`;
      const isOfOthers = stored?.source !== undefined && source !== undefined && stored.source !== source;
      // Asked after the checkpoint was read: other processes append, and project, meanwhile.
      const end = await events.end();
      const isAhead = position !== undefined && (end === undefined || position > end);
      if (isOfOthers || isAhead) {
        throw new ForeignReadModel(
          `the read model in the database ${server.database.databaseName} of MONGODB_URL was made of other events, ` +
            'or of more than there are now. Name another database, or drop this one and start again: it is made anew',
        );
      }
      if (source === undefined || stored?.source !== undefined) return;
      await server.command(() =>
        // Where another process has claimed it since, this one tries to insert, and finds a duplicate.
        checkpoints.updateOne(
          { _id: CHECKPOINT, source: { $exists: false } },
          { $set: { source } },
          { upsert: true },
        ),
      );
    };
    await claim().catch(async (failure: unknown) => {
      // Two processes that start at once may both have claimed it: look again whose it is.
      if (!isDuplicate(failure)) throw failure;
      await claim();
    });

    const saveCheckpoint = (position: Position): Promise<unknown> =>
      server.command(() =>
        checkpoints.updateOne(
          { _id: CHECKPOINT },
          { $max: { position: toStoredPosition(position) } },
          { upsert: true },
        ),
      );

    return {
      ...createQueries(server, collections),

      changesTogether: CHANGES_TOGETHER,

      checkpoint: () =>
        server.query(async () => {
          const stored = await readCheckpoint();
          return stored?.position === undefined ? undefined : toPosition(stored.position);
        }),

      apply: (changes, checkpoint) => async (): Promise<E.Either<StoreError, void>> => {
        try {
          if (changes.length > 0) {
            const set = await loadWorkingSet(server, collections, changes);
            await foldBatch(set, changes);
            await writeBatch(server, collections, set);
          }
          await saveCheckpoint(checkpoint);
          return E.right(undefined);
        } catch (failure) {
          return E.left(toStoreError(failure));
        }
      },

      close: server.close,
    };
  } catch (failure) {
    await server.close();
    throw failure;
  }
};
