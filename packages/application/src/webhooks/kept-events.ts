/** Events of webhooks as they were kept. */
import * as E from 'fp-ts/Either';
import type { RecordedEvent } from '../ports/event-store';
import { decodeMetadata, type UndecodableEvent } from '../recorded-event';
import { type WebhookEvent, webhookEventCodec, webhookEventVersions } from './events';

/** An event of a webhook, and what goes with it. */
export interface DecodedWebhookEvent {
  readonly event: WebhookEvent;
  /** ISO 8601, UTC. */
  readonly occurredAt: string;
}

export const decodeWebhookEvent = (
  recorded: RecordedEvent,
): E.Either<UndecodableEvent, DecodedWebhookEvent> => {
  const { type, data, stream, revision } = recorded;
  const unreadable = (reason: string) =>
    E.left<UndecodableEvent>({ _tag: 'UndecodableEvent', stream, revision, reason });
  if (!Object.hasOwn(webhookEventVersions, type)) {
    return unreadable(`${type} is not an event of webhooks that this version reads`);
  }
  const metadata = decodeMetadata(recorded);
  if (E.isLeft(metadata)) return metadata;
  const event = webhookEventCodec.decode({ type, data });
  return E.isLeft(event)
    ? unreadable(`its data are not those of ${type}`)
    : E.right({ event: event.right, occurredAt: metadata.right.occurredAt });
};
