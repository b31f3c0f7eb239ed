/** What the events of the stream `webhooks` add up to. */
import type { PriceBookId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { FeedPlace, RecordedEvent } from '../ports/event-store';
import type { UndecodableEvent } from '../recorded-event';
import { endAfter, idNamedIn, type RegisterEnd } from '../stream-register';
import type { FeedEventType, KeptSecret, PausedReason } from './events';
import { type DecodedWebhookEvent, decodeWebhookEvent } from './kept-events';

/** A webhook that has not been deleted. Each event about it makes another object of it, and no other event does. */
export interface Webhook {
  readonly id: string;
  /** That of the last event about it. */
  readonly revision: number;
  readonly url: string;
  readonly description: string;
  /** Undefined for all. */
  readonly eventTypes: readonly FeedEventType[] | undefined;
  /** Undefined for all. */
  readonly priceBookId: PriceBookId | undefined;
  /** Undefined while it is active. */
  readonly pausedReason: PausedReason | undefined;
  readonly secret: KeptSecret;
  /** The secret before, which signs as well until then: ISO 8601, UTC. */
  readonly previousSecret: (KeptSecret & { readonly validUntil: string }) | undefined;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  /** ISO 8601, UTC. */
  readonly updatedAt: string;
  /** The event that created it: it is sent what comes after this place of the feed. */
  readonly start: FeedPlace;
}

export interface WebhooksState {
  /** By id, oldest first. */
  readonly webhooks: ReadonlyMap<string, Webhook>;
  /** Undefined in an empty stream. */
  readonly last: RegisterEnd | undefined;
  /** Events that this version cannot read. */
  readonly unreadable: readonly UndecodableEvent[];
}

export const noWebhooks: WebhooksState = { webhooks: new Map(), last: undefined, unreadable: [] };

const evolve = (
  webhooks: Map<string, Webhook>,
  { event: { type, data }, occurredAt }: DecodedWebhookEvent,
  { stream, revision, id: eventId }: RecordedEvent,
): void => {
  if (type === 'WebhookCreated') {
    webhooks.set(data.id, {
      id: data.id,
      revision,
      url: data.url,
      description: data.description,
      eventTypes: data.eventTypes ?? undefined,
      priceBookId: data.priceBookId ?? undefined,
      pausedReason: undefined,
      secret: data.secret,
      previousSecret: undefined,
      createdAt: occurredAt,
      updatedAt: occurredAt,
      start: { stream, revision, eventId },
    });
    return;
  }
  const webhook = webhooks.get(data.id);
  if (webhook === undefined) return;
  switch (type) {
    case 'WebhookUpdated': {
      const { url, description, eventTypes, priceBookId, pausedReason } = data;
      webhooks.set(data.id, {
        ...webhook,
        revision,
        ...(url !== undefined && { url }),
        ...(description !== undefined && { description }),
        ...(eventTypes !== undefined && { eventTypes: eventTypes ?? undefined }),
        ...(priceBookId !== undefined && { priceBookId: priceBookId ?? undefined }),
        ...(pausedReason !== undefined && { pausedReason: pausedReason ?? undefined }),
        updatedAt: occurredAt,
      });
      return;
    }
    case 'WebhookSecretRotated':
      webhooks.set(data.id, {
        ...webhook,
        revision,
        secret: data.secret,
        previousSecret: { ...webhook.secret, validUntil: data.previousValidUntil },
        updatedAt: occurredAt,
      });
      return;
    case 'WebhookDeleted':
      webhooks.delete(data.id);
      return;
  }
};

/**
 * The state after some more events of the stream.
 *
 * One that cannot be read may be of any kind: the webhook that it names is sent nothing more, and keeps its place.
 */
export const afterWebhookEvents = (state: WebhooksState, events: readonly RecordedEvent[]): WebhooksState => {
  if (events.length === 0) return state;
  const webhooks = new Map(state.webhooks);
  const unreadable = [...state.unreadable];
  let { last } = state;
  for (const recorded of events) {
    const decoded = decodeWebhookEvent(recorded);
    if (E.isRight(decoded)) {
      evolve(webhooks, decoded.right, recorded);
      last = endAfter(last, recorded, decoded.right.occurredAt);
    } else {
      const named = idNamedIn(recorded);
      if (named !== undefined) webhooks.delete(named);
      unreadable.push(decoded.left);
      last = endAfter(last, recorded);
    }
  }
  return { webhooks, last, unreadable };
};
