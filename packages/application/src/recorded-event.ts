/** Between events of a price book and events of the store. */
import {
  faultsOf,
  type PriceBookEvent,
  priceBookEventVersions,
  type PriceBookId,
  priceBookIdCodec,
  readKeptEvent,
  type Stamp,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import * as t from 'io-ts';
import { v5 as uuidV5 } from 'uuid';
import { API_KEYS_STREAM, type ApiKeyEvent } from './api-keys/events';
import { apiKeyEventVersions } from './api-keys/upcasters';
import type { NewEvent, RecordedEvent } from './ports/event-store';

/** Who asks for a command, and under which ids it is kept. */
export interface CommandContext {
  /** A UUID; the ids of the command's events derive from it, so that a command sent again is stored once. */
  readonly commandId: string;
  /** The id of the API key. */
  readonly actor: string;
  readonly requestId: string;
}

const metadataCodec = t.type({
  /** The version of the shape of its data: each type of event has its own, from 1 up. */
  schemaVersion: t.number,
  /** ISO 8601, UTC; never before that of the previous event of the stream. */
  occurredAt: t.string,
  actor: t.string,
  /** The id of the request, which clients see as x-request-id. */
  $correlationId: t.string,
  /** The id of the command: what caused the event. */
  $causationId: t.string,
  commandId: t.string,
});

type EventMetadata = t.TypeOf<typeof metadataCodec>;

/** A recorded event that cannot be read. It must not be skipped: the history would lose it. */
export interface UndecodableEvent {
  readonly _tag: 'UndecodableEvent';
  readonly stream: string;
  readonly revision: number;
  readonly reason: string;
}

const PREFIX = 'priceBook-';

/** What the names of all streams of the service begin with. */
export const STREAM_PREFIXES: readonly string[] = [PREFIX, API_KEYS_STREAM];

export const streamOf = (priceBookId: PriceBookId): string => `${PREFIX}${priceBookId}`;

/** The book that a stream is of; undefined where it is another stream. */
export const priceBookOf = (stream: string): PriceBookId | undefined => {
  if (!stream.startsWith(PREFIX)) return undefined;
  const id = priceBookIdCodec.decode(stream.slice(PREFIX.length));
  return E.isRight(id) ? id.right : undefined;
};

/** By type, the version in which events are kept now. */
const versions: Readonly<Record<(PriceBookEvent | ApiKeyEvent)['type'], number>> = {
  ...priceBookEventVersions,
  ...apiKeyEventVersions,
};

/** An event as it goes to the store. */
export const newEvent = (
  { type, data }: PriceBookEvent | ApiKeyEvent,
  index: number,
  occurredAt: string,
  { commandId, actor, requestId }: CommandContext,
): NewEvent => {
  const metadata: EventMetadata = {
    schemaVersion: versions[type],
    occurredAt,
    actor,
    $correlationId: requestId,
    $causationId: commandId,
    commandId,
  };
  return { id: uuidV5(String(index), commandId), type, data, metadata };
};

const undecodable = ({ stream, revision }: RecordedEvent, reason: string): UndecodableEvent => ({
  _tag: 'UndecodableEvent',
  stream,
  revision,
  reason,
});

/** Why an event cannot be read, as far as its type and its version tell; undefined where they can. */
const unknownShape = (type: string, version: number): string | undefined => {
  const current = Object.hasOwn(versions, type) ? versions[type as keyof typeof versions] : undefined;
  if (current === undefined) return `its type is none of: ${Object.keys(versions).join(', ')}`;
  return Number.isInteger(version) && version >= 1 && version <= current
    ? undefined
    : `schema version ${String(version)} is not known to this version`;
};

/** The metadata, also of an event whose data this version cannot read. */
export const readMetadata = (recorded: RecordedEvent): E.Either<UndecodableEvent, EventMetadata> => {
  const metadata = metadataCodec.decode(recorded.metadata);
  return E.isRight(metadata)
    ? metadata
    : E.left(undecodable(recorded, 'its metadata is not what this version writes'));
};

/** Type and metadata alone, which costs the same for events of any size. */
export const decodeMetadata = (recorded: RecordedEvent): E.Either<UndecodableEvent, EventMetadata> => {
  const metadata = readMetadata(recorded);
  if (E.isLeft(metadata)) return metadata;
  const reason = unknownShape(recorded.type, metadata.right.schemaVersion);
  return reason === undefined ? metadata : E.left(undecodable(recorded, reason));
};

const stampOf = ({ revision }: RecordedEvent, { occurredAt, actor }: EventMetadata): Stamp => ({
  revision,
  occurredAt,
  actor,
});

/** An event of a price book, and what goes with it. */
export interface DecodedEvent {
  readonly event: PriceBookEvent;
  readonly stamp: Stamp;
  readonly requestId: string;
}

// Every event of a replay comes through here: plain steps cost less than composed ones.
export const decodeRecorded = (recorded: RecordedEvent): E.Either<UndecodableEvent, DecodedEvent> => {
  const metadata = decodeMetadata(recorded);
  if (E.isLeft(metadata)) return metadata;
  const { type, data } = recorded;
  const { schemaVersion, $correlationId: requestId } = metadata.right;
  const event = readKeptEvent({ type, schemaVersion, data });
  if (E.isRight(event)) {
    return E.right({ event: event.right, stamp: stampOf(recorded, metadata.right), requestId });
  }
  const [fault] = faultsOf(event.left);
  return E.left(undecodable(recorded, `${fault?.pointer ?? ''} ${fault?.detail ?? 'is not readable'}`));
};
