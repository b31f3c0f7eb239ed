/** Lets queries through, or holds them for a moment in which none is on its way. */
import { setTimeout as delay } from 'node:timers/promises';

export interface Gate {
  /** Runs a query; where the gate is held, after that. */
  readonly pass: <A>(query: () => Promise<A>) => Promise<A>;
  /**
   * Runs something while no query begins.
   *
   * @param patienceMs how long to wait for those that have begun; who takes longer is not waited for.
   */
  readonly hold: <A>(patienceMs: number, act: () => Promise<A>) => Promise<A>;
}

export const createGate = (): Gate => {
  const onTheirWay = new Set<Promise<unknown>>();
  let held: Promise<unknown> | undefined;

  return {
    pass: async (query) => {
      while (held !== undefined) await held;
      const answer = query();
      onTheirWay.add(answer);
      try {
        return await answer;
      } finally {
        onTheirWay.delete(answer);
      }
    },

    hold: async (patienceMs, act) => {
      let release: (() => void) | undefined;
      held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const isOver = new AbortController();
      try {
        const patience = delay(patienceMs, undefined, { signal: isOver.signal }).catch(() => undefined);
        await Promise.race([Promise.allSettled(onTheirWay), patience]);
        return await act();
      } finally {
        isOver.abort();
        held = undefined;
        release?.();
      }
    },
  };
};
