/** Reads of streams, and of all events, from both ends. */
import type { Position, ReadOptions, RecordedEvent, StoreError } from '@pricebook/application';
import {
  BACKWARDS,
  END,
  type EventStoreDBClient,
  FORWARDS,
  type AllStreamResolvedEvent,
  START,
} from '@eventstore/db-client';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { Connection, Patience } from './connection';
import { isMissingStream, NoAnswer, toStoreError } from './failures';
import { toPosition, toRecordedEvent, toStorePosition } from './positions';

type Reading<R> = ReturnType<EventStoreDBClient['readAll']> & AsyncIterable<R>;

/** All that a reading brings, unless it takes too long: it is then broken off on both sides. */
const collect = async <R>(reading: Reading<R>, { isOver, renew }: Patience): Promise<readonly R[]> => {
  // The client tells of failures also when nobody reads any more.
  reading.on('error', () => undefined);
  const breakOff = (): void => {
    reading.cancel().catch(() => undefined);
    reading.destroy(new NoAnswer('the server does not answer'));
  };
  isOver.addEventListener('abort', breakOff);
  try {
    const found: R[] = [];
    for await (const one of reading as AsyncIterable<R>) {
      renew();
      found.push(one);
    }
    return found;
  } finally {
    isOver.removeEventListener('abort', breakOff);
  }
};

/** Reads a stream; one that does not exist, or was deleted and can be written anew, is empty. */
export const readStream = async (
  connection: Connection,
  until: number,
  stream: string,
  { direction, from, limit }: ReadOptions,
): Promise<readonly RecordedEvent[]> => {
  const isForwards = direction === 'forwards';
  try {
    const found = await connection.read(until, (client, patience) =>
      collect(
        client.readStream(stream, {
          direction: isForwards ? FORWARDS : BACKWARDS,
          fromRevision: from === undefined ? (isForwards ? START : END) : BigInt(from),
          maxCount: limit,
        }) as unknown as Reading<AllStreamResolvedEvent>,
        patience,
      ),
    );
    return found.map(({ event }) => toRecordedEvent(event)).filter((event) => event !== undefined);
  } catch (failure) {
    if (isMissingStream(failure)) return [];
    throw failure;
  }
};

interface Page {
  readonly direction: 'forwards' | 'backwards';
  /** Included; absent for the end from which is read. */
  readonly from: Position | undefined;
  readonly limit: number;
}

/** Some of all events of the server, whosever they are. */
const readPage = (
  connection: Connection,
  { direction, from, limit }: Page,
): Promise<readonly AllStreamResolvedEvent[]> =>
  connection.call((until) =>
    connection.read(until, (client, patience) =>
      collect(
        client.readAll({
          direction: direction === 'forwards' ? FORWARDS : BACKWARDS,
          fromPosition: from === undefined ? (direction === 'forwards' ? START : END) : toStorePosition(from),
          maxCount: limit,
        }) as unknown as Reading<AllStreamResolvedEvent>,
        patience,
      ),
    ),
  );

const positionOf = ({ event }: AllStreamResolvedEvent): Position | undefined =>
  event === undefined ? undefined : toPosition(event.position);

const task =
  <A>(work: () => Promise<A>): TaskEither<StoreError, A> =>
  () =>
    work().then(E.right, (failure: unknown) => E.left(toStoreError(failure)));

/** Pages grow while there are only events of others. */
const nextPage = (limit: number): number => Math.min(limit * 8, 4_096);
/** At first not more is read than was asked for, or than this. */
const FIRST_PAGE = 500;

/** Our events after a position, at most so many; none only at the end. */
export const readAllAfter = (
  connection: Connection,
  isOurs: (stream: string) => boolean,
  after: Position | undefined,
  limit: number,
): TaskEither<StoreError, readonly RecordedEvent[]> =>
  task(async () => {
    let from = after;
    for (let size = Math.min(limit, FIRST_PAGE); ; size = nextPage(size)) {
      // Reads begin with the event at the position, which the caller has seen.
      const page = await readPage(connection, { direction: 'forwards', from, limit: size + 1 });
      const found = page
        .map(({ event }) => toRecordedEvent(event))
        .filter((event) => event !== undefined)
        .filter(({ stream, position }) => isOurs(stream) && (after === undefined || position > after));
      const last = page.map(positionOf).findLast((position) => position !== undefined);
      if (found.length > 0) return found.slice(0, limit);
      if (last === undefined || last === from) return [];
      from = last;
    }
  });

/** When and where the server took one of our events: an import to another server keeps its id, but not these. */
export const findIdentity = async (
  connection: Connection,
  { position, id }: RecordedEvent,
): Promise<string> => {
  const [first] = await readPage(connection, { direction: 'forwards', from: position, limit: 1 });
  return `${id} at ${String(position)}, ${first?.event?.created.toISOString() ?? ''}`;
};

/** The event at a position that is the head. */
export const findEventAt = (
  connection: Connection,
  position: Position,
): TaskEither<StoreError, RecordedEvent | undefined> =>
  task(async () => {
    const [found] = await readPage(connection, { direction: 'forwards', from: position, limit: 1 });
    return toRecordedEvent(found?.event);
  });

/** The position of the last event of anyone; undefined where there is none. */
export const findEnd = async (connection: Connection): Promise<Position | undefined> => {
  const [last] = await readPage(connection, { direction: 'backwards', from: undefined, limit: 1 });
  return last === undefined ? undefined : positionOf(last);
};

/**
 * Finds the position of our last event. Others may write to the same server: what was looked through once is not
 * looked through again.
 */
export const headFinder = (
  connection: Connection,
  isOurs: (stream: string) => boolean,
): (() => TaskEither<StoreError, Position | undefined>) => {
  /** There is none of ours after `head` up to and including `end`. */
  let known: { readonly head: Position | undefined; readonly end: Position } | undefined;

  const find = async (): Promise<Position | undefined> => {
    let end: Position | undefined;
    let from: Position | undefined;
    for (let limit = 1; ; limit = nextPage(limit)) {
      const page = await readPage(connection, { direction: 'backwards', from, limit });
      for (const resolved of page) {
        const position = positionOf(resolved);
        if (position === undefined || position === from) continue;
        end ??= position;
        const isKnown = known !== undefined && position <= known.end;
        const isHead =
          !isKnown && toRecordedEvent(resolved.event) !== undefined && isOurs(resolved.event?.streamId ?? '');
        if (!isKnown && !isHead) continue;
        const head = isHead ? position : known?.head;
        if (known === undefined || end > known.end) known = { head, end };
        return head;
      }
      if (page.length < limit) {
        if (end !== undefined) known = { head: undefined, end };
        return undefined;
      }
      from = page.map(positionOf).findLast((position) => position !== undefined);
    }
  };
  return () => task(find);
};
