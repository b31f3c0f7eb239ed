/** Bounds how many follow books at a time, and lets all of them go when the service stops. */
import * as E from 'fp-ts/Either';
import type { ApiError } from '../api-error';

export interface FollowerLimits {
  readonly all: number;
  readonly ofKey: number;
  /** How often each hears that it is still connected. */
  readonly heartbeatMs: number;
}

/** All of them and some thousands of other connections find room among those that there may be. */
const FOLLOWER_LIMITS: FollowerLimits = { all: 2_000, ofKey: 500, heartbeatMs: 15_000 };

/** Seconds: places come free when others leave. */
const RETRY_AFTER = 10;

/** The place of one that follows. */
interface Place {
  /** Aborted when the service stops. */
  readonly until: AbortSignal;
  readonly leave: () => void;
}

export interface Followers {
  readonly heartbeatMs: number;
  /** @param keyId whose key it comes with. */
  readonly admit: (keyId: string) => E.Either<ApiError, Place>;
  readonly count: () => number;
}

export const createFollowers = (
  stopping: AbortSignal,
  { all, ofKey, heartbeatMs }: FollowerLimits = FOLLOWER_LIMITS,
): Followers => {
  const places = new Set<AbortController>();
  const byKey = new Map<string, number>();
  stopping.addEventListener('abort', () => {
    for (const place of places) place.abort();
  });

  return {
    heartbeatMs,
    admit: (keyId) => {
      const others = byKey.get(keyId) ?? 0;
      if (others >= ofKey)
        return E.left({ _tag: 'TooManyRequests', secondsToWait: RETRY_AFTER, of: 'follower' });
      if (places.size >= all) return E.left({ _tag: 'TooManyFollowers', secondsToWait: RETRY_AFTER });
      const place = new AbortController();
      if (stopping.aborted) place.abort();
      places.add(place);
      byKey.set(keyId, others + 1);
      return E.right({
        until: place.signal,
        leave: () => {
          if (!places.delete(place)) return;
          const left = (byKey.get(keyId) ?? 0) - 1;
          if (left > 0) byKey.set(keyId, left);
          else byKey.delete(keyId);
        },
      });
    },
    count: () => places.size,
  };
};
