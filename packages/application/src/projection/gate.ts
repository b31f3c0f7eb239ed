/** Lets queries through, or holds them for a moment in which none is on its way. */
import { within } from '../within';

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
  let underWay = 0;
  let onLast: (() => void) | undefined;
  let held: Promise<unknown> | undefined;

  const noneUnderWay = (): Promise<void> =>
    new Promise((resolve) => {
      if (underWay === 0) resolve();
      else onLast = resolve;
    });

  return {
    pass: async (query) => {
      while (held !== undefined) await held;
      underWay += 1;
      try {
        return await query();
      } finally {
        underWay -= 1;
        if (underWay === 0) onLast?.();
      }
    },

    hold: async (patienceMs, act) => {
      let release: (() => void) | undefined;
      held = new Promise<void>((resolve) => {
        release = resolve;
      });
      try {
        await within(patienceMs, noneUnderWay());
        return await act();
      } finally {
        held = undefined;
        release?.();
      }
    },
  };
};
