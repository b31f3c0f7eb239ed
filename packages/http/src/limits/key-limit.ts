/**
 * Limits requests by key, and tells clients how much they have left, in the fields of
 * draft-ietf-httpapi-ratelimit-headers (RateLimit-Policy and RateLimit, draft 10).
 */
import { createTokenBuckets } from './token-buckets';

/** More keys than ask within a second of each other. */
const MAX_KEYS = 100_000;

interface Admission {
  readonly isAdmitted: boolean;
  readonly secondsToWait: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface KeyLimit {
  /** Counts a request of the key. */
  readonly admit: (keyId: string) => Admission;
}

/** @param perSecond requests a second, and as many at once. */
export const createKeyLimit = (perSecond: number): KeyLimit => {
  const buckets = createTokenBuckets({ capacity: perSecond, perSecond, maxBuckets: MAX_KEYS });
  const policy = `"key";q=${String(perSecond)};w=1`;
  return {
    admit: (keyId) => {
      const { isTaken, remaining, secondsToNext } = buckets.take(keyId);
      return {
        isAdmitted: isTaken,
        secondsToWait: secondsToNext,
        headers: { 'RateLimit-Policy': policy, RateLimit: `"key";r=${String(remaining)};t=1` },
      };
    },
  };
};
