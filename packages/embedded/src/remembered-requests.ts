/**
 * The requests that are remembered by an idempotency key: each by its name, and the names by time, so that those of
 * long ago are found and dropped.
 */
import { type DoneRequest, laterRequest } from '@pricebook/application';
import type { Database, RootDatabase } from 'lmdb';

/**
 * Twice as long as they count, by the clock of this process: one that is off by hours does not drop what still counts.
 */
const KEPT_MS = 48 * 3_600_000;
/** So many old ones go with a batch, and two more for each that the batch brings. */
const DROPPED_AT_LEAST = 100;

const TIME_BYTES = 6;

const timeKey = (occurredAt: string, name: string): Buffer => {
  const key = Buffer.alloc(TIME_BYTES + Buffer.byteLength(name));
  key.writeUIntBE(Math.max(0, Date.parse(occurredAt)), 0, TIME_BYTES);
  key.write(name, TIME_BYTES);
  return key;
};

export interface RememberedRequests {
  readonly table: Database<DoneRequest, Buffer>;
  readonly find: (name: string) => DoneRequest | undefined;
  /** Keeps the later ones, and drops some that are too old. To be called within a transaction or a batch. */
  readonly keep: (requests: ReadonlyMap<string, DoneRequest>) => void;
}

export const openRememberedRequests = (environment: RootDatabase): RememberedRequests => {
  const table = environment.openDB<DoneRequest, Buffer>('remembered', {
    keyEncoding: 'binary',
    encoding: 'json',
  });
  const byTime = environment.openDB<true, Buffer>('rememberedByTime', { keyEncoding: 'binary' });

  const keyOf = (name: string): Buffer => Buffer.from(name, 'utf8');
  const find = (name: string): DoneRequest | undefined => table.get(keyOf(name));

  return {
    table,
    find,
    keep: (requests) => {
      if (requests.size === 0) return;
      const oldest = new Date(Date.now() - KEPT_MS).toISOString();
      const end = timeKey(oldest, '');
      // Looked for first: what a batch writes cannot be read before it has ended.
      const old = [...byTime.getKeys({ end, limit: DROPPED_AT_LEAST + 2 * requests.size })];
      for (const key of old) {
        void byTime.remove(key);
        void table.remove(key.subarray(TIME_BYTES));
      }
      for (const [name, done] of requests) {
        if (done.occurredAt < oldest) continue;
        const before = find(name);
        if (before !== undefined) {
          if (laterRequest(done, before) === before) continue;
          void byTime.remove(timeKey(before.occurredAt, name));
        }
        void table.put(keyOf(name), done);
        void byTime.put(timeKey(done.occurredAt, name), true);
      }
    },
  };
};
