/** A read model that is made to be compared with, and thrown away. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Position, ScratchReadModel, StoreError } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import { committed, toStoreError } from './damage';
import { openEnvironment } from './environment';
import { findEntries, walkEntries } from './read-model-entries';
import { openTables } from './read-model-tables';

export interface EmbeddedScratchReadModel extends ScratchReadModel {
  /** Where it is kept meanwhile. */
  readonly folder: string;
  readonly remove: () => Promise<void>;
}

/** Opens one in a new folder among the temporary files. It takes memory that the system can have back at any time. */
export const openScratchReadModel = (): EmbeddedScratchReadModel => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pricebook-verify-'));
  const file = path.join(folder, 'scratch.mdb');
  // Nobody else opens it: commits need no lock.
  const opened = openEnvironment({ file, readOnly: false }, openTables);
  const { environment, held: tables } = opened;
  let isRemoved = false;

  const query = <A>(use: () => A): TE.TaskEither<StoreError, A> =>
    TE.fromIOEither(() =>
      isRemoved
        ? E.left({ _tag: 'StoreUnavailable', reason: `${file} is removed` })
        : E.tryCatch(use, (failure) => toStoreError(file, failure)),
    );

  return {
    folder,
    checkpoint: () => query(tables.checkpoint),
    // On lmdb's own thread.
    apply: (changes, checkpoint: Position) => async () => {
      const started = await query(() =>
        tables.commit(() =>
          environment.batch(() => {
            tables.apply(changes);
            tables.saveCheckpoint(checkpoint);
          }),
        ),
      )();
      return E.isLeft(started) ? started : committed(file, started.right);
    },
    listHoldings: (id, limit, from) => query(() => tables.productsOf(id, limit, from)),
    findCells: (id, keys) => query(() => keys.map(tables.cellsIn(id))),
    findHoldingsHistory: (id, productId, currency, after, limit) =>
      query(() => tables.chainHistoryOf(id, productId, currency, after, limit)),
    entries: () => walkEntries(tables, () => undefined),
    findEntries: (keys) => query(() => findEntries(tables, keys)),
    remove: async () => {
      isRemoved = true;
      await opened.close();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
};
