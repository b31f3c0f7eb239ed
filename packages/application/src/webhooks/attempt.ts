/** Sends one message to a webhook, once. */
import * as uuid from 'uuid';
import type { Clock } from '../ports/clock';
import type { DeliveryFailure } from '../ports/webhook-progress';
import type { WebhookSender } from '../ports/webhook-sender';
import type { FeedEntry } from '../queries/event-feed';
import type { WebhookSecrets } from './secrets';
import type { Webhook } from './state';

/** What a receiver gets. */
export interface WebhookMessage {
  /** The same whenever it is sent: receivers know by it what they have had. */
  readonly id: string;
  readonly type: string;
  /** When it happened: ISO 8601, UTC. */
  readonly timestamp: string;
  /** JSON. */
  readonly data: unknown;
}

export interface Attempt {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly milliseconds: number;
  /** The status of the answer, where there was one. */
  readonly status?: number;
  /** Undefined where the message was delivered: the answer was 2xx. */
  readonly failure?: DeliveryFailure;
}

export type SendOnce = (webhook: Webhook, message: WebhookMessage, signal: AbortSignal) => Promise<Attempt>;

/** The id of the message about an event: each webhook has its own. */
export const messageIdOf = (webhook: Webhook, eventId: string): string => uuid.v5(eventId, webhook.id);

/** @param dataOf an event as clients see it in the feed. */
export const messageOf = (
  webhook: Webhook,
  entry: FeedEntry,
  dataOf: (entry: FeedEntry) => unknown,
): WebhookMessage => ({
  id: messageIdOf(webhook, entry.place.eventId),
  type: entry.event.type,
  timestamp: entry.occurredAt,
  data: dataOf(entry),
});

export const createSendOnce =
  (sender: WebhookSender, secrets: WebhookSecrets, clock: Clock): SendOnce =>
  async (webhook, { id, type, timestamp, data }, signal) => {
    const at = clock.now();
    const body = JSON.stringify({ type, timestamp, data });
    const headers = secrets.sign(webhook, { id, body }, at);
    if (headers === undefined) {
      const reason = 'PRICEBOOK_WEBHOOK_KEY is not the key that made the secret: rotate the secret';
      return { at, milliseconds: 0, failure: { at, reason } };
    }
    const began = performance.now();
    const outcome = await sender.post(webhook.url, headers, body, signal);
    const milliseconds = Math.round(performance.now() - began);
    if (outcome._tag === 'Failed') return { at, milliseconds, failure: { at, reason: outcome.reason } };
    const { status } = outcome;
    const isRedirect = status >= 300 && status < 400;
    return {
      at,
      milliseconds,
      status,
      ...((status < 200 || status >= 300) && {
        failure: { at, status, reason: isRedirect ? 'redirects are not followed' : 'the answer is not 2xx' },
      }),
    };
  };
