/** The webhooks as one process knows them. */
import type { EventStore } from '../ports/event-store';
import { createStreamRegister, type StreamRegister } from '../stream-register';
import { WEBHOOKS_STREAM } from './events';
import { afterWebhookEvents, noWebhooks, type WebhooksState } from './state';

export type WebhookRegister = StreamRegister<WebhooksState>;

export const createWebhookRegister = (eventStore: Pick<EventStore, 'read'>): WebhookRegister =>
  createStreamRegister(eventStore, WEBHOOKS_STREAM, noWebhooks, afterWebhookEvents);
