/** Imports that have begun, kept in the browser until they are done, so that they can go on after a reload. */

export interface StoredImport {
  readonly bookId: string;
  /** Tells this import from others, also of the same file: it is in the Idempotency-Keys of its requests. */
  readonly run: string;
  readonly fileName: string;
  readonly file: Blob;
  readonly requests: number;
  /** The requests that are known to be done. */
  readonly done: number;
}

const STORE = 'imports';

const outcomeOf = <A>(request: IDBRequest<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => {
      resolve(request.result);
    };
    request.onerror = () => {
      reject(request.error ?? new Error('IndexedDB failed'));
    };
  });

const open = (): Promise<IDBDatabase> => {
  const request = indexedDB.open('pricebook', 1);
  request.onupgradeneeded = () => {
    request.result.createObjectStore(STORE, { keyPath: 'bookId' });
  };
  return outcomeOf(request);
};

const withStore = async <A>(
  mode: IDBTransactionMode,
  use: (store: IDBObjectStore) => IDBRequest<A>,
): Promise<A | undefined> => {
  // Where storage is blocked an import works all the same, but does not survive a reload.
  try {
    const database = await open();
    try {
      return await outcomeOf(use(database.transaction(STORE, mode).objectStore(STORE)));
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
};

export const loadImport = (bookId: string): Promise<StoredImport | undefined> =>
  withStore('readonly', (store) => store.get(bookId) as IDBRequest<StoredImport | undefined>);

/** @returns whether it is kept. */
export const storeImport = async (stored: StoredImport): Promise<boolean> =>
  (await withStore('readwrite', (store) => store.put(stored))) !== undefined;

export const forgetImport = async (bookId: string): Promise<void> => {
  await withStore('readwrite', (store) => store.delete(bookId));
};
