import { randomBytes } from 'node:crypto';
import type { Collection } from 'mongodb';
import type {
  BookDocument,
  BoundaryDocument,
  CellDocument,
  CheckpointDocument,
  RequestDocument,
  RowDocument,
} from './documents';
import type { Server } from './server';

export interface Collections {
  /** What books are, what they and their products hold now, and where something of it begins or ends. */
  readonly current: Collection<BookDocument | CellDocument | BoundaryDocument>;
  /** Every change of what a product, or a book for all products, holds. */
  readonly history: Collection<RowDocument>;
  /** The requests that are remembered by an idempotency key. */
  readonly requests: Collection<RequestDocument>;
  readonly checkpoints: Collection<CheckpointDocument>;
}

/** What the names of the collections of a read model begin with: all of them but that of the checkpoints. */
export const PARTS = ['current', 'history', 'requests'] as const;

/**
 * The version of what is kept. It is a part of the names, so that services of two versions use one database, each with
 * a read model of its own.
 */
const VERSION = 'v5';

/** The document that names the live read model of this version. */
export const LIVE = `live-${VERSION}`;

/** The name of the first read model of this version in a database. Later ones have a random part, and are never used again. */
export const FIRST = VERSION;

export const newName = (): string => `${VERSION}-${randomBytes(4).toString('hex')}`;

/** The document that says how far the projection of a read model has come. */
export const checkpointOf = (readModel: string): string => `checkpoint-${readModel}`;

const part = new RegExp(`^(?:${[...PARTS, 'checkpoint'].join('|')})-(v\\d+(?:-[0-9a-f]{8})?)$`);

/**
 * The read model, of any version, that a collection or the document of a checkpoint belongs to; undefined where it
 * belongs to none, or has no version in its name: those are of versions before v3, whose processes may be running.
 */
export const readModelOf = (name: string): string | undefined => part.exec(name)?.[1];

export const checkpointsOf = ({ database }: Pick<Server, 'database'>): Collection<CheckpointDocument> =>
  database.collection('checkpoints');

/** The primary alone acknowledges what is written to them: a batch of writes waits for a majority once. */
const TOGETHER = { writeConcern: { w: 1 } } as const;

/** The collections of a read model as they are. */
export const collectionsOf = (server: Pick<Server, 'database'>, readModel: string): Collections => {
  return {
    current: server.database.collection(`current-${readModel}`, TOGETHER),
    history: server.database.collection(`history-${readModel}`, TOGETHER),
    requests: server.database.collection(`requests-${readModel}`, TOGETHER),
    checkpoints: checkpointsOf(server),
  };
};

/** Books that are in lists: those that exist. */
export const LISTED = { 'state.namePlace': { $exists: true } } as const;

/** The collections of a read model with their indexes, which are made where they are missing. */
export const openCollections = async (server: Server, readModel: string): Promise<Collections> => {
  const { command, together } = server;
  const collections = collectionsOf(server, readModel);
  const { current, history, requests } = collections;
  await together(async () => {
    await command(() =>
      current.createIndexes([
        { name: 'holder', key: { book: 1, holder: 1 }, sparse: true },
        { name: 'product', key: { holder: 1, book: 1 }, sparse: true },
        { name: 'base', key: { 'state.basePriceBookId': 1 }, sparse: true },
        { name: 'name', key: { 'state.namePlace': 1, _id: 1 }, partialFilterExpression: LISTED },
        { name: 'update', key: { 'state.updatedAt': 1, _id: 1 }, partialFilterExpression: LISTED },
        { name: 'key', key: { 'state.key.value': 1, _id: 1 }, partialFilterExpression: LISTED },
      ]),
    );
    await command(() =>
      history.createIndexes([
        { name: 'at', key: { book: 1, holder: 1, currency: 1, occurredAt: -1, revision: -1 } },
      ]),
    );
    await command(() => requests.createIndexes([{ name: 'old', key: { 'state.occurredAt': 1 } }]));
  });
  return collections;
};
