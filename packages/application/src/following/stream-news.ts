/**
 * Tells those who follow streams that there may be more in them: by one subscription to all events for the whole
 * process, which lasts as long as anyone follows. It only wakes; what there is everyone reads from the stream itself.
 */
import { setTimeout as delay } from 'node:timers/promises';
import * as E from 'fp-ts/Either';
import type { EventStore } from '../ports/event-store';

/** One who follows a stream, or all of them. */
export interface Watch {
  /**
   * Changes with everything that may have brought events. A read that begins after this was asked for finds whatever
   * came before; what comes later changes it again.
   */
  readonly version: () => number;
  /** Settles when the version is another than the one seen, when the time is over, or when the watch has ended. */
  readonly changed: (seen: number, timeoutMs: number) => Promise<void>;
  readonly end: () => void;
}

/** Stands for all streams; no stream has this name. */
export const ALL_STREAMS = '*';

export interface StreamNews {
  /** @param stream its name, or `ALL_STREAMS`. */
  readonly watch: (stream: string) => Watch;
}

interface Topic {
  version: number;
  watches: number;
  readonly waiting: Set<() => void>;
}

/** How long the next try waits where the subscription has ended or cannot begin: from the first to the last. */
const RETRY_MS = { first: 50, last: 5_000 };
/** A subscription that has lasted so long counts as one that works. */
const SETTLED_MS = 1_000;

export const createStreamNews = (
  eventStore: Pick<EventStore, 'head' | 'subscribe'>,
  retryMs = RETRY_MS,
): StreamNews => {
  const topics = new Map<string, Topic>();
  let listening: AbortController | undefined;
  /** Of all streams together: what was read for those who have left is never taken for what others ask for later. */
  let lastVersion = 0;
  const nextVersion = (): number => (lastVersion += 1);

  const announce = (topic: Topic): void => {
    topic.version = nextVersion();
    for (const wake of topic.waiting) wake();
  };

  /** Ends when the subscription does, for whatever reason: it is begun anew, and who follows looks now and then. */
  const listenOnce = async (signal: AbortSignal): Promise<void> => {
    const head = await eventStore.head()();
    if (E.isLeft(head)) return;
    // Up to here no subscription tells of anything: everyone has to look.
    topics.forEach(announce);
    for await (const { events } of eventStore.subscribe(head.right, signal)) {
      const streams = new Set(events.map((event) => event.stream));
      if (streams.size > 0) streams.add(ALL_STREAMS);
      for (const stream of streams) {
        const topic = topics.get(stream);
        if (topic !== undefined) announce(topic);
      }
    }
  };

  const listen = async (signal: AbortSignal): Promise<void> => {
    let waitMs = retryMs.first;
    while (!signal.aborted) {
      const began = performance.now();
      await listenOnce(signal).catch(() => undefined);
      if (performance.now() - began > SETTLED_MS) waitMs = retryMs.first;
      // Jitter keeps several processes from coming back all at once.
      await delay(waitMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
      waitMs = Math.min(waitMs * 2, retryMs.last);
    }
  };

  const leave = (stream: string, topic: Topic): void => {
    topic.watches -= 1;
    if (topic.watches > 0) return;
    topics.delete(stream);
    if (topics.size > 0) return;
    listening?.abort();
    listening = undefined;
  };

  return {
    watch: (stream) => {
      const topic: Topic = topics.get(stream) ?? { version: nextVersion(), watches: 0, waiting: new Set() };
      topic.watches += 1;
      topics.set(stream, topic);
      if (listening === undefined) {
        listening = new AbortController();
        void listen(listening.signal);
      }
      let hasEnded = false;
      let wake: (() => void) | undefined;
      return {
        version: () => topic.version,
        changed: (seen, timeoutMs) =>
          new Promise((resolve) => {
            if (hasEnded || topic.version !== seen) {
              resolve();
              return;
            }
            const done = (): void => {
              clearTimeout(timer);
              topic.waiting.delete(done);
              resolve();
            };
            const timer = setTimeout(done, Math.max(0, timeoutMs));
            topic.waiting.add(done);
            wake = done;
          }),
        end: () => {
          if (hasEnded) return;
          hasEnded = true;
          wake?.();
          leave(stream, topic);
        },
      };
    },
  };
};
