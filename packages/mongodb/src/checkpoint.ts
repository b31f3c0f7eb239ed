/**
 * The position up to which a read model has applied events. A majority has everything up to a checkpoint before that is written, so it says nothing
 * that a failover takes back, and is read and written on the primary alone. One that is lost with its primary is found
 * to have gone back, and the events after the stored one are applied again.
 */
import type { Position, StoreError } from '@pricebook/application';
import type { TaskEither } from 'fp-ts/TaskEither';
import { MongoError } from 'mongodb';
import { positionOf } from './claim';
import { checkpointOf, checkpointsOf } from './collections';
import { toStoredPosition } from './documents';
import type { Server } from './server';

export const readCheckpoint =
  (server: Server, readModel: string) => (): TaskEither<StoreError, Position | undefined> =>
    server.query(async () =>
      positionOf(
        await checkpointsOf(server).findOne({ _id: checkpointOf(readModel) }, { readConcern: 'local' }),
      ),
    );

/**
 * @param after the checkpoint that the events before this one follow.
 * @throws MongoError where the stored one is before that: events in between are missing.
 */
export const saveCheckpoint = async (
  server: Server,
  readModel: string,
  position: Position,
  after: Position | undefined,
): Promise<void> => {
  const _id = checkpointOf(readModel);
  const { matchedCount } = await server.command(() =>
    checkpointsOf(server).updateOne(
      after === undefined ? { _id } : { _id, position: { $gte: toStoredPosition(after) } },
      { $max: { position: toStoredPosition(position) } },
      { upsert: after === undefined, writeConcern: { w: 1 } },
    ),
  );
  if (after !== undefined && matchedCount === 0) throw new MongoError('the read model has gone back');
};
