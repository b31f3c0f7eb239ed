/** `knownAt`: prices as they were planned at another time. */
import type { Clock } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import type { ApiError } from './api-error';
import { at, invalid, malformed, time } from './parameters';

export const knownAt = time(
  'knownAt',
  'The price at `at` as it was planned at this instant, which is not after now. It needs `at`.',
);

/** What is wrong with a `knownAt` after now, in words that follow its name; undefined where it is not. */
export const afterNow = (instant: string, clock: Clock): string | undefined => {
  const now = clock.now();
  return instant > now ? `must not be after now, ${now}: what will be planned is not known yet` : undefined;
};

/** ISO 8601, UTC; undefined where it is absent. */
export const knownAtIn = (query: URLSearchParams, clock: Clock): E.Either<ApiError, string | undefined> => {
  if (!query.has(knownAt.name)) return E.right(undefined);
  const read = knownAt.read(query);
  if (E.isLeft(read) || read.right === undefined) return read;
  if (!query.has(at.name)) return invalid('The query parameter "knownAt" needs "at", the time of the price.');
  const fault = afterNow(read.right, clock);
  return fault === undefined ? read : malformed(knownAt.name, fault);
};
