import type { EventStore, Position } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import { createAppend } from './append';
import { connect } from './connection';
import { toStoreError } from './failures';
import { findEnd, headFinder, readAllAfter, readStream } from './read';
import { createSubscribe } from './subscribe';

export interface EventStoreDb extends EventStore {
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
export const openEventStoreDb = (url: string, prefixes: readonly string[]): EventStoreDb => {
  const connection = connect(url);
  const isOurs = (stream: string): boolean => prefixes.some((prefix) => stream.startsWith(prefix));
  return {
    append: createAppend(connection),
    read: (stream, options) => () =>
      readStream(connection, connection.deadline(), stream, options).then(E.right, (failure: unknown) =>
        E.left(toStoreError(failure, stream)),
      ),
    readAll: (after, limit) => readAllAfter(connection, isOurs, after, limit),
    subscribe: createSubscribe(connection, prefixes),
    head: headFinder(connection, isOurs),
    end: () => findEnd(connection),
    close: connection.close,
  };
};
