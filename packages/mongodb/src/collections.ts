import type { Collection } from 'mongodb';
import type {
  BookDocument,
  CellDocument,
  CheckpointDocument,
  RequestDocument,
  RowDocument,
} from './documents';
import type { Server } from './server';

export interface Collections {
  /** What books are, and what they and their products hold now. */
  readonly current: Collection<BookDocument | CellDocument>;
  /** Every change of what a product, or a book for all products, holds. */
  readonly history: Collection<RowDocument>;
  /** The requests that are remembered by an idempotency key. */
  readonly requests: Collection<RequestDocument>;
  readonly checkpoints: Collection<CheckpointDocument>;
}

/** What the names of the collections of a read model begin with: all of them but that of the checkpoints. */
export const PARTS = ['current', 'history', 'requests'] as const;

/** The name of the first read model of a database. Those that are made later have random ones, so that none comes twice. */
export const FIRST = '1';

/** The read model's own part in names of collections and documents. */
export const suffixOf = (readModel: string): string => (readModel === FIRST ? '' : `-${readModel}`);

const part = new RegExp(`^(?:${[...PARTS, 'checkpoint'].join('|')})(?:-([0-9a-f]{8}))?$`);

/** The read model that a collection, or the document of a checkpoint, is of; undefined where it is of none. */
export const readModelOf = (name: string): string | undefined => {
  const found = part.exec(name);
  return found === null ? undefined : (found[1] ?? FIRST);
};

export const checkpointsOf = ({ database }: Pick<Server, 'database'>): Collection<CheckpointDocument> =>
  database.collection('checkpoints');

/** The collections of a read model as they are. */
export const collectionsOf = (server: Pick<Server, 'database'>, readModel: string): Collections => {
  const suffix = suffixOf(readModel);
  return {
    current: server.database.collection(`current${suffix}`),
    history: server.database.collection(`history${suffix}`),
    requests: server.database.collection(`requests${suffix}`),
    checkpoints: checkpointsOf(server),
  };
};

/** The collections of a read model with their indexes, which are made where they are missing. */
export const openCollections = async (server: Server, readModel: string): Promise<Collections> => {
  const { command } = server;
  const collections = collectionsOf(server, readModel);
  const { current, history, requests } = collections;
  await command(() =>
    current.createIndexes([
      { name: 'holder', key: { book: 1, holder: 1 }, sparse: true },
      { name: 'base', key: { 'state.basePriceBookId': 1 }, sparse: true },
    ]),
  );
  await command(() =>
    history.createIndexes([
      { name: 'at', key: { book: 1, holder: 1, currency: 1, occurredAt: -1, revision: -1 } },
    ]),
  );
  await command(() => requests.createIndexes([{ name: 'old', key: { 'state.occurredAt': 1 } }]));
  return collections;
};
