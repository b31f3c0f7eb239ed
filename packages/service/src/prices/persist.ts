import { setTimeout as delay } from 'node:timers/promises';
import * as E from 'fp-ts/Either';
import type { Patience } from '../command-line/patience';
import type { Asked, ServiceFailure } from './service';

const FIRST_PAUSE_MS = 100;
const LAST_PAUSE_MS = 5_000;

const isPassing = ({ _tag }: ServiceFailure): boolean => _tag === 'Busy' || _tag === 'Unreachable';

/**
 * Asks again while the service is busy or does not answer. Only for what may be asked twice.
 *
 * @param patience for how long, from the first of the failures on.
 */
export const persist = async <A>(ask: () => Asked<A>, { ms, signal }: Patience): Asked<A> => {
  let until = Infinity;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LAST_PAUSE_MS)) {
    const asked = await ask();
    if (E.isRight(asked) || !isPassing(asked.left)) return asked;
    const wait = Math.max(pause, asked.left._tag === 'Busy' ? asked.left.afterMs : 0);
    until = Math.min(until, performance.now() + ms);
    if (signal.aborted || performance.now() + wait > until) return asked;
    await delay(wait, undefined, { signal }).catch(() => undefined);
  }
};
