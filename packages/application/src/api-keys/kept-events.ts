/** Reads events of keys that were kept by any version of the service up to this one. */
import { upcast } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { RecordedEvent } from '../ports/event-store';
import { decodeMetadata, type UndecodableEvent } from '../recorded-event';
import { type ApiKeyEvent, apiKeyEventCodec } from './events';
import { upcasters } from './upcasters';

/** An event of a key, and what goes with it. */
export interface DecodedKeyEvent {
  readonly event: ApiKeyEvent;
  readonly revision: number;
  /** ISO 8601, UTC. */
  readonly occurredAt: string;
}

export const decodeKeyEvent = (recorded: RecordedEvent): E.Either<UndecodableEvent, DecodedKeyEvent> => {
  const { type, data, stream, revision } = recorded;
  const unreadable = (reason: string) =>
    E.left<UndecodableEvent>({ _tag: 'UndecodableEvent', stream, revision, reason });
  if (!Object.hasOwn(upcasters, type)) {
    return unreadable(`${type} is not an event of keys that this version reads`);
  }
  const metadata = decodeMetadata(recorded);
  if (E.isLeft(metadata)) return metadata;
  const { schemaVersion, occurredAt } = metadata.right;
  const event = apiKeyEventCodec.decode({ type, data: upcast(upcasters, { type, schemaVersion, data }) });
  return E.isLeft(event)
    ? unreadable(`its data are not those of ${type}`)
    : E.right({ event: event.right, revision, occurredAt });
};
