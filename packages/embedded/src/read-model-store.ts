/**
 * The read models of a folder. The process that serves the folder opens the live one when it starts, and removes the
 * others then. A rebuild beside it names its own the live one, for the next start.
 */
import path from 'node:path';
import type { NewReadModel, Position, ReadModelStore } from '@pricebook/application';
import * as TE from 'fp-ts/TaskEither';
import { toStoreError } from './damage';
import { FolderInUse, type FolderLock, lockRebuild } from './folder-lock';
import { liveFile, makeLive, newName, removeOthers, removeReadModel } from './live-file';
import { openEmbeddedReadModel } from './read-model';

/** What read models are made of. */
export interface EventSource {
  /** Tells the events from those of any other store. */
  readonly id: string;
  /** As far as a read model of these events can have come; undefined for not at all. */
  readonly end: () => Promise<Position | undefined>;
}

/** The lock of rebuilds, unless one is running. */
const tryLockRebuild = (folder: string): FolderLock | undefined => {
  try {
    return lockRebuild(folder);
  } catch (failure) {
    if (failure instanceof FolderInUse) return undefined;
    throw failure;
  }
};

/**
 * The read models of a folder on LMDB. `openLive` is for the process that holds the folder's lock.
 *
 * @param report told, in a sentence, of what an operator should know.
 */
export const embeddedReadModels = (
  folder: string,
  { id, end }: EventSource,
  report: (message: string) => void,
): ReadModelStore => {
  /** Removes all but the live one, unless a rebuild is running. @returns the live one. */
  const removeOld = (): string => {
    const lock = tryLockRebuild(folder);
    const live = liveFile(folder);
    try {
      if (lock !== undefined) removeOthers(folder, live);
    } catch (failure) {
      // They take room, but the service can start.
      report(`old read models in ${folder} could not be removed (${String(failure)})`);
    } finally {
      lock?.release();
    }
    return live;
  };

  return {
    openLive: async () => openEmbeddedReadModel(folder, { id, head: await end() }, report, removeOld()),

    begin: async (): Promise<NewReadModel> => {
      const lock = lockRebuild(folder);
      try {
        const name = newName();
        const fresh = await openEmbeddedReadModel(folder, { id, head: undefined }, report, name);
        let isOpen = true;
        /** It is closed, and on disk, before it is live; and may be closed again. */
        const close = async (): Promise<void> => {
          if (isOpen) await fresh.close();
          isOpen = false;
        };
        return {
          ...fresh,
          close: async () => {
            await close();
            lock.release();
          },
          goLive: TE.tryCatch(
            async () => {
              await close();
              makeLive(folder, name);
              return true;
            },
            (failure) => toStoreError(folder, failure),
          ),
          abandon: async () => {
            await close();
            if (liveFile(folder) !== name) removeReadModel(path.join(folder, name));
            lock.release();
          },
        };
      } catch (failure) {
        lock.release();
        throw failure;
      }
    },
  };
};
