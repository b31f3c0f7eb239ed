/** EventStoreDB's messages, made from the stand-in's events and taken apart into them. */
import { randomUUID } from 'node:crypto';
import { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb';
import { ReadResp, type BatchAppendReq } from '@eventstore/db-client/generated/streams_pb';
import { Metadata, status } from '@grpc/grpc-js';
import type { Expected } from './store';
import type { ProposedEvent, StoredEvent } from './stored-event';

/** How a call ends that does not end well. */
export interface Ending {
  readonly code: status;
  readonly details: string;
  readonly metadata?: Metadata;
}

/** A tick is 100 nanoseconds. */
const TICKS_PER_MILLISECOND = 10_000;

export const nameOf = (identifier: StreamIdentifier | undefined): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');

export const identifierOf = (name: string): StreamIdentifier =>
  new StreamIdentifier().setStreamName(Buffer.from(name, 'utf8'));

interface ExpectationOptions {
  readonly hasNoStream: () => boolean;
  readonly hasStreamExists: () => boolean;
  readonly hasAny: () => boolean;
}

/** @param revision as the options have it; empty where they have none. */
export const expectedOf = (options: ExpectationOptions, revision: string): Expected => {
  if (options.hasNoStream()) return 'no_stream';
  if (options.hasStreamExists()) return 'stream_exists';
  return options.hasAny() ? 'any' : BigInt(revision);
};

export const proposedEventOf = (message: BatchAppendReq.ProposedMessage): ProposedEvent => ({
  id: message.getId()?.getString() ?? '',
  type: message.getMetadataMap().get('type') ?? '',
  contentType: message.getMetadataMap().get('content-type') ?? '',
  data: message.getData_asU8(),
  metadata: message.getCustomMetadata_asU8(),
});

interface Located<Message> {
  readonly setCommitPosition: (value: string) => Message;
  readonly setPreparePosition: (value: string) => Message;
}

export const at = <Message extends Located<Message>>(message: Message, position: bigint): Message =>
  message.setCommitPosition(String(position)).setPreparePosition(String(position));

const encode = (message: ReadResp): Buffer => Buffer.from(message.serializeBinary());
const encoded = new WeakMap<StoredEvent, Buffer>();

/** Each event is encoded once, however often it is read. */
export const eventMessage = (event: StoredEvent): Buffer => {
  const known = encoded.get(event);
  if (known !== undefined) return known;
  const recorded = at(new ReadResp.ReadEvent.RecordedEvent(), event.position)
    .setId(new UUID().setString(event.id))
    .setStreamIdentifier(identifierOf(event.stream))
    .setStreamRevision(String(event.revision))
    .setData(event.data)
    .setCustomMetadata(event.metadata);
  recorded
    .getMetadataMap()
    .set('type', event.type)
    .set('content-type', event.contentType)
    .set('created', String(event.created * TICKS_PER_MILLISECOND));
  const read = new ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(String(event.position));
  const message = encode(new ReadResp().setEvent(read));
  encoded.set(event, message);
  return message;
};

export const confirmationMessage = (): Buffer =>
  encode(
    new ReadResp().setConfirmation(new ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID())),
  );

export const caughtUpMessage = encode(new ReadResp().setCaughtUp(new ReadResp.CaughtUp()));

export const checkpointMessage = (position: bigint): Buffer =>
  encode(new ReadResp().setCheckpoint(at(new ReadResp.Checkpoint(), position)));

export const streamNotFoundMessage = (name: string): Buffer =>
  encode(
    new ReadResp().setStreamNotFound(new ReadResp.StreamNotFound().setStreamIdentifier(identifierOf(name))),
  );

export const failing = (code: keyof typeof status): Ending => ({
  code: status[code],
  details: 'The stand-in was told to',
});

export const unavailable = failing('UNAVAILABLE');

/** The client tells errors by what the trailers say. */
const exception = (code: status, name: string, about: Readonly<Record<string, string>>): Ending => {
  const metadata = new Metadata();
  for (const [key, value] of Object.entries({ exception: name, ...about })) metadata.set(key, value);
  return { code, details: name, metadata };
};

export const streamDeleted = (name: string): Ending =>
  exception(status.FAILED_PRECONDITION, 'stream-deleted', { 'stream-name': name });

const expectedNumbers = { no_stream: -1n, any: -2n, stream_exists: -4n };

export const wrongRevision = (name: string, expected: Expected, actual: bigint): Ending =>
  exception(status.FAILED_PRECONDITION, 'wrong-expected-version', {
    'stream-name': name,
    'expected-version': String(typeof expected === 'bigint' ? expected : expectedNumbers[expected]),
    'actual-version': String(actual),
  });
