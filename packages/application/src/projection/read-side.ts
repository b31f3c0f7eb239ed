/** How far the read side has come, for those who wait for it, wherever the projector runs. */
import { setTimeout as delay } from 'node:timers/promises';
import * as E from 'fp-ts/Either';
import type { Position } from '../ports/event-store';
import type { ReadModel } from '../ports/read-model';

/** Those who wait until a position is reached. */
export interface Waiters {
  /** @returns whether it was reached within the time. */
  readonly wait: (position: Position, timeoutMs: number) => Promise<boolean>;
  readonly reached: (position: Position) => void;
  /** Nobody waits any longer: it will not be reached. */
  readonly giveUp: () => void;
  readonly count: () => number;
}

interface Waiter {
  readonly position: Position;
  readonly done: (reached: boolean) => void;
}

export const createWaiters = (): Waiters => {
  const waiters = new Set<Waiter>();
  return {
    wait: (position, timeoutMs) =>
      new Promise((resolve) => {
        const waiter: Waiter = {
          position,
          done: (reached) => {
            clearTimeout(timer);
            waiters.delete(waiter);
            resolve(reached);
          },
        };
        const timer = setTimeout(() => {
          waiter.done(false);
        }, timeoutMs);
        waiters.add(waiter);
      }),
    reached: (position) => {
      for (const waiter of waiters) if (waiter.position <= position) waiter.done(true);
    },
    giveUp: () => {
      for (const waiter of waiters) waiter.done(false);
    },
    count: () => waiters.size,
  };
};

export interface ReadSide {
  /** Up to where it is known to have come; undefined before the first event, or where that was never asked. */
  readonly reached: () => Position | undefined;
  /**
   * Waits until the read model has applied everything up to a position.
   *
   * @returns whether it came that far within the time; false at once where it will not come further.
   */
  readonly waitFor: (position: Position, timeoutMs: number) => Promise<boolean>;
}

/** How often it is looked how far another process has come; only while somebody waits. */
const LOOK_MS = 5;

/** The read side where another process projects: its checkpoint says how far it has come. */
export const followReadSide = (readModel: Pick<ReadModel, 'checkpoint'>): ReadSide => {
  const waiters = createWaiters();
  let seen: Position | undefined;
  let isLooking = false;

  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    while (waiters.count() > 0) {
      const checkpoint = await readModel.checkpoint()();
      if (E.isRight(checkpoint) && checkpoint.right !== undefined) {
        seen = checkpoint.right;
        waiters.reached(seen);
      }
      if (waiters.count() > 0) await delay(LOOK_MS);
    }
    isLooking = false;
  };

  return {
    reached: () => seen,
    waitFor: (position, timeoutMs) => {
      if (seen !== undefined && seen >= position) return Promise.resolve(true);
      const reached = waiters.wait(position, timeoutMs);
      void look();
      return reached;
    },
  };
};
