/** Which events come of what is asked of webhooks. */
import type { PriceBookId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { UndecodableEvent } from '../recorded-event';
import type { FeedEventType, KeptSecret, WebhookChanges, WebhookEvent } from './events';
import type { Webhook, WebhooksState } from './state';

/** Each has a connection and a reader of its own. */
const MAX_WEBHOOKS = 100;
/** How long the secret before a rotation signs as well. */
const ROTATION_MS = 24 * 3_600_000;

/** A webhook that is wanted. */
export interface WantedWebhook {
  readonly url: string;
  readonly description?: string | undefined;
  /** Absent for all. */
  readonly eventTypes?: readonly FeedEventType[] | undefined;
  /** Absent for all. */
  readonly priceBookId?: PriceBookId | undefined;
}

export interface WebhookNotFound {
  readonly _tag: 'WebhookNotFound';
}

export type WebhookDecisionError =
  WebhookNotFound | { readonly _tag: 'TooManyWebhooks'; readonly max: number } | UndecodableEvent;

/** An event, or none where nothing changes. */
type Decision = E.Either<WebhookDecisionError, WebhookEvent | undefined>;

/** Where an event cannot be read nothing is created or changed: the event may have ruled it out. */
const withWebhook = (
  { webhooks, unreadable: [first] }: WebhooksState,
  id: string,
  decide: (webhook: Webhook) => WebhookEvent | undefined,
): Decision => {
  const webhook = webhooks.get(id);
  if (webhook === undefined) return E.left({ _tag: 'WebhookNotFound' });
  return first === undefined ? E.right(decide(webhook)) : E.left(first);
};

export const decideCreate = (
  { webhooks, unreadable: [first] }: WebhooksState,
  id: string,
  { url, description = '', eventTypes, priceBookId }: WantedWebhook,
  secret: KeptSecret,
): Decision => {
  if (first !== undefined) return E.left(first);
  if (webhooks.size >= MAX_WEBHOOKS) return E.left({ _tag: 'TooManyWebhooks', max: MAX_WEBHOOKS });
  return E.right({
    type: 'WebhookCreated',
    data: {
      id,
      url,
      description,
      eventTypes: eventTypes === undefined ? null : [...eventTypes],
      priceBookId: priceBookId ?? null,
      secret,
    },
  });
};

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** @param changes null takes a filter away, or a pause. */
export const decideUpdate = (state: WebhooksState, id: string, changes: WebhookChanges): Decision =>
  withWebhook(state, id, (webhook) => {
    const changed = Object.entries(changes).filter(
      ([name, value]) => !isSame(value, webhook[name as keyof WebhookChanges]),
    );
    return changed.length === 0
      ? undefined
      : { type: 'WebhookUpdated', data: { id, ...Object.fromEntries(changed) } };
  });

export const decideRotate = (state: WebhooksState, id: string, secret: KeptSecret, now: string): Decision =>
  withWebhook(state, id, () => ({
    type: 'WebhookSecretRotated',
    data: {
      id,
      secret,
      previousValidUntil: new Date(Date.parse(now) + ROTATION_MS).toISOString(),
    },
  }));

/** A webhook can be deleted also where events cannot be read: that takes away and gives nothing. */
export const decideDelete = ({ webhooks }: WebhooksState, id: string): Decision =>
  webhooks.has(id) ? E.right({ type: 'WebhookDeleted', data: { id } }) : E.left({ _tag: 'WebhookNotFound' });
