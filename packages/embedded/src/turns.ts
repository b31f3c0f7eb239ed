/**
 * Turns of the event loop. A look-up on LMDB waits for nothing, so many that are asked at once would all be answered
 * before anybody else gets a turn.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** For so long look-ups are answered in one turn. */
const TURN_MS = 20;

/** Runs a look-up: at once, or where this turn has been long, in a later one. */
export type InTurn = <A>(use: () => A | Promise<A>) => Promise<A>;

export const createTurns = (): InTurn => {
  let began: number | undefined;

  const isLong = (): boolean => {
    if (began !== undefined) return performance.now() - began > TURN_MS;
    began = performance.now();
    setImmediate(() => {
      began = undefined;
    });
    return false;
  };

  return async (use) => {
    while (isLong()) await nextTurn();
    return use();
  };
};
