import fs from 'node:fs';
import path from 'node:path';
import {
  type AppendError,
  type Appended,
  createSignal,
  type EventBatch,
  type EventStore,
  type StoreError,
} from '@pricebook/application';
import * as E from 'fp-ts/Either';
import { Damage } from './damage';
import { type EventLog, prepare } from './event-log';
import { EVENTS_FILE } from './files';
import { liveFile } from './live-file';
import { openSafeLog } from './safe-log';

/** What comes in one batch of a subscription at most. */
const BATCH = { events: 1_000, bytes: 4 * 1024 * 1024 };
/** How often it is looked for events that another process has written. */
const POLL_MS = 200;

export interface EmbeddedEventStore extends EventStore {
  /** Tells these events from those of any other store. */
  readonly id: string;
  readonly close: () => Promise<void>;
}

/** Events that are gone while what was made of them is not were not meant to be gone. */
const refuseLoss = (folder: string, file: string): void => {
  const readModel = path.join(folder, liveFile(folder));
  if (fs.existsSync(file) || !fs.existsSync(readModel)) return;
  throw new Damage(
    file,
    `it is missing, but ${readModel} is not. Bring it back from a backup, or delete ${readModel} to begin anew`,
  );
};

/**
 * Opens the event store of a folder on LMDB, creating it where it is missing.
 *
 * @param mode `serve` for the process that holds the folder's lock; `read` for tools that look at it beside the
 *   server; `append` for tools that write beside it. What stands in a stream, and which position is next, is looked
 *   up within the transaction that writes, and LMDB has one of these at a time for all processes.
 * @param report told, in a sentence, when the store begins to refuse writes, and when it takes them again.
 * @throws Damage
 */
export const openEmbeddedEventStore = (
  folder: string,
  mode: 'serve' | 'read' | 'append' = 'serve',
  report: (message: string) => void = () => undefined,
): EmbeddedEventStore => {
  const file = path.join(folder, EVENTS_FILE);
  const readOnly = mode === 'read';
  if (readOnly && !fs.existsSync(file)) throw new Error(`there is no event store in ${path.resolve(folder)}`);
  refuseLoss(folder, file);
  if (mode === 'append') fs.mkdirSync(folder, { recursive: true });
  const log = openSafeLog(folder, { file, mode, report });
  const appended = createSignal();
  const closing = new AbortController();

  /** What is there now, whichever process has written it. */
  const look = <A>(act: (log: EventLog) => A): Promise<E.Either<StoreError, A>> =>
    log.use((found) => {
      found.refresh();
      return act(found);
    });

  let seen = 0;
  /** Subscriptions hear of what this process appends; of the rest they hear here. */
  const watching = setInterval(() => {
    void look((found) => found.last()).then((last) => {
      // What is wrong with the file the next one who reads it says.
      if (E.isLeft(last) || last.right === seen) return;
      seen = last.right;
      appended.raise();
    });
  }, POLL_MS).unref();

  return {
    id: log.id,
    obstacle: log.obstacle,

    append: (stream, expected, events) => async (): Promise<E.Either<AppendError, Appended>> => {
      const stored = await log.append(prepare(stream, expected, events));
      if (E.isLeft(stored)) return stored;
      const outcome = stored.right;
      if ('actual' in outcome) return E.left({ _tag: 'WrongExpectedRevision', actual: outcome.actual });
      appended.raise();
      return E.right(outcome);
    },

    read: (stream, options) => () => look((found) => found.read(stream, options)),

    readAll: (after, limit) => () =>
      look((found) => found.from(after === undefined ? 1 : Number(after) + 1, { ...BATCH, events: limit })),

    subscribe: async function* (after, signal): AsyncGenerator<EventBatch> {
      const stop = AbortSignal.any([signal, closing.signal]);
      const isStopped = (): boolean => stop.aborted;
      let next = after === undefined ? 1 : Number(after) + 1;
      while (!isStopped()) {
        const found = await look((one) => {
          const events = one.from(next, BATCH);
          // Nothing can be appended between the look and the wait: both happen in one turn.
          return { events, more: events.length === 0 ? appended.next(stop) : undefined };
        });
        if (E.isLeft(found)) {
          if (isStopped()) return;
          // A subscription has no other way to say why it ends.
          // eslint-disable-next-line @typescript-eslint/only-throw-error
          throw found.left;
        }
        const { events, more } = found.right;
        const last = events.at(-1);
        if (last === undefined) {
          await more;
          continue;
        }
        next = Number(last.position) + 1;
        yield { events, checkpoint: last.position };
      }
    },

    head: () => () =>
      look((found) => {
        const last = found.last();
        return last === 0 ? undefined : BigInt(last);
      }),

    close: async () => {
      closing.abort();
      clearInterval(watching);
      await log.close();
    },
  };
};
