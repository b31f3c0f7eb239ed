/** Which events the read models of a database are made of, and which of them processes use. */
import type { Position } from '@pricebook/application';
import { checkpointOf, checkpointsOf } from './collections';
import { type CheckpointDocument, toPosition } from './documents';
import { isDuplicate, type Server } from './server';

/** The read model is of other events, or of more events than there are. */
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

/** How often a process says that it uses a read model. */
const USE_MS = 60_000;

export const positionOf = (stored: CheckpointDocument | null | undefined): Position | undefined =>
  stored?.position === undefined ? undefined : toPosition(stored.position);

/** Whether a checkpoint is of other events. Versions before v3 wrote a number before the id of the events. */
const isForeign = ({ source }: CheckpointDocument, { id }: EventSource): boolean =>
  source !== undefined && id !== undefined && source.replace(/^\d+:/, '') !== id;

/**
 * Refuses a read model that cannot be of these events, and a database that has one of other events, of any version.
 *
 * @returns its checkpoint.
 * @throws ForeignReadModel
 */
export const checkSource = async (
  server: Server,
  name: string,
  events: EventSource,
): Promise<CheckpointDocument | undefined> => {
  const checkpoints = await server.read(() => checkpointsOf(server).find().toArray());
  const found = `the read model in the database ${server.database.databaseName} of MONGODB_URL was made of`;
  if (checkpoints.some((one) => isForeign(one, events))) {
    throw new ForeignReadModel(`${found} other events. Name another database, or drop this one`);
  }
  const stored = checkpoints.find(({ _id }) => _id === checkpointOf(name));
  const position = positionOf(stored);
  // Asked after the checkpoint was read: other processes append, and project, meanwhile.
  const end = await events.end();
  if (position !== undefined && (end === undefined || position > end)) {
    throw new ForeignReadModel(
      `${found} more events than there are now. Run pricebook rebuild, or name another database`,
    );
  }
  return stored;
};

/**
 * Says from now on that this process uses a read model, so that no rebuild removes it.
 *
 * @returns ends that.
 */
export const keepInUse = (server: Server, name: string): (() => void) => {
  const say = (): void => {
    server
      .command(() =>
        checkpointsOf(server).updateOne({ _id: checkpointOf(name) }, { $currentDate: { usedAt: true } }),
      )
      // It is tried again in a minute; other calls report a server that is away.
      .catch(() => undefined);
  };
  const timer = setInterval(say, USE_MS).unref();
  return () => {
    clearInterval(timer);
  };
};

/**
 * Claims a read model, which need not be there yet, for these events, and for this process until it has been unused
 * for long.
 *
 * @throws ForeignReadModel
 */
export const claim = async (server: Server, name: string, events: EventSource): Promise<void> => {
  const claimOnce = async (): Promise<void> => {
    await checkSource(server, name, events);
    const { id } = events;
    await server.command(() =>
      checkpointsOf(server).updateOne(
        // Where another process has claimed it since, this one tries to insert, and finds a duplicate.
        {
          _id: checkpointOf(name),
          ...(id !== undefined && { $or: [{ source: id }, { source: { $exists: false } }] }),
        },
        { $currentDate: { usedAt: true }, ...(id !== undefined && { $set: { source: id } }) },
        { upsert: true },
      ),
    );
  };
  await claimOnce().catch(async (failure: unknown) => {
    if (!isDuplicate(failure)) throw failure;
    await claimOnce();
  });
};
