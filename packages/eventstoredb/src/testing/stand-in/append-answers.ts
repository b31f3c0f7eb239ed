/**
 * What appends are answered. An expected revision that is not set means any to the client, an actual one that is not
 * set means no stream.
 */
import {
  AllStreamPosition,
  BadRequest,
  MaximumAppendSizeExceeded,
  StreamDeleted,
  Timeout,
  WrongExpectedVersion,
} from '@eventstore/db-client/generated/shared_pb';
import { Status } from '@eventstore/db-client/generated/status_pb';
import { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { Any } from 'google-protobuf/google/protobuf/any_pb';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { NO_REVISION, type Expected, type Outcome } from './store';
import { at } from './wire';

const failure = (name: string, message: { readonly serializeBinary: () => Uint8Array }): BatchAppendResp => {
  const details = new Any();
  details.pack(message.serializeBinary(), `event_store.client.${name}`);
  return new BatchAppendResp().setError(new Status().setDetails(details));
};

export const timeout = (): BatchAppendResp => failure('Timeout', new Timeout());

/** The client does not know this one and calls it unknown. */
export const badRequest = (): BatchAppendResp => failure('BadRequest', new BadRequest());

export const tooLarge = (limit: number): BatchAppendResp =>
  failure('MaximumAppendSizeExceeded', new MaximumAppendSizeExceeded().setMaxappendsize(limit));

export const batchAnswer = (expected: Expected, outcome: Outcome): BatchAppendResp => {
  if (outcome._tag === 'StreamDeleted') return failure('StreamDeleted', new StreamDeleted());
  if (outcome._tag === 'Stored') {
    const success = new BatchAppendResp.Success().setPosition(at(new AllStreamPosition(), outcome.position));
    if (outcome.revision !== NO_REVISION) success.setCurrentRevision(String(outcome.revision));
    return new BatchAppendResp().setSuccess(success);
  }
  const error = new WrongExpectedVersion();
  if (expected === 'no_stream') error.setExpectedNoStream(new Empty());
  if (expected === 'stream_exists') error.setExpectedStreamExists(new Empty());
  if (typeof expected === 'bigint') error.setExpectedStreamPosition(String(expected));
  if (outcome.actual !== NO_REVISION) error.setCurrentStreamRevision(String(outcome.actual));
  return failure('WrongExpectedVersion', error);
};
