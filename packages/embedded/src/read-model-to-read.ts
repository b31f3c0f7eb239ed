/** The live read model of a folder for those who look at it beside the process that serves the folder. */
import fs from 'node:fs';
import path from 'node:path';
import type { LiveReadModel, StoreError } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import { toStoreError } from './damage';
import { openEnvironment } from './environment';
import { liveFile } from './live-file';
import { VERSION } from './read-model';
import { findEntries, walkEntries } from './read-model-entries';
import { readModelState } from './read-model-state';
import { openTables } from './read-model-tables';

export interface EmbeddedReadModelToRead extends LiveReadModel {
  readonly close: () => Promise<void>;
}

/**
 * Opens the live read model without a lock and without changing anything.
 *
 * @param source the id of the event store that it has to be made of.
 * @throws Damage; Error where there is no read model of these events that could be read.
 */
export const openEmbeddedReadModelToRead = (folder: string, source: string): EmbeddedReadModelToRead => {
  const file = path.join(folder, liveFile(folder));
  if (!fs.existsSync(file)) {
    throw new Error(`there is no read model in ${path.resolve(folder)}: the service makes it`);
  }
  if (!readModelState(file, VERSION, source).isReadable) {
    throw new Error(
      `${file} is of another version or of other events, or was open at a power cut; the service rebuilds it when it starts`,
    );
  }
  const opened = openEnvironment({ file, readOnly: true }, openTables);
  const { environment, held: tables } = opened;
  let isClosed = false;

  const refresh = (): void => {
    environment.resetReadTxn();
  };

  /** lmdb ends the process where it is used after it was closed. */
  const query = <A>(use: () => A): TE.TaskEither<StoreError, A> =>
    TE.fromIOEither(() =>
      isClosed
        ? E.left({ _tag: 'StoreUnavailable', reason: `${file} is closed` })
        : E.tryCatch(
            () => {
              refresh();
              return use();
            },
            (failure) => toStoreError(file, failure),
          ),
    );

  return {
    checkpoint: () => query(tables.checkpoint),
    entries: () => walkEntries(tables, refresh),
    findEntries: (keys) => query(() => findEntries(tables, keys)),
    close: async () => {
      isClosed = true;
      await opened.close();
    },
  };
};
