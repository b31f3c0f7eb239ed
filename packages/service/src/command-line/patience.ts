/** Bears with a store that does not answer. */
import { setTimeout as delay } from 'node:timers/promises';
import type { StoreUnavailable } from '@pricebook/application';
import * as E from 'fp-ts/Either';

export interface Patience {
  /** For how long it is tried. */
  readonly ms: number;
  /** Aborted where it is to be tried no more. */
  readonly signal: AbortSignal;
}

const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 2_000;

const isUnavailable = (error: { readonly _tag: string }): error is StoreUnavailable =>
  error._tag === 'StoreUnavailable';

/** Attempts something until it succeeds or fails for another reason than that the store does not answer. */
export const patiently = async <Failure extends { readonly _tag: string }, A>(
  attempt: () => Promise<E.Either<Failure, A>>,
  { ms, signal }: Patience,
): Promise<E.Either<Failure, A>> => {
  const until = performance.now() + ms;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LAST_PAUSE_MS)) {
    const outcome = await attempt();
    if (E.isRight(outcome) || !isUnavailable(outcome.left)) return outcome;
    if (signal.aborted || performance.now() + pause > until) return outcome;
    await delay(pause, undefined, { signal }).catch(() => undefined);
  }
};
