/** Between EventStoreDB's numbers and those of the port. */
import type { ExpectedRevision, Position, RecordedEvent } from '@pricebook/application';
import {
  type AllStreamResolvedEvent,
  NO_STREAM,
  type Position as StorePosition,
} from '@eventstore/db-client';

/** The prepare position has 64 bits: both in one number keep their order. */
const PREPARE_BITS = 64n;
const PREPARE_MASK = (1n << PREPARE_BITS) - 1n;

export const toPosition = ({ commit, prepare }: StorePosition): Position =>
  (commit << PREPARE_BITS) | prepare;

export const toStorePosition = (position: Position): StorePosition => ({
  commit: position >> PREPARE_BITS,
  prepare: position & PREPARE_MASK,
});

export const toExpectedVersion = (expected: ExpectedRevision): bigint | typeof NO_STREAM =>
  expected === 'noStream' ? NO_STREAM : BigInt(expected);

type StoredEvent = NonNullable<AllStreamResolvedEvent['event']>;

/** An event as the port has it; undefined where it is none of ours: not JSON, or EventStoreDB's own. */
export const toRecordedEvent = (event: StoredEvent | undefined): RecordedEvent | undefined => {
  // A tombstone comes as `$streamDeleted`: that the stream is gone is told by reads of it.
  if (event === undefined || event.type.startsWith('$')) return undefined;
  return {
    id: event.id,
    stream: event.streamId,
    revision: Number(event.revision),
    type: event.type,
    data: event.data,
    metadata: event.metadata,
    position: toPosition(event.position),
  };
};
