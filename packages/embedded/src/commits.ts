/**
 * Commits one after the other. Appends that arrive while one is under way share the next; so the outcome of a commit is
 * known before another begins. While there is an obstacle none begins.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StoreReadsOnly } from '@pricebook/application';
import * as E from 'fp-ts/Either';

export type Outcome<A, Failure> = E.Either<Failure | StoreReadsOnly, A>;

interface Waiting<Entry, A, Failure> {
  readonly entry: Entry;
  readonly settle: (outcome: Outcome<A, Failure>) => void;
  readonly fail: (defect: unknown) => void;
}

/** Adds entries together; each has its outcome. */
export type Commit<Entry, A, Failure> = (
  entries: readonly Entry[],
) => Promise<readonly Outcome<A, Failure>[]>;

/** @param obstacle what prevents commits now. */
export const createCommits = <Entry, A, Failure>(
  commit: Commit<Entry, A, Failure>,
  obstacle: () => Failure | StoreReadsOnly | undefined,
): ((entry: Entry) => Promise<Outcome<A, Failure>>) => {
  let waiting: Waiting<Entry, A, Failure>[] = [];
  let isCommitting = false;

  const commitAll = async (): Promise<void> => {
    isCommitting = true;
    while (waiting.length > 0) {
      // A commit costs far more than what is in it: all that comes in this turn of the event loop comes along.
      await nextTurn();
      const batch = waiting;
      waiting = [];
      const standing = obstacle();
      if (standing !== undefined) {
        for (const { settle } of batch) settle(E.left(standing));
        continue;
      }
      try {
        const outcomes = await commit(batch.map(({ entry }) => entry));
        batch.forEach(({ settle, fail }, index) => {
          const outcome = outcomes[index];
          if (outcome === undefined) fail(new Error('a commit has no outcome'));
          else settle(outcome);
        });
      } catch (defect) {
        for (const { fail } of batch) fail(defect);
      }
    }
    isCommitting = false;
  };

  return (entry) =>
    new Promise((settle, fail) => {
      waiting.push({ entry, settle, fail });
      if (!isCommitting) void commitAll();
    });
};
