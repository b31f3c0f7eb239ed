import type { Collection } from 'mongodb';
import type { BookDocument, CellDocument, CheckpointDocument, RowDocument } from './documents';
import type { Server } from './server';

export interface Collections {
  /** What books are, and what they and their products hold now. */
  readonly current: Collection<BookDocument | CellDocument>;
  /** Every change of what a product, or a book for all products, holds. */
  readonly history: Collection<RowDocument>;
  readonly checkpoints: Collection<CheckpointDocument>;
}

/** The collections with their indexes, which are made where they are missing and of use. */
export const openCollections = async ({ database, abilities, command }: Server): Promise<Collections> => {
  const collections: Collections = {
    current: database.collection('current'),
    history: database.collection('history'),
    checkpoints: database.collection('checkpoints'),
  };
  if (!abilities.usesIndexes) return collections;
  const { current, history } = collections;
  // One at a time: FerretDB 1.24 fails where several that are there already are asked for at once.
  await command(() => current.createIndexes([{ name: 'holder', key: { book: 1, holder: 1 }, sparse: true }]));
  await command(() =>
    current.createIndexes([{ name: 'base', key: { 'state.basePriceBookId': 1 }, sparse: true }]),
  );
  await command(() =>
    history.createIndexes([
      { name: 'at', key: { book: 1, holder: 1, currency: 1, occurredAt: -1, revision: -1 } },
    ]),
  );
  return collections;
};
