/**
 * Limits how often each of many may do something. Each has a bucket of tokens, full at first, that fills up steadily;
 * doing it once takes one. Time is that of this process, so each process limits for itself.
 */
interface TokenBucketsOptions {
  /** How many tokens a full bucket has: as often may one do it at once. */
  readonly capacity: number;
  /** How many come each second. */
  readonly perSecond: number;
  /** How many may be told apart; who was not seen for longest is forgotten, and has a full bucket again. */
  readonly maxBuckets: number;
  /** Milliseconds that never go back. */
  readonly now?: () => number;
}

interface Taken {
  readonly isTaken: boolean;
  /** Whole tokens that are left. */
  readonly remaining: number;
  /** Whole seconds until there is a token to take; 0 where there is one. */
  readonly secondsToNext: number;
}

export interface TokenBuckets {
  readonly take: (name: string) => Taken;
  /** How many are told apart at the moment. */
  readonly size: () => number;
}

interface Bucket {
  tokens: number;
  at: number;
}

/** As many are forgotten at once at most, so that nobody waits for it. */
const FORGOTTEN_AT_ONCE = 2;

export const createTokenBuckets = ({
  capacity,
  perSecond,
  maxBuckets,
  now = () => performance.now(),
}: TokenBucketsOptions): TokenBuckets => {
  /** In the order in which they were last asked for. */
  const buckets = new Map<string, Bucket>();
  const fillMs = (capacity / perSecond) * 1_000;

  /** A bucket that is full again is as good as none. */
  const forget = (time: number): void => {
    let looked = 0;
    for (const [name, { at }] of buckets) {
      if (buckets.size <= maxBuckets && time - at < fillMs) return;
      buckets.delete(name);
      looked += 1;
      if (looked === FORGOTTEN_AT_ONCE) return;
    }
  };

  return {
    take: (name) => {
      const time = now();
      const bucket = buckets.get(name) ?? { tokens: capacity, at: time };
      bucket.tokens = Math.min(capacity, bucket.tokens + ((time - bucket.at) / 1_000) * perSecond);
      bucket.at = time;
      const isTaken = bucket.tokens >= 1;
      if (isTaken) bucket.tokens -= 1;
      buckets.delete(name);
      buckets.set(name, bucket);
      forget(time);
      return {
        isTaken,
        remaining: Math.floor(bucket.tokens),
        secondsToNext: bucket.tokens >= 1 ? 0 : Math.ceil((1 - bucket.tokens) / perSecond),
      };
    },
    size: () => buckets.size,
  };
};
