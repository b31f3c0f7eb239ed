/** Gathers the uses of keys in memory, and hands them on now and then: a request never waits for that, or fails with it. */
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { Clock } from '../ports/clock';
import type { KeyUses, LastUses } from '../ports/key-uses';
import type { StoreError } from '../ports/store-error';
import { within } from '../within';

const FLUSH_MS = 10_000;
/** How long closing waits for the last ones. */
const CLOSE_MS = 1_000;

export interface KeyUseRecorder {
  /** Called for every request, so it does next to nothing. */
  readonly note: (keyId: string) => void;
  /** What is kept, and what has not been handed on yet. */
  readonly lastUses: TE.TaskEither<StoreError, LastUses>;
  readonly close: () => Promise<void>;
}

const MINUTE = '2026-01-31T12:34'.length;
const minuteOf = (now: string): string => `${now.slice(0, MINUTE)}:00.000Z`;

/** The later of both for each key. */
export const latestOf = (some: LastUses, others: LastUses): LastUses => {
  const latest = new Map(some);
  for (const [keyId, minute] of others) {
    const known = latest.get(keyId);
    if (known === undefined || known < minute) latest.set(keyId, minute);
  }
  return latest;
};

export const createKeyUseRecorder = (
  keyUses: KeyUses,
  clock: Clock,
  onFailure: (error: StoreError) => void,
  flushMs = FLUSH_MS,
): KeyUseRecorder => {
  /** Used since it was last looked: their time is that of the look, at most some seconds late. */
  const used = new Set<string>();
  let pending: LastUses = new Map();
  /** On their way: they may not be kept yet. */
  let sent: LastUses = new Map();
  let flushing: Promise<void> | undefined;

  const stamp = (): LastUses => {
    const minute = minuteOf(clock.now());
    pending = latestOf(pending, new Map([...used].map((keyId) => [keyId, minute])));
    used.clear();
    return pending;
  };

  const flush = async (): Promise<void> => {
    stamp();
    if (pending.size === 0) return;
    sent = pending;
    pending = new Map();
    const recorded = await keyUses.record(sent)();
    if (E.isLeft(recorded)) {
      pending = latestOf(sent, pending);
      onFailure(recorded.left);
    }
    sent = new Map();
  };

  const flushOnce = (): Promise<void> => {
    flushing ??= flush().finally(() => {
      flushing = undefined;
    });
    return flushing;
  };

  const timer = setInterval(() => void flushOnce(), flushMs);
  timer.unref();

  return {
    note: (keyId) => {
      used.add(keyId);
    },
    lastUses: () => {
      // Before it is read what is kept: what is handed on meanwhile may be in neither otherwise.
      const unkept = latestOf(sent, stamp());
      return pipe(
        keyUses.readAll,
        TE.map((kept) => latestOf(kept, unkept)),
      )();
    },
    close: async () => {
      clearInterval(timer);
      await within(CLOSE_MS, flushing?.then(flushOnce) ?? flushOnce());
    },
  };
};
