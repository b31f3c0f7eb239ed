import type { EventStore, Position } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { createAppend } from './append';
import { connect } from './connection';
import { toStoreError } from './failures';
import { findEnd, findEventAt, findIdentity, headFinder, readAllAfter, readStream } from './read';
import { createSubscribe } from './subscribe';

export interface EventStoreDb extends EventStore {
  /**
   * Tells our events from those of any other server, also from a copy of them; undefined while there are none.
   *
   * @throws Error where the server does not answer.
   */
  readonly identity: () => Promise<string | undefined>;
  /**
   * The position of the last event of anyone: as far as a checkpoint can have come. The head is that of our own.
   *
   * @throws Error where the server does not answer.
   */
  readonly end: () => Promise<Position | undefined>;
  /** Waits for appends in flight, not for long, and disconnects. */
  readonly close: () => Promise<void>;
}

/**
 * The event store on EventStoreDB. A process has one at a time.
 *
 * @param url `esdb://host:port?tls=false`, or `esdb://host,host,host` for a cluster.
 * @param prefixes what the names of our streams begin with; other streams of the server are left alone.
 * @throws Error where the URL is malformed.
 */
export const openEventStoreDb = (
  url: string,
  prefixes: readonly string[],
  limitMs?: number,
): EventStoreDb => {
  const connection = connect(url, limitMs);
  const isOurs = (stream: string): boolean => prefixes.some((prefix) => stream.startsWith(prefix));
  const head = headFinder(connection, isOurs);
  return {
    append: createAppend(connection),
    read: (stream, options) => () =>
      connection
        .call((until) => readStream(connection, until, stream, options))
        .then(E.right, (failure: unknown) => E.left(toStoreError(failure, stream))),
    readAll: (after, limit) => readAllAfter(connection, isOurs, after, limit),
    subscribe: createSubscribe(connection, prefixes),
    last: pipe(
      head(),
      TE.chain((position) =>
        position === undefined ? TE.right(undefined) : findEventAt(connection, position),
      ),
    ),
    head,
    identity: async () => {
      const events = await readAllAfter(connection, isOurs, undefined, 1)();
      if (E.isLeft(events)) throw new Error(events.left.reason);
      const [first] = events.right;
      return first === undefined ? undefined : findIdentity(connection, first);
    },
    end: () => findEnd(connection),
    close: connection.close,
  };
};
