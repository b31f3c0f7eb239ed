/** Sends the requests of an import one after the other, each of which the service does once. */
import { type Api, answerOf, type Problem } from '../../api/client';
import type { PlannedRequest } from './plan-requests';

/** What passes by itself: the service is away, restarting or busy. */
const PASSING: readonly number[] = [0, 408, 429, 502, 503, 504];

const FIRST_PAUSE_MS = 500;
const LAST_PAUSE_MS = 10_000;

/** FNV-1a: tells a request from another one that takes its place, such as after an update of the console. */
const markOf = (text: string): string => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
};

/** Names a request to the service: what is sent again under it does nothing twice. */
const keyOf = (run: string, place: number, { csv }: PlannedRequest): string =>
  `console-import.${run}.${String(place)}.${markOf(csv)}`;

export const newRun = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** @returns at once where the signal is aborted. */
const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });

export interface SendOptions {
  readonly bookId: string;
  readonly run: string;
  /** The requests that are done already. */
  readonly from: number;
  /** Aborted to pause; the request that is on its way is finished. */
  readonly signal: AbortSignal;
  readonly onDone: (done: number) => Promise<void>;
  /** Told why it waits, and undefined when it goes on. */
  readonly onWait: (problem: Problem | undefined) => void;
}

/** @returns what stopped it; undefined where it came to its end or was paused. */
export const sendImport = async (
  api: Api,
  requests: readonly PlannedRequest[],
  { bookId, run, from, signal, onDone, onWait }: SendOptions,
): Promise<Problem | undefined> => {
  const send = async (place: number, request: PlannedRequest) => {
    let retryAfterMs = 0;
    const answer = await answerOf(
      api
        .PUT('/v1/pricebooks/{priceBookId}/prices', {
          params: {
            path: { priceBookId: bookId },
            header: { 'Idempotency-Key': keyOf(run, place, request) },
          },
          headers: { 'content-type': 'text/csv; charset=utf-8' },
          body: request.csv,
          bodySerializer: () => request.csv,
        })
        .then((fetched) => {
          retryAfterMs = 1_000 * Number(fetched.response.headers.get('retry-after') ?? 0);
          return fetched;
        }),
    );
    return { answer, retryAfterMs };
  };

  for (const [place, request] of requests.entries()) {
    if (place < from) continue;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LAST_PAUSE_MS)) {
      if (signal.aborted) return undefined;
      const { answer, retryAfterMs } = await send(place, request);
      if (answer.ok) break;
      if (!PASSING.includes(answer.problem.status)) return answer.problem;
      onWait(answer.problem);
      await wait(Math.max(pause, retryAfterMs), signal);
    }
    onWait(undefined);
    await onDone(place + 1);
  }
  return undefined;
};
