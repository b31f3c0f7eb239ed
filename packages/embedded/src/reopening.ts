/**
 * An LMDB environment that is opened anew after a commit that failed. LMDB refuses everything, reads too, once it could
 * not write a header, and lmdb then crashes or hangs on the next transaction. So none is begun on such an environment:
 * it is closed, and what is asked meanwhile waits for the next one.
 */
import type { StoreError } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import type { RootDatabase } from 'lmdb';
import type { CommitLock } from './commit-lock';
import { toStoreError } from './damage';
import type { Opened } from './environment';

export interface Reopening<Held> {
  /** Runs what waits for nothing; at once, unless it is being opened anew. Nothing of it may be kept for later. */
  readonly use: <A>(
    act: (held: Held, environment: RootDatabase, commits: CommitLock) => A,
  ) => E.Either<StoreError, A> | Promise<E.Either<StoreError, A>>;
  /** Closes it, and opens it in another way. Fails where that does not open; then it answers that it is not there. */
  readonly reopen: (how: () => Opened<Held>) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** @param file its name for error messages. */
export const createReopening = <Held>(file: string, first: Opened<Held>): Reopening<Held> => {
  let opened: Opened<Held> | undefined = first;
  let changing: Promise<void> | undefined;
  let isClosed = false;
  let reason = '';

  const change = async (act: () => Promise<void>): Promise<void> => {
    while (changing !== undefined) await changing;
    const done = act();
    changing = done
      .catch(() => undefined)
      .finally(() => {
        changing = undefined;
      });
    return done;
  };

  const useNow = <A>(
    act: (held: Held, environment: RootDatabase, commits: CommitLock) => A,
  ): E.Either<StoreError, A> => {
    // lmdb ends the process where it is used after it was closed.
    if (isClosed) return E.left({ _tag: 'StoreUnavailable', reason: `${file} is closed` });
    if (opened === undefined) return E.left({ _tag: 'StoreUnavailable', reason: `${file}: ${reason}` });
    try {
      return E.right(act(opened.held, opened.environment, opened.commits));
    } catch (failure) {
      return E.left(toStoreError(file, failure));
    }
  };

  const useLater = async <A>(act: (held: Held, environment: RootDatabase, commits: CommitLock) => A) => {
    while (changing !== undefined) await changing;
    return useNow(act);
  };

  return {
    use: (act) => (changing === undefined ? useNow(act) : useLater(act)),

    reopen: (how) =>
      change(async () => {
        if (isClosed) return;
        const old = opened;
        opened = undefined;
        await old?.close();
        try {
          opened = how();
        } catch (failure) {
          reason = failure instanceof Error ? failure.message : String(failure);
          throw failure;
        }
      }),

    close: () =>
      change(async () => {
        isClosed = true;
        await opened?.close();
        opened = undefined;
      }),
  };
};
