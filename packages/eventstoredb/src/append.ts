/** Appends whose outcome is known, or said not to be. */
import { setTimeout as delay } from 'node:timers/promises';
import type { AppendError, Appended, EventStore, ExpectedRevision, NewEvent } from '@pricebook/application';
import { type AppendResult, jsonEvent } from '@eventstore/db-client';
import * as E from 'fp-ts/Either';
import type { Connection } from './connection';
import { isTooLarge, isWrongRevision, toStoreError } from './failures';
import { toExpectedVersion, toPosition } from './positions';
import { readStream } from './read';

/** As much as EventStoreDB takes in one append, its own limit unless it is configured otherwise. */
const MAX_BYTES = 1024 * 1024;
/** The part of the remaining time that an append may take before it is looked whether it has been stored. */
const PATIENCE = 0.6;
const RETRY_MS = { min: 20, max: 60 };

type Events = readonly [NewEvent, ...NewEvent[]];
type Outcome = E.Either<AppendError, Appended>;

/** What the server counts of an event: its data, its metadata, and the type in UTF-16. */
const bytesOf = ({ type, data, metadata }: NewEvent): number =>
  Buffer.byteLength(JSON.stringify(data)) + Buffer.byteLength(JSON.stringify(metadata)) + 2 * type.length;

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The client ends the process, two seconds later, over an event that the server cannot read. */
const refuseMalformed = (events: Events): void => {
  const malformed = events.find(({ id, type }) => !UUID.test(id) || type === '');
  if (malformed !== undefined)
    throw new Error(`an event must have a UUID and a type: ${JSON.stringify(malformed)}`);
};

const toStoredEvents = (events: Events) =>
  events.map(({ id, type, data, metadata }) =>
    jsonEvent({
      id,
      type,
      data: data as Record<string, unknown>,
      metadata: metadata as Record<string, unknown>,
    }),
  );

const firstRevision = (expected: ExpectedRevision): number => (expected === 'noStream' ? 0 : expected + 1);

/** Looks where the events stand, if the stream holds just these in the place where they were to go. */
const findStored = async (
  connection: Connection,
  until: number,
  stream: string,
  expected: ExpectedRevision,
  events: Events,
): Promise<Appended | undefined> => {
  const found = await readStream(connection, until, stream, {
    direction: 'forwards',
    from: firstRevision(expected),
    limit: events.length,
  });
  const last = found.at(-1);
  const isStored = found.length === events.length && found.every(({ id }, index) => id === events[index]?.id);
  return isStored && last !== undefined
    ? { lastRevision: last.revision, position: last.position }
    : undefined;
};

const toAppended = ({ nextExpectedRevision, position }: AppendResult): Appended => {
  if (position === undefined) throw new Error('the server stored events without a position');
  return { lastRevision: Number(nextExpectedRevision), position: toPosition(position) };
};

const actualOf = (version: unknown): ExpectedRevision =>
  typeof version === 'bigint' && version >= 0n ? Number(version) : 'noStream';

/** Whether a stream has come far enough to hold the events. */
const reaches = (actual: ExpectedRevision, expected: ExpectedRevision, events: Events): boolean =>
  actual !== 'noStream' && actual >= firstRevision(expected) + events.length - 1;

/**
 * Appends. Where an answer does not come, or says nothing about what was stored, the stream is asked for the ids
 * of the events, and what is not there is sent again: with the same ids and the same expected revision the server
 * stores it once at most.
 */
export const createAppend =
  (connection: Connection): EventStore['append'] =>
  (stream, expected, events) =>
  async (): Promise<Outcome> => {
    refuseMalformed(events);
    const bytes = events.reduce((sum, event) => sum + bytesOf(event), 0);
    const tooLarge = (maxBytes: number): Outcome => E.left({ _tag: 'AppendTooLarge', bytes, maxBytes });
    if (bytes > MAX_BYTES) return tooLarge(MAX_BYTES);

    const stored = toStoredEvents(events);
    return connection.call(async (until) => {
      const look = () => findStored(connection, until, stream, expected, events);

      for (;;) {
        const now = performance.now();
        try {
          const result = await connection.append(now + (until - now) * PATIENCE, (client) =>
            client.appendToStream(stream, stored, { expectedRevision: toExpectedVersion(expected) }),
          );
          return E.right(toAppended(result));
        } catch (failure) {
          if (isTooLarge(failure)) return tooLarge(failure.maxAppendSize);
          const error = toStoreError(failure, stream);
          if (error._tag === 'StoreDamaged') return E.left(error);
          try {
            if (isWrongRevision(failure)) {
              const actual = actualOf(failure.actualVersion);
              // The server forgets the ids that it has seen when it restarts: then a resend looks like a conflict.
              const found = reaches(actual, expected, events) ? await look() : undefined;
              return found === undefined ? E.left({ _tag: 'WrongExpectedRevision', actual }) : E.right(found);
            }
            const found = await look();
            if (found !== undefined) return E.right(found);
          } catch {
            // The server is still away: ask again while there is time.
          }
          const pause = RETRY_MS.min + Math.random() * (RETRY_MS.max - RETRY_MS.min);
          if (performance.now() + pause >= until) return E.left(error);
          await delay(pause);
        }
      }
    });
  };
