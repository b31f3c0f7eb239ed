/**
 * The thread that writes the events: a commit waits for the disk, and the event loop of the service must not.
 *
 * It is sent a request at a time and answers each. What fails otherwise than by SQLite ends it, and so the process.
 */
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { openToWrite } from './event-file';
import { type Append, type AppendOutcome, createEventWriter } from './event-writer';
import { LAST_FILE } from './files';
import { type SqliteFailure, sqliteFailureOf } from './sqlite-failure';

/** `recover` commits something, and empties the WAL of what a failed commit has left in it. */
export type WriterRequest = readonly Append[] | 'recover' | 'close';
export type WriterAnswer = readonly AppendOutcome[] | SqliteFailure;

/** After so long without a write the WAL is emptied, or it is tried again. */
const IDLE_MS = 1_000;

const port = parentPort;
if (port === null) throw new Error('this is the program of a thread');

const { file } = workerData as { readonly file: string };
const writer = createEventWriter(openToWrite(file), path.join(path.dirname(file), LAST_FILE));
let idle: NodeJS.Timeout | undefined;

/** What SQLite says to something, where it does not succeed. */
const attempt = <A>(act: () => A): A | SqliteFailure => {
  try {
    return act();
  } catch (failure) {
    const known = sqliteFailureOf(failure);
    if (known === undefined) throw failure;
    return known;
  }
};

const answer = (request: WriterRequest): WriterAnswer =>
  attempt(() => {
    if (request === 'recover') {
      writer.touch();
      writer.checkpoint();
    }
    return typeof request === 'string' ? [] : writer.write(request);
  });

const emptyWhenIdle = (): void => {
  idle = setTimeout(() => {
    if (attempt(writer.checkpoint) !== true) emptyWhenIdle();
  }, IDLE_MS);
};

port.on('message', (request: WriterRequest) => {
  clearTimeout(idle);
  if (request === 'close') {
    attempt(writer.checkpoint);
    writer.close();
    port.close();
    return;
  }
  port.postMessage(answer(request) satisfies WriterAnswer);
  emptyWhenIdle();
});
