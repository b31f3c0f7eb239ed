/** What comes of an attempt that has failed: another one later, or none, and in the end a pause. */
import type { DeadLetter, DeliveryFailure, Retry, WebhookProgress } from '../ports/webhook-progress';
import type { FeedPlace } from '../ports/event-store';
import type { FeedEntry } from '../queries/event-feed';
import { delayAfter, PAUSE_AFTER_MS } from './backoff';
import { messageIdOf } from './attempt';
import { isAt } from './delivery-progress';
import type { Webhook } from './state';

type Failing = NonNullable<WebhookProgress['failing']>;

/** When a message is to be sent again; undefined where it has not been sent so far. */
export const retryOf = (failing: Failing | undefined, place: FeedPlace): Retry | undefined =>
  failing?.retry !== undefined && isAt(failing.retry.place, place) ? failing.retry : undefined;

export interface Setback {
  readonly failing: Failing;
  /** What is left of a message that is given up; undefined where it is sent again. */
  readonly letter: DeadLetter | undefined;
  /** Why the webhook is to be paused, if it is. */
  readonly pause: 'failing' | 'gone' | undefined;
}

const pauseAfter = (failure: DeliveryFailure, since: string): Setback['pause'] => {
  if (failure.status === 410) return 'gone';
  return Date.parse(failure.at) - Date.parse(since) >= PAUSE_AFTER_MS ? 'failing' : undefined;
};

/**
 * @param before what had failed until then.
 * @param random from 0 up to 1: see `delayAfter`.
 */
export const setbackOf = (
  webhook: Webhook,
  { place, event, priceBookId }: FeedEntry,
  failure: DeliveryFailure,
  before: Failing | undefined,
  random: number,
): Setback => {
  const attempts = (retryOf(before, place)?.attempts ?? 0) + 1;
  const delayMs = delayAfter(attempts, random);
  const since = before?.since ?? failure.at;
  const failing = { webhookRevision: webhook.revision, since, lastFailure: failure };
  const pause = pauseAfter(failure, since);
  if (delayMs === undefined) {
    const id = messageIdOf(webhook, place.eventId);
    const { at: buriedAt } = failure;
    const letter = { id, place, type: event.type, priceBookId, attempts, buriedAt, lastFailure: failure };
    return { failing, letter, pause };
  }
  const nextAttemptAt = new Date(Date.parse(failure.at) + delayMs).toISOString();
  return { failing: { ...failing, retry: { place, attempts, nextAttemptAt } }, letter: undefined, pause };
};
