/**
 * The read models of a folder. Only the process that holds the folder's lock makes one live: a rebuild beside it
 * offers its own, and the process goes over to it.
 */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { NewReadModel, Position, ReadModelStore } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import { FolderInUse, lockFolder, lockRebuild } from './folder-lock';
import {
  liveFile,
  makeLive,
  newName,
  offer,
  offeredFile,
  removeOthers,
  removeReadModel,
  withdraw,
} from './live-file';
import { openEmbeddedReadModel } from './read-model';

/** How often it is looked whether the folder's process has gone over. */
const POLL_MS = 100;
/** How long that process may take before a read model that it was offered is taken back. */
const TAKE_BACK_MS = 5_000;

/** What read models are made of. */
export interface EventSource {
  /** Tells the events from those of any other store. */
  readonly id: string;
  /** As far as a read model of these events can have come; undefined for not at all. */
  readonly end: () => Promise<Position | undefined>;
}

const pause = (signal?: AbortSignal): Promise<void> =>
  delay(POLL_MS, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);

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

/** From now on it is the live one, and the others go. */
const take = (folder: string, name: string): void => {
  makeLive(folder, name);
  removeOthers(folder, [name]);
};

/** What an earlier rebuild has offered is taken by the folder's process, or taken back. */
const settleOffer = async (folder: string): Promise<void> => {
  for (let waited = 0; offeredFile(folder) !== undefined && waited < TAKE_BACK_MS; waited += POLL_MS) {
    await pause();
  }
  withdraw(folder);
  removeOthers(folder, [liveFile(folder)]);
};

/**
 * The read models of a folder on LMDB.
 *
 * @param report told, in a sentence, where a read model has to be made anew and why.
 */
export const embeddedReadModels = (
  folder: string,
  { id, end }: EventSource,
  report: (message: string) => void,
): ReadModelStore => ({
  look: () => TE.fromIO(() => ({ live: offeredFile(folder) ?? liveFile(folder) })),

  open: async (name) => {
    const kept = await openEmbeddedReadModel(folder, { id, head: await end() }, report, name);
    return {
      ...kept,
      close: async () => {
        await kept.close();
        // Another has taken its place.
        if (liveFile(folder) !== name) removeReadModel(path.join(folder, name));
      },
    };
  },

  adopted: (name) =>
    TE.fromIO(() => {
      makeLive(folder, name);
    }),

  begin: async (): Promise<NewReadModel> => {
    const lock = lockRebuild(folder);
    await settleOffer(folder);
    const name = newName(folder);
    const fresh = await openEmbeddedReadModel(folder, { id, head: undefined }, report, name);
    let isOpen = true;
    const close = async (): Promise<void> => {
      if (isOpen) await fresh.close();
      isOpen = false;
    };

    const goLive = async (signal: AbortSignal): Promise<boolean> => {
      await close();
      let isOffered = false;
      while (!signal.aborted) {
        if (liveFile(folder) === name) return true;
        if (
          whileUnserved(folder, () => {
            take(folder, name);
          })
        )
          return true;
        if (!isOffered) offer(folder, name);
        isOffered = true;
        await pause(signal);
      }
      if (liveFile(folder) === name) return true;
      withdraw(folder);
      return false;
    };

    return {
      ...fresh,
      close,
      goLive: (signal) => async () => {
        const isLive = await goLive(signal);
        if (isLive) lock.release();
        return E.right(isLive);
      },
      abandon: async () => {
        await close();
        if (liveFile(folder) !== name) removeReadModel(path.join(folder, name));
        lock.release();
      },
    };
  },
});
