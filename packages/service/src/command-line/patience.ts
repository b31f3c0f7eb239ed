/** Bears with a store or a service that does not answer. */
import { setTimeout as delay } from 'node:timers/promises';
import * as E from 'fp-ts/Either';

export interface Patience {
  /** For how long it is tried. */
  readonly ms: number;
  /** Aborted where it is to be tried no more. */
  readonly signal: AbortSignal;
}

/** For how long the commands ask a store that does not answer. */
export const STORE_PATIENCE_MS = 30_000;

const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 2_000;

/** What passes by itself, so that it may be asked again. */
const PASSING: readonly string[] = ['StoreUnavailable', 'Unreachable', 'Busy'];

/** A service that is busy says for how long. */
interface Failed {
  readonly _tag: string;
  readonly afterMs?: number;
}

/**
 * Attempts something until it succeeds or fails for a reason that does not pass. Only for what may be asked twice.
 *
 * @param patience for how long, from the first of the failures on.
 */
export const patiently = async <Failure extends Failed, A>(
  attempt: () => Promise<E.Either<Failure, A>>,
  { ms, signal }: Patience,
): Promise<E.Either<Failure, A>> => {
  let until = Infinity;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LAST_PAUSE_MS)) {
    const outcome = await attempt();
    if (E.isRight(outcome) || !PASSING.includes(outcome.left._tag)) return outcome;
    const wait = Math.max(pause, outcome.left.afterMs ?? 0);
    until = Math.min(until, performance.now() + ms);
    if (signal.aborted || performance.now() + wait > until) return outcome;
    await delay(wait, undefined, { signal }).catch(() => undefined);
  }
};
