/** Sends the requests of an import one after the other, each of which the service does once. */
import type { Api, Problem } from '../../api/client';
import { reasonHeader } from '../../api/change-reason';
import { answerAndWait, wait } from '../../api/retry';
import type { PlannedRequest } from './plan-requests';

/** What passes by itself: the service is away, restarting, busy, or its disk is full for now. */
const PASSING: readonly number[] = [0, 408, 429, 502, 503, 504, 507];

const FIRST_PAUSE_MS = 500;
const LAST_PAUSE_MS = 10_000;

/** Names a request to the service: what is sent again under it does nothing twice. */
const keyOf = (run: string, place: number, { mark }: PlannedRequest): string =>
  `console-import.${run}.${String(place)}.${mark}`;

interface SendOptions {
  readonly bookId: string;
  readonly run: string;
  readonly reason: string;
  /** The requests that are done already. */
  readonly from: number;
  /** Aborted to pause. The request that is on its way may be done all the same: it is sent again, and done once. */
  readonly signal: AbortSignal;
  /** Whether the service still knows a request that is sent again. */
  readonly mayRepeat: () => boolean;
  readonly onDone: (done: number) => Promise<void>;
  /** Told why it waits, and undefined when it goes on. */
  readonly onWait: (problem: Problem | undefined) => void;
}

/** What stopped an import for good. */
interface Refusal {
  readonly problem: Problem;
  readonly request: PlannedRequest;
}

/** @returns undefined where it came to its end, was paused, or may not repeat what it sent. */
export const sendImport = async (
  api: Api,
  requests: readonly PlannedRequest[],
  { bookId, run, reason, from, signal, mayRepeat, onDone, onWait }: SendOptions,
): Promise<Refusal | undefined> => {
  const send = (place: number, request: PlannedRequest) =>
    answerAndWait(
      api.PUT('/v1/pricebooks/{priceBookId}/prices', {
        params: {
          path: { priceBookId: bookId },
          header: { 'Idempotency-Key': keyOf(run, place, request), ...reasonHeader(reason) },
        },
        headers: { 'content-type': 'text/csv; charset=utf-8' },
        body: request.csv,
        bodySerializer: () => request.csv,
        signal,
      }),
    ).catch((failure: unknown) => {
      if (signal.aborted) return undefined;
      throw failure;
    });

  for (const [place, request] of requests.entries()) {
    if (place < from) continue;
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LAST_PAUSE_MS)) {
      if (signal.aborted || !mayRepeat()) return undefined;
      const sent = await send(place, request);
      if (sent === undefined) return undefined;
      const { answer, retryAfterMs } = sent;
      if (answer.ok) break;
      if (!PASSING.includes(answer.problem.status)) return { problem: answer.problem, request };
      onWait(answer.problem);
      await wait(Math.max(pause, retryAfterMs), signal);
    }
    onWait(undefined);
    await onDone(place + 1);
  }
  return undefined;
};
