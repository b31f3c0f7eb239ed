/** The one client of the process, with a time limit around every call. */
import { setTimeout as delay } from 'node:timers/promises';
import type { EventStoreDBClient } from '@eventstore/db-client';
import pLimit from 'p-limit';
import { isStuckClient, NoAnswer } from './failures';
import { newClient } from './new-client';

/** How long a call of the port may take: a request is to be refused within 2 s where the server is silent. */
const LIMIT_MS = 1_200;
/** The same while the server is known to be silent: those who waited in a queue have waited before. */
const SHORT_LIMIT_MS = 600;
/** Appends in flight at once. Further ones wait, also for those that got no answer: the client holds them. */
const APPENDS_IN_FLIGHT = 128;
/** After so long the server, or the keepalive of the connection, has ended an append. Then it counts no more. */
const STALE_APPEND_MS = 30_000;
/** Past some 99 open reads on a connection, more of them hang without an error. */
const READS_IN_FLIGHT = 64;
/** How long closing waits for calls of the port: none takes longer where the server is silent. */
const CLOSE_MS = 2_000;

/** How long an answer is waited for. */
export interface Patience {
  /** Says when it has ended. */
  readonly isOver: AbortSignal;
  /** To be called with every part of an answer: patience begins anew, for what is large is not silent. */
  readonly renew: () => void;
}

export interface Connection {
  /** Runs a call of the port, and tells it when it has to end: a time of performance.now(), which nobody sets. */
  readonly call: <A>(work: (until: number) => Promise<A>) => Promise<A>;
  /** Sends an append, and waits for the answer until a time. What was sent may be carried out all the same. */
  readonly append: <A>(until: number, send: (client: EventStoreDBClient) => Promise<A>) => Promise<A>;
  /** Reads until a time. */
  readonly read: <A>(
    until: number,
    read: (client: EventStoreDBClient, patience: Patience) => Promise<A>,
  ) => Promise<A>;
  /** The client, for a subscription: those have no end to wait for. */
  readonly client: () => EventStoreDBClient;
  readonly close: () => Promise<void>;
}

/** The client's table of appends is one for the process: a second client breaks the appends of the first. */
let isConnected = false;

const before = async <A>(until: number, work: (patience: Patience) => Promise<A>): Promise<A> => {
  const end = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => {
        end.abort();
        reject(new NoAnswer('the server does not answer'));
      },
      Math.max(0, until - performance.now()),
    );
  });
  try {
    return await Promise.race([work({ isOver: end.signal, renew: () => timer?.refresh() }), timeUp]);
  } finally {
    clearTimeout(timer);
  }
};

/**
 * Connects to EventStoreDB; the connection itself is made with the first call.
 *
 * @param url `esdb://...`
 * @param limitMs how long a call may take.
 * @throws Error where the URL is malformed or keeps conflicts from being told, or the process has a connection already.
 */
export const connect = (url: string, limitMs = LIMIT_MS): Connection => {
  if (isConnected) throw new Error('this process has a connection to EventStoreDB already');
  const appends = pLimit(APPENDS_IN_FLIGHT);
  const reads = pLimit(READS_IN_FLIGHT);
  let client = newClient(url);
  if (!client['throwOnAppendFailure']) throw new Error('throwOnAppendFailure has to stay true');
  isConnected = true;
  /** Clients that cannot be used any more, until nothing is in flight. */
  const retired = new Set<EventStoreDBClient>();
  let isSilent = false;

  /** Calls of the port that are not over: they try more than once. */
  let calls = 0;
  let closing: Promise<void> | undefined;

  const isBusy = (): boolean => appends.activeCount + reads.activeCount > 0;

  const dispose = async (clients: readonly EventStoreDBClient[]): Promise<void> => {
    await Promise.all(clients.map((one) => one.dispose().catch(() => undefined)));
  };

  /** Disposing of a client breaks the appends in flight of all, and ends its reads as if there were no more to come. */
  const disposeRetired = async (): Promise<void> => {
    if (isBusy()) return;
    const unused = [...retired];
    retired.clear();
    await dispose(unused);
  };

  const disconnect = async (): Promise<void> => {
    const until = performance.now() + CLOSE_MS;
    while (calls > 0 && performance.now() < until) await delay(10);
    await dispose([...retired, client]);
    isConnected = false;
  };

  /** Waits for an answer until a time, and remembers whether there was one. */
  const settle = async <A>(until: number, work: (patience: Patience) => Promise<A>): Promise<A> => {
    try {
      const answer = await before(until, work);
      isSilent = false;
      return answer;
    } catch (failure) {
      isSilent = failure instanceof NoAnswer;
      throw failure;
    }
  };

  /** Puts a new client into the place of one that will refuse everything. */
  const replace = (used: EventStoreDBClient): void => {
    if (used !== client) return;
    retired.add(client);
    client = newClient(url);
  };

  return {
    call: async (work) => {
      calls += 1;
      try {
        return await work(performance.now() + (isSilent ? SHORT_LIMIT_MS : limitMs));
      } finally {
        calls -= 1;
      }
    },

    append: (until, send) =>
      settle(
        until,
        () =>
          new Promise((resolve, reject) => {
            void appends(async () => {
              if (performance.now() >= until) return;
              const used = client;
              const answer = send(used);
              answer.then(resolve, reject);
              answer
                .catch((failure: unknown) => {
                  if (isStuckClient(failure)) replace(used);
                })
                // An answer that comes late is one: the server may be slow, not away.
                .finally(() => {
                  isSilent = false;
                });
              const stale = new AbortController();
              await Promise.race([
                answer.catch(() => undefined),
                delay(STALE_APPEND_MS, undefined, { ref: false, signal: stale.signal }).catch(
                  () => undefined,
                ),
              ]);
              stale.abort();
            }).then(disposeRetired);
          }),
      ),

    read: (until, read) =>
      settle(until, (patience) => {
        const found = reads(async () => {
          patience.isOver.throwIfAborted();
          return read(client, patience);
        });
        void found.catch(() => undefined).then(disposeRetired);
        return found;
      }),

    client: () => client,

    close: () => (closing ??= disconnect()),
  };
};
