/**
 * Imports that have begun, kept in the browser until they are done, so that they can go on after a reload. Each run has
 * records of its own: other tabs may import into the same book.
 */

import { BASE } from '../../api/client';

/** What does not change while an import runs. */
interface Run {
  /** Tells this import from others, also of the same file: it is in the Idempotency-Keys of its requests. */
  readonly run: string;
  readonly bookId: string;
  readonly fileName: string;
  readonly file: Blob;
  /** A mark of each request: where a later version of this page plans others, `done` says nothing about them. */
  readonly plan: readonly string[];
  /** The API key that sends it: the service knows what it has done for each key by itself. */
  readonly keyId: string;
  /** Why; empty where no reason was given. */
  readonly reason: string;
}

export interface StoredImport extends Run {
  /** The requests that are known to be done. */
  readonly done: number;
  /** When the last of them was done, in ms since 1970. */
  readonly at: number;
}

type Progress = Pick<StoredImport, 'run' | 'done' | 'at'>;

/** Behind one proxy several services have one origin, and each a path of its own. */
const DATABASE = `pricebook-imports ${new URL(BASE).pathname}`;
const RUNS = 'runs';
const PROGRESS = 'progress';

const open = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(RUNS, { keyPath: 'run' }).createIndex('bookId', 'bookId');
      request.result.createObjectStore(PROGRESS, { keyPath: 'run' });
    };
    request.onsuccess = () => {
      resolve(request.result);
    };
    request.onerror = () => {
      reject(request.error ?? new Error('IndexedDB failed'));
    };
  });

interface Stores {
  readonly runs: IDBObjectStore;
  readonly progress: IDBObjectStore;
}

/**
 * Where storage is blocked an import works all the same, but does not survive a reload.
 *
 * @param use is given what to call with its outcome.
 * @returns the outcome once all of it is stored; undefined where it could not be.
 */
const transact = async <A>(
  mode: IDBTransactionMode,
  use: (stores: Stores, result: (outcome: A) => void) => void,
): Promise<A | undefined> => {
  try {
    const database = await open();
    try {
      return await new Promise<A | undefined>((resolve, reject) => {
        const transaction = database.transaction([RUNS, PROGRESS], mode, { durability: 'strict' });
        let outcome: A | undefined;
        transaction.oncomplete = () => {
          resolve(outcome);
        };
        transaction.onabort = () => {
          reject(transaction.error ?? new Error('IndexedDB failed'));
        };
        const stores = { runs: transaction.objectStore(RUNS), progress: transaction.objectStore(PROGRESS) };
        use(stores, (found) => {
          outcome = found;
        });
      });
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
};

/** The import of a book that was busy last. */
export const loadImport = (bookId: string): Promise<StoredImport | undefined> =>
  transact('readonly', ({ runs, progress }, result) => {
    const found = runs.index('bookId').getAll(bookId) as IDBRequest<Run[]>;
    const all = progress.getAll() as IDBRequest<Progress[]>;
    all.onsuccess = () => {
      const [last] = found.result
        .flatMap((run) => all.result.filter((one) => one.run === run.run).map((one) => ({ ...run, ...one })))
        .sort((a, b) => b.at - a.at);
      if (last !== undefined) result(last);
    };
  });

/** @returns whether it is kept. */
export const storeImport = async ({ done, at, ...run }: StoredImport): Promise<boolean> =>
  (await transact<true>('readwrite', ({ runs, progress }, result) => {
    runs.put(run);
    progress.put({ run: run.run, done, at });
    result(true);
  })) === true;

/** @returns whether it is still kept: another tab may have discarded it. */
export const storeProgress = async ({ run, done, at }: Progress): Promise<boolean> =>
  (await transact<true>('readwrite', ({ runs, progress }, result) => {
    const found = runs.count(run);
    found.onsuccess = () => {
      if (found.result === 0) return;
      progress.put({ run, done, at });
      result(true);
    };
  })) === true;

export const forgetImport = async (run: string): Promise<void> => {
  await transact('readwrite', ({ runs, progress }) => {
    runs.delete(run);
    progress.delete(run);
  });
};
