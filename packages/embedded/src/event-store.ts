import path from 'node:path';
import {
  type AppendError,
  type Appended,
  createSignal,
  type EventBatch,
  type EventStore,
  type RecordedEvent,
  type StoreError,
} from '@pricebook/application';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import { toStoreError } from './damage';
import { identityOf } from './event-file';
import { type EventLog, createEventLog } from './event-log';
import { toText } from './event-row';
import { EVENTS_FILE } from './files';
import { openEventsToRead, openEventsToWrite } from './open-events';
import { asFileDamage } from './sqlite-failure';
import { type Report, startWriting } from './writing';

/** What comes in one batch of a subscription at most. */
const BATCH = { events: 1_000, bytes: 4 * 1024 * 1024 };
/** How often the store looks for events that another process has written. */
const POLL_MS = 200;

export interface EmbeddedEventStore extends EventStore {
  /** Tells these events from those of any other store. */
  readonly id: string;
  readonly close: () => Promise<void>;
}

/**
 * Opens the event store of a folder on SQLite, creating it where it is missing.
 *
 * @param mode `serve` for the process that holds the folder's lock; `read` for tools that look at it beside the
 *   service; `append` for tools that write beside it. The last revision of a stream and the next position are looked
 *   up within the transaction that writes, and SQLite has one of these at a time for all processes.
 * @param report told when the store begins to refuse writes, when it accepts them again, and when the folder of an
 *   earlier version is carried over.
 * @throws Damage
 */
export const openEmbeddedEventStore = (
  folder: string,
  mode: 'serve' | 'read' | 'append' = 'serve',
  report: Report = () => undefined,
): EmbeddedEventStore => {
  const file = path.join(folder, EVENTS_FILE);
  const database =
    mode === 'read' ? openEventsToRead(folder) : openEventsToWrite(folder, mode === 'serve', report);
  const id = identityOf(database, file);
  const log = createEventLog(database, file);
  const writing = mode === 'read' ? undefined : startWriting(file, report);
  const appended = createSignal();
  const closing = new AbortController();

  const look = <A>(act: (log: EventLog) => A): E.Either<StoreError, A> =>
    closing.signal.aborted
      ? E.left({ _tag: 'StoreUnavailable', reason: `${file} is closed` })
      : E.tryCatch(
          () => act(log),
          (failure) => toStoreError(file, asFileDamage(file, failure)),
        );
  const query = <A>(act: (log: EventLog) => A): TE.TaskEither<StoreError, A> =>
    TE.fromIOEither(() => look(act));

  let seen = 0;
  /** Subscriptions are told of what this process appends; of what others append, here. */
  const watching = setInterval(() => {
    const last = look((found) => found.last());
    // A reader of the file gets to know what is wrong with it.
    if (E.isLeft(last) || last.right === seen) return;
    seen = last.right;
    appended.raise();
  }, POLL_MS).unref();

  return {
    id,
    obstacle: () => writing?.obstacle(),

    append: (stream, expected, events) => async (): Promise<E.Either<AppendError, Appended>> => {
      if (writing === undefined) {
        return E.left({ _tag: 'StoreUnavailable', reason: `${file} is open to be read only` });
      }
      const stored = await writing.append({ stream, expected, events: events.map(toText) });
      if (E.isLeft(stored)) return stored;
      const outcome = stored.right;
      if ('actual' in outcome) return E.left({ _tag: 'WrongExpectedRevision', actual: outcome.actual });
      appended.raise();
      return E.right(outcome);
    },

    read: (stream, options) => query((found) => found.read(stream, options)),

    readAll: (after, limit) =>
      query((found) => found.from(after === undefined ? 1 : Number(after) + 1, { ...BATCH, events: limit })),

    subscribe: async function* (after, signal): AsyncGenerator<EventBatch> {
      const stop = AbortSignal.any([signal, closing.signal]);
      const isStopped = (): boolean => stop.aborted;
      let next = after === undefined ? 1 : Number(after) + 1;
      while (!isStopped()) {
        const found = look((one): readonly RecordedEvent[] => one.from(next, BATCH));
        if (E.isLeft(found)) {
          // A subscription has no other way to say why it ends.
          // eslint-disable-next-line @typescript-eslint/only-throw-error
          throw found.left;
        }
        const last = found.right.at(-1);
        if (last === undefined) {
          // Nothing can be appended between the look and the wait: both happen in one turn.
          await appended.next(stop);
          continue;
        }
        next = Number(last.position) + 1;
        yield { events: found.right, checkpoint: last.position };
      }
    },

    last: query((found) => found.from(Math.max(1, found.last()), { ...BATCH, events: 1 })[0]),

    head: () =>
      query((found) => {
        const last = found.last();
        return last === 0 ? undefined : BigInt(last);
      }),

    close: async () => {
      if (closing.signal.aborted) return;
      closing.abort();
      clearInterval(watching);
      await writing?.close();
      database.close();
    },
  };
};
