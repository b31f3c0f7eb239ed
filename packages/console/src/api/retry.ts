/** When a request that failed is sent again. */
import { type Answer, answerOf } from './client';

/** Timers hold no more than 24 days, and a page that waits for longer than this would seem to hang. */
const LONGEST_MS = 3_600_000;

/**
 * What a service asks to wait, in ms: `Retry-After` is seconds or a date (RFC 9110, section 10.2.3).
 *
 * @returns 0 where it asks nothing, or nothing that is understood.
 */
const retryAfterOf = (header: string | null): number => {
  if (header === null) return 0;
  const ms = /^\d+$/.test(header) ? 1_000 * Number(header) : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(0, ms), LONGEST_MS) : 0;
};

/** The outcome of a request, and how long the service asks to wait before the next one, in ms. */
export const answerAndWait = async <A>(
  request: Promise<{ readonly data?: A; readonly error?: unknown; readonly response: Response }>,
): Promise<{ readonly answer: Answer<A>; readonly retryAfterMs: number }> => {
  let retryAfterMs = 0;
  const answer = await answerOf(
    request.then((fetched) => {
      retryAfterMs = retryAfterOf(fetched.response.headers.get('retry-after'));
      return fetched;
    }),
  );
  return { answer, retryAfterMs };
};

/** Waits, but not beyond the moment when the browser is online again, and not for what is aborted. */
export const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const done = (): void => {
      clearTimeout(timer);
      removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
