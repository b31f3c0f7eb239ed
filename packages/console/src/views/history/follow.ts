/** The history of a book by its event stream, which can begin at any revision: the list is oldest first only. */
import { type Answer, type Api, type Problem, type Schemas, UNREACHABLE } from '../../api/client';
import { answerAndWait, wait } from '../../api/retry';
import { eventsIn } from './event-stream';

export type Entry = Schemas['HistoryEntry'];

/** Three heartbeats of the service. */
const SILENCE_MS = 45_000;
const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 15_000;

interface Opened {
  readonly status: number;
  readonly body: ReadableStream<Uint8Array> | undefined;
}

/** @param after the last revision that is known; -1 for none. */
const openStream = async (
  api: Api,
  bookId: string,
  after: number,
  signal: AbortSignal,
): Promise<{ readonly opened: Answer<Opened>; readonly retryAfterMs: number }> => {
  const { answer, retryAfterMs } = await answerAndWait(
    api.GET('/v1/pricebooks/{priceBookId}/events', {
      params: {
        path: { priceBookId: bookId },
        header: after < 0 ? {} : { 'Last-Event-ID': String(after) },
      },
      headers: { accept: 'text/event-stream' },
      parseAs: 'stream',
      signal,
    }),
  );
  if (!answer.ok) return { opened: answer, retryAfterMs };
  const body = (answer.data ?? undefined) as ReadableStream<Uint8Array> | undefined;
  return { opened: { ...answer, data: { status: answer.response.status, body } }, retryAfterMs };
};

/** The entries from one revision to another, oldest first. */
export const loadEntries = async (
  api: Api,
  bookId: string,
  { from, to }: { readonly from: number; readonly to: number },
  signal: AbortSignal,
): Promise<Answer<readonly Entry[]>> => {
  const { opened } = await openStream(api, bookId, from - 1, signal);
  if (!opened.ok) return opened;
  const entries: Entry[] = [];
  try {
    for await (const events of opened.data.body === undefined ? [] : eventsIn(opened.data.body, SILENCE_MS)) {
      for (const { data } of events) if (data !== undefined) entries.push(JSON.parse(data) as Entry);
      const last = entries.at(-1);
      if (last !== undefined && last.revision >= to) {
        const wanted = entries.filter(({ revision }) => revision <= to);
        return { ok: true, data: wanted, response: opened.response };
      }
    }
  } catch (failure) {
    if (failure instanceof DOMException && failure.name === 'AbortError') throw failure;
  }
  return { ok: false, problem: UNREACHABLE };
};

export type Connection =
  { readonly state: 'live' | 'lost' | 'ended' } | { readonly state: 'refused'; readonly problem: Problem };

export interface Follower {
  readonly onEntries: (entries: readonly Entry[]) => void;
  readonly onConnection: (connection: Connection) => void;
}

/** What becomes no better by itself. A key that is refused may be replaced by another sign-in. */
const isFinal = ({ status }: Problem): boolean =>
  status >= 400 && status < 500 && ![401, 408, 429].includes(status);

/** Follows a book until the signal is aborted, and reconnects as often as the connection is lost. */
export const follow = async (
  api: Api,
  bookId: string,
  after: number,
  { onEntries, onConnection }: Follower,
  signal: AbortSignal,
): Promise<void> => {
  let last = after;
  let failures = 0;
  const isOver = (): boolean => signal.aborted;
  while (!isOver()) {
    let askedMs = 0;
    try {
      const { opened, retryAfterMs } = await openStream(api, bookId, last, signal);
      askedMs = retryAfterMs;
      if (!opened.ok && isFinal(opened.problem)) {
        onConnection({ state: 'refused', problem: opened.problem });
        return;
      }
      if (opened.ok && opened.data.status === 204) {
        onConnection({ state: 'ended' });
        return;
      }
      if (opened.ok && opened.data.body !== undefined) {
        onConnection({ state: 'live' });
        failures = 0;
        for await (const events of eventsIn(opened.data.body, SILENCE_MS)) {
          const entries: Entry[] = [];
          for (const { id, data } of events) {
            if (id !== undefined) last = Math.max(last, Number(id));
            if (data !== undefined) entries.push(JSON.parse(data) as Entry);
          }
          if (entries.length > 0) onEntries(entries);
        }
      }
    } catch {
      // A connection that is lost; or the view is left, and the loop ends.
    }
    if (isOver()) return;
    onConnection({ state: 'lost' });
    const ms = Math.min(MAX_WAIT_MS, MIN_WAIT_MS * 2 ** failures);
    failures += 1;
    // Not all pages come again in the same moment.
    await wait(Math.max(askedMs, ms * (0.75 + Math.random() / 2)), signal);
  }
};
