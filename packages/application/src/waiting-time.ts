/**
 * For how long an event has been waiting for the read side. By the clock, that is how long ago it says that it
 * occurred. But clocks are set, and those of other instances differ, so what this process has seen by a clock that
 * nobody sets bounds it: it waits at least since it was first seen, and at most since it was seen not to be there.
 */
import type { Position } from './ports/event-store';

/** The first event that waits. */
interface Waiting {
  readonly position: Position;
  /** For how long, by the clock. */
  readonly seconds: number;
}

export interface WaitingTime {
  /**
   * Told of every look at how far the read side is behind.
   *
   * @param head the last event, as it was when the look began.
   * @param waiting undefined where nothing waits.
   * @returns seconds; and how many of them this process has seen the same event be the first that waits, which says
   *   that nothing has been applied meanwhile.
   */
  readonly look: (
    head: Position | undefined,
    waiting: Waiting | undefined,
  ) => { readonly seconds: number; readonly still: number };
}

interface Look {
  readonly head: Position;
  readonly at: number;
}

/**
 * @param start the last event when it is created: what comes after it was not there.
 * @param now milliseconds of a clock that nobody sets.
 */
export const createWaitingTime = (
  start: Position | undefined,
  now = () => performance.now(),
): WaitingTime => {
  /** The last look, and the last one of which it is known that what waits now was not there. */
  let last: Look = { head: start ?? 0n, at: now() };
  let before: Look | undefined;
  let first: { readonly position: Position; readonly at: number } | undefined;

  return {
    look: (head, waiting) => {
      const at = now();
      if (waiting === undefined) first = undefined;
      else if (first?.position !== waiting.position) first = { position: waiting.position, at };
      if (waiting === undefined || last.head < waiting.position) before = last;
      last = { head: head ?? 0n, at };
      if (waiting === undefined || first === undefined) return { seconds: 0, still: 0 };
      const atLeast = (at - first.at) / 1_000;
      const atMost = before === undefined ? Infinity : (at - before.at) / 1_000;
      return { seconds: Math.max(atLeast, Math.min(waiting.seconds, atMost), 0), still: atLeast };
    },
  };
};
