/**
 * The event log, written so that it never claims what it is not sure of. After a commit that failed it takes no more:
 * reads go on, and what the disk has is made certain before the next one. Why it is done so is in
 * docs/decisions/0015-failed-sync.md.
 */
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Appended, ExpectedRevision, StoreError, StoreReadsOnly } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import type { RootDatabase } from 'lmdb';
import { leaveClosedNote, takeClosedNote } from './closed-note';
import { createCommits, type Outcome } from './commits';
import { causeOf, committed, Damage, toStoreError } from './damage';
import { obstacleOf, tryDisk } from './disk';
import { whileNobodyCommits } from './commit-lock';
import { openEnvironment, type Opened } from './environment';
import { checkEvents } from './event-check';
import { checkFile } from './file-check';
import { type EventLog, openEventLog, type Prepared } from './event-log';
import { confirmHeaders } from './file-confirm';
import { createReopening } from './reopening';
import { createRoom } from './room';

/** How long after a failure it is tried again, and at most. */
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 2_000;

/** Pages that a commit writes anew whatever is in it: headers, the upper pages of each tree, the list of free ones. */
const COMMIT_BYTES = 64 * 1024;
/** Those that an event has written anew besides: a page of its stream, the page above it, and one for a split. */
const EVENT_BYTES = 12 * 1024;

type Added = Appended | { readonly actual: ExpectedRevision };

export interface SafeLog {
  readonly id: string;
  readonly use: <A>(act: (log: EventLog) => A) => Promise<E.Either<StoreError, A>>;
  /** Settles when the events are on disk; appends that come meanwhile share the next commit. */
  readonly append: (prepared: Prepared) => Promise<Outcome<Added, StoreError>>;
  readonly obstacle: () => StoreReadsOnly | undefined;
  readonly close: () => Promise<void>;
}

interface SafeLogOptions {
  readonly file: string;
  /** As of the event store. */
  readonly mode: 'serve' | 'read' | 'append';
  readonly report: (message: string) => void;
}

const openLog = (file: string, readOnly: boolean, isShared: boolean): Opened<EventLog> =>
  openEnvironment({ file, readOnly, isShared, isDurable: true }, (environment) =>
    openEventLog(environment, file),
  );

/** A tool may be appending: what it wrote over while the file was read looks like damage once, and not again. */
const checkTwice = (file: string): void => {
  try {
    checkEvents(file, true);
  } catch (failure) {
    if (!(failure instanceof Damage)) throw failure;
    checkEvents(file, true);
  }
};

