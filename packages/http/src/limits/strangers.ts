/**
 * Limits how often those who bring no valid key are told so. Who guesses keys, or only wants to fill the log, is
 * answered 429 past the bound, without a line in the log each. Valid keys are looked at first and never counted here,
 * so that nobody is held up by what others send from the same address, such as that of a proxy.
 */
import type { Logger } from 'pino';
import { createTokenBuckets } from './token-buckets';

/** An address may be refused so often at once, such as after a key was rotated and its old one is still in use. */
const BURST = 1_000;
const PER_SECOND = 10;
const MAX_ADDRESSES = 10_000;
/** The log says at most so often how many were turned away. */
const REPORT_MS = 10_000;

export interface Strangers {
  /** Counts a request without a valid key; undefined where it may be told so, else the seconds to wait. */
  readonly secondsToWait: (address: string) => number | undefined;
}

export const createStrangers = (logger: Logger): Strangers => {
  const buckets = createTokenBuckets({
    capacity: BURST,
    perSecond: PER_SECOND,
    maxBuckets: MAX_ADDRESSES,
  });
  let turnedAway = 0;
  let reportedAt = -REPORT_MS;

  const report = (address: string): void => {
    turnedAway += 1;
    const now = performance.now();
    if (now - reportedAt < REPORT_MS) return;
    logger.warn({ address, requests: turnedAway }, 'requests without a valid key come too fast');
    turnedAway = 0;
    reportedAt = now;
  };

  return {
    secondsToWait: (address) => {
      const { isTaken, secondsToNext } = buckets.take(address);
      if (isTaken) return undefined;
      report(address);
      return secondsToNext;
    },
  };
};
