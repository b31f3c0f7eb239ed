/** The one client of the process, with a time limit around every call. */
import { setTimeout as delay } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';
import pLimit from 'p-limit';
import { guardClient } from './client-guard';
import { isStuckClient, NoAnswer } from './failures';

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
/** How long closing waits for appends in flight. */
const CLOSE_MS = 2_000;

export interface Connection {
  /** When a call that begins now has to end: a time in milliseconds. */
  readonly deadline: () => number;
  /** Sends an append, and waits for the answer until a time. What was sent may be carried out all the same. */
  readonly append: <A>(until: number, send: (client: EventStoreDBClient) => Promise<A>) => Promise<A>;
  /** Reads until a time; the signal says when it has come. */
  readonly read: <A>(
    until: number,
    read: (client: EventStoreDBClient, late: AbortSignal) => Promise<A>,
  ) => Promise<A>;
  /** The client, for a subscription: those have no end to wait for. */
  readonly client: () => EventStoreDBClient;
  readonly close: () => Promise<void>;
}

/** The client's table of appends is one for the process: a second client breaks the appends of the first. */
let isConnected = false;

const before = async <A>(until: number, work: Promise<A>): Promise<A> => {
  const stop = new AbortController();
  const timeUp = delay(Math.max(0, until - Date.now()), undefined, { signal: stop.signal }).then(() => {
    throw new NoAnswer('the server does not answer');
  });
  try {
    return await Promise.race([work, timeUp]);
  } finally {
    timeUp.catch(() => undefined);
    work.catch(() => undefined);
    stop.abort();
  }
};

/**
 * Connects to EventStoreDB; the connection itself is made with the first call.
 *
 * @param url `esdb://...`
 * @throws Error where the URL is malformed, or the process has a connection already.
 */
export const connect = (url: string): Connection => {
  if (isConnected) throw new Error('this process has a connection to EventStoreDB already');
  const appends = pLimit(APPENDS_IN_FLIGHT);
  const reads = pLimit(READS_IN_FLIGHT);
  const newClient = (): EventStoreDBClient =>
    guardClient(EventStoreDBClient.connectionString(url), () => undefined);
  let client = newClient();
  isConnected = true;
  /** Clients that cannot be used any more, until no append is in flight. */
  const retired = new Set<EventStoreDBClient>();
  let isSilent = false;

  /** Disposing of a client breaks the appends in flight of all. */
  const disposeRetired = async (): Promise<void> => {
    if (appends.activeCount > 0) return;
    const unused = [...retired];
    retired.clear();
    await Promise.all(unused.map((one) => one.dispose().catch(() => undefined)));
  };

  /** Waits for an answer until a time, and remembers whether there was one. */
  const settle = async <A>(until: number, work: Promise<A>): Promise<A> => {
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
    client = newClient();
  };

  return {
    deadline: () => Date.now() + (isSilent ? SHORT_LIMIT_MS : LIMIT_MS),

    append: (until, send) =>
      settle(
        until,
        new Promise((resolve, reject) => {
          void appends(async () => {
            if (Date.now() >= until) return;
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
              delay(STALE_APPEND_MS, undefined, { ref: false, signal: stale.signal }).catch(() => undefined),
            ]);
            stale.abort();
          }).then(disposeRetired);
        }),
      ),

    read: (until, read) =>
      settle(
        until,
        reads(async () => {
          const late = AbortSignal.timeout(Math.max(0, until - Date.now()));
          return read(client, late);
        }),
      ),

    client: () => client,

    close: async () => {
      const until = Date.now() + CLOSE_MS;
      while (appends.activeCount > 0 && Date.now() < until) await delay(10);
      // Appends that the server never answers end with the process.
      if (appends.activeCount === 0) {
        retired.add(client);
        await disposeRetired();
      }
      isConnected = false;
    },
  };
};
