/**
 * The read models of a folder. Only the process that holds the folder's lock makes one live: a rebuild beside it
 * offers its own, and the process goes over to it.
 */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { NewReadModel, Position, ReadModelStore, StoreError } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import { toStoreError } from './damage';
import { FolderInUse, type FolderLock, lockFolder, lockRebuild } from './folder-lock';
import {
  accept,
  liveFile,
  makeLive,
  newName,
  offer,
  offeredFile,
  othersIn,
  removeDraftOfLive,
  removeOthers,
  removeReadModel,
  withdraw,
} from './live-file';
import { openEmbeddedReadModel } from './read-model';

/** How often it is looked whether the folder's process has gone over. */
const POLL_MS = 100;
/** How long that process may take to close the old read model. */
const CLOSE_MS = 10_000;

/** What read models are made of. */
export interface EventSource {
  /** Tells the events from those of any other store. */
  readonly id: string;
  /** As far as a read model of these events can have come; undefined for not at all. */
  readonly end: () => Promise<Position | undefined>;
}

const pause = (signal?: AbortSignal): Promise<void> =>
  delay(POLL_MS, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);

/** Looks at the files, or does something to them. */
const onFiles = <A>(folder: string, act: () => A): TE.TaskEither<StoreError, A> =>
  TE.fromIOEither(() => E.tryCatch(act, (failure) => toStoreError(folder, failure)));

/** Runs what only the process that serves the folder may do, if there is no such process now. */
const whileUnserved = (folder: string, act: () => void): boolean => {
  try {
    const lock = lockFolder(folder);
    try {
      act();
    } finally {
      lock.release();
    }
    return true;
  } catch (failure) {
    if (failure instanceof FolderInUse) return false;
    throw failure;
  }
};

/**
 * The process that serves the folder closes the old one and takes it away. Where that has ended it is done here; also
 * where it takes too long, or was started anew meanwhile and knows of no old one: nobody answers from that any more.
 */
const clearOld = async (folder: string, closeMs: number): Promise<void> => {
  for (let waited = 0; waited < closeMs && othersIn(folder).length > 0; waited += POLL_MS) {
    const isDone = whileUnserved(folder, () => {
      removeOthers(folder);
    });
    if (!isDone) await pause();
  }
  removeOthers(folder);
};

/** Offers it until it is taken; takes the offer back where it is told to stop. */
const offerUntilTaken = async (folder: string, name: string, signal: AbortSignal): Promise<boolean> => {
  while (!signal.aborted) {
    // Looked at first: what is not offered now, and not live after that, nobody can have taken. The other way round
    // it could be taken in between, and would be offered once more.
    const isOffered = offeredFile(folder) === name;
    if (liveFile(folder) === name) break;
    const isLive = whileUnserved(folder, () => {
      makeLive(folder, name);
    });
    if (isLive) break;
    if (!isOffered) offer(folder, name);
    await pause(signal);
  }
  if (liveFile(folder) !== name) withdraw(folder);
  // It may have been taken before it was taken back.
  return liveFile(folder) === name;
};

/**
 * For the process that serves the folder, when it starts: takes away what processes have left that were killed.
 * Where one rebuilds, that has done so, and is making one that is not to be touched.
 */
const removeLeftOver = (folder: string): void => {
  // What is offered may be gone over to yet, though whoever has offered it was killed.
  const others = othersIn(folder).filter((name) => name !== offeredFile(folder));
  if (others.length === 0) return;
  try {
    // Who makes one holds the lock from before it is there: where nobody does, those found before are nobody's.
    lockRebuild(folder).release();
  } catch (failure) {
    if (failure instanceof FolderInUse) return;
    throw failure;
  }
  for (const name of others) removeReadModel(path.join(folder, name));
};

/** A start holds the lock for a moment: that is no other rebuild. */
const lockRebuildSoon = async (folder: string): Promise<FolderLock> => {
  try {
    return lockRebuild(folder);
  } catch (failure) {
    if (!(failure instanceof FolderInUse)) throw failure;
    await pause();
    return lockRebuild(folder);
  }
};

/**
 * The read models of a folder on LMDB.
 *
 * @param report told, in a sentence, of what an operator should know.
 */
export const embeddedReadModels = (
  folder: string,
  { id, end }: EventSource,
  report: (message: string) => void,
  closeMs = CLOSE_MS,
): ReadModelStore => {
  let hasAdopted = false;

  /** It costs room, and nothing else: that it stays is no reason not to serve. */
  const clearAtStart = (before: string): void => {
    try {
      removeDraftOfLive(folder);
      // Who served the folder before has ended without going over.
      if (before !== liveFile(folder)) removeReadModel(path.join(folder, before));
      removeLeftOver(folder);
    } catch (failure) {
      report(`what is left of earlier read models in ${folder} could not be taken away (${String(failure)})`);
    }
  };

  return {
    // What is offered is complete: to go over to it makes it the live one.
    look: () => onFiles(folder, () => ({ live: offeredFile(folder) ?? liveFile(folder) })),

    open: async (name) => {
      const kept = await openEmbeddedReadModel(folder, { id, head: await end() }, report, name);
      return {
        ...kept,
        close: async () => {
          await kept.close();
          // Another has taken its place, or its offer was taken back. Who did that may have taken its files away while
          // it was open here, and they may have been made again.
          if (offeredFile(folder) !== name && liveFile(folder) !== name)
            removeReadModel(path.join(folder, name));
        },
      };
    },

    adopt: (name) =>
      onFiles(folder, () => {
        const before = liveFile(folder);
        if (!accept(folder, name)) return false;
        if (!hasAdopted) clearAtStart(before);
        hasAdopted = true;
        return true;
      }),

    begin: async (): Promise<NewReadModel> => {
      const lock = await lockRebuildSoon(folder);
      try {
        // What an earlier one has left behind. Who serves may have it open, and closes it when it looks again.
        withdraw(folder);
        removeOthers(folder);
        const name = newName();
        const fresh = await openEmbeddedReadModel(folder, { id, head: undefined }, report, name);
        let isOpen = true;
        const close = async (): Promise<void> => {
          if (isOpen) await fresh.close();
          isOpen = false;
        };
        return {
          ...fresh,
          close,
          goLive: (signal) => async () => {
            await close();
            const isLive = await offerUntilTaken(folder, name, signal);
            if (isLive) {
              await clearOld(folder, closeMs);
              lock.release();
            }
            return E.right(isLive);
          },
          abandon: async () => {
            await close();
            // Where offering it has failed, the offer still stands.
            withdraw(folder);
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
