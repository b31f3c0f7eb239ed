/** Decides what follows a failed attempt: a retry, or a dead letter, and perhaps a pause of the webhook. */
import type { FeedPlace } from '../ports/event-store';
import type { DeadLetter, DeliveryFailure, Retry, WebhookProgress } from '../ports/webhook-progress';
import type { FeedEntry } from '../queries/event-feed';
import { messageIdOf } from './attempt';
import { delayAfter, PAUSE_AFTER_MS } from './backoff';
import { isAt } from './delivery-progress';
import type { Webhook } from './state';

type Failing = NonNullable<WebhookProgress['failing']>;

/** The retry of the message about an event; undefined where it has not failed so far. */
export const retryOf = (failing: Failing | undefined, place: FeedPlace): Retry | undefined =>
  failing?.retry !== undefined && isAt(failing.retry.place, place) ? failing.retry : undefined;

export interface RetryDecision {
  readonly failing: Failing;
  /** For a message that is given up; undefined where it is sent again. */
  readonly deadLetter: DeadLetter | undefined;
  /** Why the webhook is to be paused, if it is. */
  readonly pauseReason: 'failing' | 'gone' | undefined;
}

const pauseAfter = (failure: DeliveryFailure, since: string): RetryDecision['pauseReason'] => {
  if (failure.status === 410) return 'gone';
  return Date.parse(failure.at) - Date.parse(since) >= PAUSE_AFTER_MS ? 'failing' : undefined;
};

/**
 * @param before what had failed until then.
 * @param random from 0 up to 1: see `delayAfter`.
 */
export const decideRetry = (
  webhook: Webhook,
  { place, event, priceBookId }: FeedEntry,
  failure: DeliveryFailure,
  before: Failing | undefined,
  random: number,
): RetryDecision => {
  const attempts = (retryOf(before, place)?.attempts ?? 0) + 1;
  const delayMs = delayAfter(attempts, random);
  const since = before?.since ?? failure.at;
  const failing = { webhookRevision: webhook.revision, since, lastFailure: failure };
  const pauseReason = pauseAfter(failure, since);
  if (delayMs === undefined) {
    const id = messageIdOf(webhook, place.eventId);
    const { at: buriedAt } = failure;
    const deadLetter = { id, place, type: event.type, priceBookId, attempts, buriedAt, lastFailure: failure };
    return { failing, deadLetter, pauseReason };
  }
  const nextAttemptAt = new Date(Date.parse(failure.at) + delayMs).toISOString();
  return {
    failing: { ...failing, retry: { place, attempts, nextAttemptAt } },
    deadLetter: undefined,
    pauseReason,
  };
};
