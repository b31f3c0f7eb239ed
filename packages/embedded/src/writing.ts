/**
 * Writes events so that a disk that fails is an answer and not a fault: after a commit that failed no other is tried
 * before the disk takes writes again. Reads go on meanwhile.
 */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { StoreError, StoreReadsOnly } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import { createCommits, type Outcome } from './commits';
import { obstacleOf, tryDisk } from './disk';
import type { Append, AppendOutcome } from './event-writer';
import type { WriterAnswer, WriterRequest } from './event-writer-thread';
import { isDamage, primaryCodeOf, type SqliteFailure, SQLITE_BUSY } from './sqlite-failure';

/** How long after a failure it is tried again, and at most. */
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 2_000;

/** Tells an operator something, in a sentence. */
export type Report = (message: string, level: 'info' | 'error') => void;

export interface Writing {
  /** Settles when the events are on disk; appends that come meanwhile share the next commit. */
  readonly append: (append: Append) => Promise<Outcome<AppendOutcome, StoreError>>;
  readonly obstacle: () => StoreReadsOnly | undefined;
  readonly close: () => Promise<void>;
}

/** The thread that writes; it is asked one thing at a time. */
const startThread = (file: string) => {
  const worker = new Worker(path.join(__dirname, 'event-writer-thread.js'), {
    workerData: { file },
    // A thread whose output is piped would make the standard output of the process non-blocking.
    stdout: true,
    stderr: true,
  });
  let settle: (answer: WriterAnswer) => void = () => undefined;
  worker.on('message', (answer: WriterAnswer) => {
    settle(answer);
  });
  worker.on('error', (defect) => {
    throw defect;
  });
  return {
    ask: (request: WriterRequest): Promise<WriterAnswer> =>
      new Promise((resolve) => {
        settle = resolve;
        worker.postMessage(request);
      }),
    close: (): Promise<void> =>
      new Promise((resolve) => {
        worker.once('exit', () => {
          resolve();
        });
        worker.postMessage('close' satisfies WriterRequest);
      }),
  };
};

const isFailure = (answer: WriterAnswer): answer is SqliteFailure => 'errcode' in answer;

const asError = ({ errcode, message }: SqliteFailure): Error =>
  Object.assign(new Error(message), { errcode });

/** @param report told, in a sentence, when events are refused, and when they are taken again. */
export const startWriting = (file: string, report: Report): Writing => {
  const folder = path.dirname(file);
  const thread = startThread(file);
  const closing = new AbortController();
  let obstacle: StoreReadsOnly | undefined;
  let recovery: Promise<void> = Promise.resolve();

  /** Refuses writes from now on; says so where that is news. */
  const refuse = (failure: unknown): StoreReadsOnly => {
    const before = obstacle;
    obstacle = obstacleOf(failure);
    if (obstacle.why !== before?.why) {
      const state = obstacle.why === 'full' ? 'the disk is full' : 'the disk fails';
      report(`${file} takes no events for now, ${state}: ${obstacle.reason}. Reads go on`, 'error');
    }
    return obstacle;
  };

  /** Fails while the disk does. */
  const attempt = async (): Promise<void> => {
    await tryDisk(folder);
    const answer = await thread.ask('recover');
    if (isFailure(answer)) throw asError(answer);
  };

  const recover = async (): Promise<void> => {
    for (let retryMs = FIRST_RETRY_MS; ; retryMs = Math.min(retryMs * 2, LAST_RETRY_MS)) {
      await delay(retryMs, undefined, { signal: closing.signal }).catch(() => undefined);
      if (closing.signal.aborted) return;
      try {
        await attempt();
        obstacle = undefined;
        report(`${file} takes events again`, 'info');
        return;
      } catch (failure) {
        refuse(failure);
      }
    }
  };

  const fail = async (failure: SqliteFailure): Promise<StoreReadsOnly | StoreError> => {
    if (isDamage(failure)) return { _tag: 'StoreDamaged', where: file, reason: failure.message };
    if (primaryCodeOf(failure) === SQLITE_BUSY) {
      return { _tag: 'StoreUnavailable', reason: `another process keeps ${file} from being written` };
    }
    // SQLite does not tell a file that may not grow, or a quota, from other failures; the disk itself does.
    const said = await tryDisk(folder).then(
      () => asError(failure),
      (cause: unknown) => cause,
    );
    const refused = refuse(said);
    recovery = recover();
    return refused;
  };

  let underWay: Promise<unknown> = Promise.resolve();
  const append = createCommits<Append, AppendOutcome, StoreError>(
    async (batch) => {
      const asked = thread.ask(batch);
      underWay = asked;
      const answer = await asked;
      if (!isFailure(answer)) return answer.map((outcome) => E.right(outcome));
      const failure = E.left(await fail(answer));
      return batch.map(() => failure);
    },
    () => (closing.signal.aborted ? { _tag: 'StoreUnavailable', reason: `${file} is closed` } : obstacle),
  );

  return {
    append,
    obstacle: () => obstacle,
    close: async () => {
      closing.abort();
      await underWay;
      await recovery;
      await thread.close();
    },
  };
};
