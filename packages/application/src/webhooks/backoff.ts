/** When a message that was not delivered is tried again. */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** After the first attempt, after the second and so on: about a day in all. */
export const DELAYS_MS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  8 * HOUR,
];

/** A webhook to which nothing was delivered for so long, while messages failed, is paused. */
export const PAUSE_AFTER_MS = 3 * 24 * HOUR;

/**
 * @param attempts so far.
 * @param random from 0 up to 1: receivers that fail together are not tried together.
 * @returns how long to wait; undefined where the message is given up.
 */
export const delayAfter = (attempts: number, random: number): number | undefined => {
  const delay = DELAYS_MS[attempts - 1];
  return delay === undefined ? undefined : Math.round(delay * (0.8 + random * 0.4));
};
