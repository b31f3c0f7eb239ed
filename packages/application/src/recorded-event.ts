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
import { type PriceBookIdReserved, RESERVATIONS_PREFIX, reservationVersions } from './idempotency/events';
import { BOOK_KEYS_PREFIX, type BookKeyEvent, bookKeyVersions } from './book-keys/events';
import { type IdempotentRequest, idempotentRequestCodec } from './idempotency/idempotent-request';
import { type ChainEnd, type Hashes, withHashes } from './hash-chain';
import type { NewEvent, RecordedEvent } from './ports/event-store';
import {
  SELECTION_RULES_STREAM,
  type SelectionRuleEvent,
  selectionRuleEventVersions,
} from './selection/events';
import { type WebhookEvent, webhookEventVersions, WEBHOOKS_STREAM } from './webhooks/events';

/** Who asks for a command, and under which ids it is kept. */
export interface CommandContext {
  /** A UUID; the ids of the command's events derive from it, so that a command sent again is stored once. */
  readonly commandId: string;
  /** The id of the API key. */
  readonly actor: string;
  readonly requestId: string;
  /** Why, in the words of the client; absent where it gave no reason. */
  readonly reason?: string | undefined;
  /** Under which key it is remembered; absent for a request that is not. */
  readonly idempotency?: IdempotentRequest | undefined;
}

const requiredMetadataCodec = t.type({
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

const metadataCodec = t.intersection([
  requiredMetadataCodec,
  // Fields that may be absent need no new version: code that does not know them reads all the others.
  t.partial({
    reason: t.string,
    idempotency: idempotentRequestCodec,
    previousHash: t.string,
    hash: t.string,
  }),
]);

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
export const STREAM_PREFIXES: readonly string[] = [
  PREFIX,
  API_KEYS_STREAM,
  RESERVATIONS_PREFIX,
  SELECTION_RULES_STREAM,
  BOOK_KEYS_PREFIX,
  WEBHOOKS_STREAM,
];

export const streamOf = (priceBookId: PriceBookId): string => `${PREFIX}${priceBookId}`;

/** The book that a stream is of; undefined where it is another stream. */
export const priceBookOf = (stream: string): PriceBookId | undefined => {
  if (!stream.startsWith(PREFIX)) return undefined;
  const id = priceBookIdCodec.decode(stream.slice(PREFIX.length));
  return E.isRight(id) ? id.right : undefined;
};

type ServiceEvent =
  PriceBookEvent | ApiKeyEvent | PriceBookIdReserved | BookKeyEvent | SelectionRuleEvent | WebhookEvent;

/** By type, the version in which events are kept now. */
const versions: Readonly<Record<ServiceEvent['type'], number>> = {
  ...priceBookEventVersions,
  ...apiKeyEventVersions,
  ...reservationVersions,
  ...selectionRuleEventVersions,
  ...bookKeyVersions,
  ...webhookEventVersions,
};

/** Where a new event goes, and when it happened. */
export interface EventPlace {
  readonly stream: string;
  /** The event before it in the stream; undefined for the first. */
  readonly after: ChainEnd | undefined;
  /** ISO 8601, UTC. */
  readonly occurredAt: string;
  /** Its place among the events of its command, from 0 up. */
  readonly index: number;
}

/** An event as it goes to the store, with what the next one follows. */
export const newEvent = (
  { type, data }: ServiceEvent,
  { stream, after, occurredAt, index }: EventPlace,
  { commandId, actor, requestId, reason, idempotency }: CommandContext,
): NewEvent & { readonly metadata: Hashes } => {
  const id = uuidV5(String(index), commandId);
  const revision = after === undefined ? 0 : after.revision + 1;
  const metadata: EventMetadata = {
    schemaVersion: versions[type],
    occurredAt,
    actor,
    $correlationId: requestId,
    $causationId: commandId,
    commandId,
    ...(reason !== undefined && { reason }),
    ...(idempotency !== undefined && { idempotency }),
  };
  const event = { stream, revision, id, type, data, metadata };
  return { id, type, data, metadata: withHashes(event, after?.hash) };
};

const undecodable = ({ stream, revision }: RecordedEvent, reason: string): UndecodableEvent => ({
  _tag: 'UndecodableEvent',
  stream,
  revision,
  reason,
});

/** An event whose data its codec refuses: the reason is the first of the errors. */
const undecodableData = (recorded: RecordedEvent, errors: t.Errors): UndecodableEvent => {
  const [fault] = faultsOf(errors);
  return undecodable(recorded, `${fault?.pointer ?? ''} ${fault?.detail ?? 'is not readable'}`);
};

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

/** Whether two events that follow one another were made by one request. */
export const areOfOneCommand = (one: RecordedEvent, other: RecordedEvent): boolean => {
  if (one.stream !== other.stream) return false;
  const [first, second] = [readMetadata(one), readMetadata(other)];
  return E.isRight(first) && E.isRight(second) && first.right.commandId === second.right.commandId;
};

/** Type and metadata alone, which costs the same for events of any size. */
export const decodeMetadata = (recorded: RecordedEvent): E.Either<UndecodableEvent, EventMetadata> => {
  const metadata = readMetadata(recorded);
  if (E.isLeft(metadata)) return metadata;
  const reason = unknownShape(recorded.type, metadata.right.schemaVersion);
  return reason === undefined ? metadata : E.left(undecodable(recorded, reason));
};

/** An event of a stream whose events have had one version of their shapes so far. */
export const decodeWith =
  <A>(codec: t.Decoder<unknown, A>) =>
  (
    recorded: RecordedEvent,
  ): E.Either<UndecodableEvent, { readonly event: A; readonly metadata: EventMetadata }> => {
    const metadata = decodeMetadata(recorded);
    if (E.isLeft(metadata)) return metadata;
    const event = codec.decode({ type: recorded.type, data: recorded.data });
    return E.isRight(event)
      ? E.right({ event: event.right, metadata: metadata.right })
      : E.left(undecodableData(recorded, event.left));
  };

const stampIn = ({ revision }: RecordedEvent, { occurredAt, actor, reason }: EventMetadata): Stamp =>
  reason === undefined ? { revision, occurredAt, actor } : { revision, occurredAt, actor, reason };

/** An event of a price book, and what goes with it. */
export interface DecodedEvent {
  readonly event: PriceBookEvent;
  readonly stamp: Stamp;
  readonly requestId: string;
  /** Absent where the request is not remembered. */
  readonly idempotency?: IdempotentRequest;
}

// Every event of a replay comes through here: plain steps cost less than composed ones.
export const decodeRecorded = (recorded: RecordedEvent): E.Either<UndecodableEvent, DecodedEvent> => {
  const metadata = decodeMetadata(recorded);
  if (E.isLeft(metadata)) return metadata;
  const { type, data } = recorded;
  const { schemaVersion, $correlationId: requestId, idempotency } = metadata.right;
  const event = readKeptEvent({ type, schemaVersion, data });
  if (E.isRight(event)) {
    const decoded = { event: event.right, stamp: stampIn(recorded, metadata.right), requestId };
    return E.right(idempotency === undefined ? decoded : { ...decoded, idempotency });
  }
  return E.left(undecodableData(recorded, event.left));
};