/** @throws Damage */
export const openSafeLog = (folder: string, { file, mode, report }: SafeLogOptions): SafeLog => {
  const readOnly = mode === 'read';
  const isShared = mode === 'append';
  const open = (toRead: boolean): Opened<EventLog> => openLog(file, toRead, isShared);
  if (mode === 'serve' && fs.existsSync(file)) {
    whileNobodyCommits(file, false, () => {
      checkFile(file);
    });
    if (takeClosedNote(folder, file)) checkTwice(file);
  }
  const first = open(readOnly);
  const { id } = first.held;
  const log = createReopening(file, first);
  const room = createRoom(file);
  const closing = new AbortController();
  const isClosing = (): boolean => closing.signal.aborted;
  let obstacle: StoreReadsOnly | undefined;
  let retryMs = FIRST_RETRY_MS;

  /** Refuses writes from now on; says so where that is news. */
  const refuse = (failure: unknown): void => {
    const before = obstacle;
    obstacle = obstacleOf(folder, failure);
    if (obstacle.why === before?.why) return;
    const state = obstacle.why === 'full' ? 'there is no room for more' : 'the disk fails';
    report(`${file} takes no events for now, ${state}: ${obstacle.reason}. It is read as ever`);
  };

  /** Commits, and waits for that, while nobody opens the file. */
  const whileHeld = async <A>(
    commit: (log: EventLog, environment: RootDatabase) => A | Promise<A>,
  ): Promise<E.Either<StoreError, A>> => {
    const holding = await log.use((_, __, commits) => commits.hold());
    if (E.isLeft(holding)) return holding;
    const release = await committed(file, holding.right);
    if (E.isLeft(release)) return release;
    try {
      const done = await log.use(commit);
      return E.isLeft(done) ? done : E.right(await done.right);
    } finally {
      release.right();
    }
  };

  /** Fails while the disk does. */
  const attempt = async (): Promise<void> => {
    await tryDisk(folder);
    await log.reopen(() => open(false));
    const confirmed = await whileHeld((found, environment) => {
      confirmHeaders(environment, file);
      // The header that a failed commit has left behind is written anew, and it is seen that commits succeed.
      found.touch();
    });
    if (E.isLeft(confirmed)) throw new Error(confirmed.left.reason);
  };

  const reopenToRead = (): Promise<void> => log.reopen(() => open(true)).catch(() => undefined);

  const recover = async (): Promise<void> => {
    await reopenToRead();
    while (!isClosing()) {
      await delay(retryMs, undefined, { signal: closing.signal }).catch(() => undefined);
      if (isClosing()) return;
      retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
      try {
        await attempt();
        obstacle = undefined;
        report(`${file} takes events again`);
        return;
      } catch (failure) {
        // It may have failed over that: nothing is to be said then.
        if (isClosing()) return;
        refuse(failure);
        await reopenToRead();
      }
    }
  };

  const fail = (failure: unknown): StoreReadsOnly => {
    const wasWell = obstacle === undefined;
    refuse(failure);
    if (wasWell) void recover();
    return obstacle ?? obstacleOf(folder, failure);
  };

  /** What has become of one append; only a commit that failed leaves the log in doubt. */
  const outcomeOf = async (added: Promise<Added>): Promise<Outcome<Added, StoreError>> => {
    try {
      return E.right(await added);
    } catch (failure) {
      const isOfCommit = failure instanceof Error && 'commitError' in failure;
      const cause = await causeOf(failure);
      const error = toStoreError(file, cause);
      return E.left(isOfCommit && error._tag !== 'StoreDamaged' ? fail(cause) : error);
    }
  };

  /** Fails where there is no room for what is to be added. */
  const ensureRoom = async (batch: readonly Prepared[]): Promise<StoreReadsOnly | undefined> => {
    let bytes = COMMIT_BYTES;
    for (const { bodies } of batch) for (const body of bodies) bytes += EVENT_BYTES + 2 * body.length;
    const ensuring = await log.use((_, environment) => room.ensure(environment, bytes));
    // Where it is not open, the append finds that as well.
    return E.isLeft(ensuring) ? undefined : ensuring.right.then(() => undefined, fail);
  };

  const append = createCommits<Prepared, Added, StoreError>(
    async (batch) => {
      const noRoom = readOnly ? undefined : await ensureRoom(batch);
      if (noRoom !== undefined) return batch.map(() => E.left(noRoom));
      // A child transaction takes back what it has written when it fails; a plain one would keep the first half.
      const outcomes = await whileHeld((found, environment) =>
        Promise.all(
          batch.map((prepared) => outcomeOf(environment.childTransaction(() => found.append(prepared)))),
        ),
      );
      if (E.isLeft(outcomes)) return batch.map(() => outcomes);
      if (obstacle === undefined) retryMs = FIRST_RETRY_MS;
      return outcomes.right;
    },
    () => obstacle,
  );

  if (!readOnly) {
    try {
      confirmHeaders(first.environment, file);
    } catch (failure) {
      fail(failure);
    }
  }

  return {
    id,
    use: async (act) => log.use(act),
    append,
    obstacle: () => obstacle,
    close: async () => {
      closing.abort();
      await log.close();
      if (mode === 'serve' && obstacle === undefined) leaveClosedNote(folder, file);
    },
  };
};
