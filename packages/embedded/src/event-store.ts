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
import * as TE from 'fp-ts/TaskEither';
import type { RootDatabase } from 'lmdb';
import { asDamage, committed, Damage, toStoreError } from './damage';
import { openEnvironment } from './environment';
import { type EventLog, openEventLog, prepare } from './event-log';
import { EVENTS_FILE } from './files';
import { liveFile } from './live-file';

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

const openLog = (environment: RootDatabase, file: string): EventLog => {
  try {
    return openEventLog(environment, file);
  } catch (failure) {
    void environment.close();
    throw asDamage(file, failure);
  }
};

/**
 * Opens the event store of a folder on LMDB, creating it where it is missing.
 *
 * @param mode `serve` for the process that holds the folder's lock; `read` for tools that look at it beside the
 *   server; `append` for tools that write beside it. What stands in a stream, and which position is next, is looked
 *   up within the transaction that writes, and LMDB has one of these at a time for all processes.
 * @throws Damage
 */
export const openEmbeddedEventStore = (
  folder: string,
  mode: 'serve' | 'read' | 'append' = 'serve',
): EmbeddedEventStore => {
  const file = path.join(folder, EVENTS_FILE);
  const readOnly = mode === 'read';
  if (readOnly && !fs.existsSync(file)) throw new Error(`there is no event store in ${path.resolve(folder)}`);
  refuseLoss(folder, file);
  if (mode === 'append') fs.mkdirSync(folder, { recursive: true });
  const environment = openEnvironment({
    file,
    readOnly,
    isShared: mode === 'append',
    isDurable: true,
  });
  const log = openLog(environment, file);
  const appended = createSignal();
  const closing = new AbortController();

  const asStoreError = (failure: unknown): StoreError => toStoreError(file, failure);

  /** lmdb ends the process where it is used after it was closed. */
  const guard = <A>(use: () => A): E.Either<StoreError, A> =>
    closing.signal.aborted
      ? E.left({ _tag: 'StoreUnavailable', reason: `${file} is closed` })
      : E.tryCatch(use, asStoreError);

  /** What is there now, whichever process has written it. */
  const reading = <A>(use: () => A): E.Either<StoreError, A> =>
    guard(() => {
      log.refresh();
      return use();
    });

  let seen = 0;
  /** Subscriptions hear of what this process appends; of the rest they hear here. */
  const watching = setInterval(() => {
    const last = reading(log.last);
    // What is wrong with the file the next one who reads it says.
    if (E.isLeft(last) || last.right === seen) return;
    seen = last.right;
    appended.raise();
  }, POLL_MS).unref();

  return {
    id: log.id,

    append: (stream, expected, events) => async (): Promise<E.Either<AppendError, Appended>> => {
      const prepared = prepare(stream, expected, events);
      // A child transaction takes back what it has written when it fails; a plain one would keep the first half.
      const started = guard(() => environment.childTransaction(() => log.append(prepared)));
      if (E.isLeft(started)) return started;
      // The promise settles when the commit is on disk; appends that come meanwhile share the next one.
      const stored = await committed(file, started.right);
      if (E.isLeft(stored)) return stored;
      const outcome = stored.right;
      if ('actual' in outcome) return E.left({ _tag: 'WrongExpectedRevision', actual: outcome.actual });
      appended.raise();
      return E.right(outcome);
    },

    read: (stream, options) => TE.fromIOEither(() => reading(() => log.read(stream, options))),

    readAll: (after, limit) =>
      TE.fromIOEither(() =>
        reading(() => log.from(after === undefined ? 1 : Number(after) + 1, { ...BATCH, events: limit })),
      ),

    subscribe: async function* (after, signal): AsyncGenerator<EventBatch> {
      const stop = AbortSignal.any([signal, closing.signal]);
      let next = after === undefined ? 1 : Number(after) + 1;
      while (!stop.aborted) {
        const events = reading(() => log.from(next, BATCH));
        // A subscription has no other way to say why it ends.
        // eslint-disable-next-line @typescript-eslint/only-throw-error
        if (E.isLeft(events)) throw events.left;
        const last = events.right.at(-1);
        if (last === undefined) {
          // Nothing can be appended between the look and the wait: both happen in one turn.
          await appended.next(stop);
          continue;
        }
        next = Number(last.position) + 1;
        yield { events: events.right, checkpoint: last.position };
      }
    },

    head: () =>
      TE.fromIOEither(() =>
        reading(() => {
          const last = log.last();
          return last === 0 ? undefined : BigInt(last);
        }),
      ),

    close: async () => {
      closing.abort();
      clearInterval(watching);
      await environment.close();
    },
  };
};
