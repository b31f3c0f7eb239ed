/** The webhooks of a running service: what can be asked of them, and what delivers to them. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type Clock,
  createSendOnce,
  createWebhookRegister,
  createWebhooks,
  createWebhookSecrets,
  type DeliveryNews,
  type EventStore,
  type PriceBooks,
  startDispatcher,
  type Webhook,
  type WebhookProgressStore,
  type Webhooks,
} from '@pricebook/application';
import { feedEventBody, type WebhookFigures } from '@pricebook/http';
import type { Logger } from 'pino';
import type { Configuration } from '../configuration';
import type { Closers } from '../stores';
import { systemIds } from '../system';
import { createWebhookSender } from './sender';

interface WebhookParts {
  readonly eventStore: EventStore;
  readonly priceBooks: Pick<PriceBooks, 'followFeed'>;
  readonly progressStore: WebhookProgressStore;
  readonly configuration: Pick<Configuration, 'webhookKey' | 'webhookReceivers'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface OpenWebhooks {
  readonly webhooks: Webhooks;
  readonly figures: () => WebhookFigures;
}

/** A line for everything but what goes well. URLs may hold secrets of receivers, so they are in none. */
const logOf =
  (logger: Logger) =>
  ({ id: webhookId }: Webhook, news: DeliveryNews): void => {
    const { _tag, ...details } = news;
    const line = { webhookId, ...details };
    switch (_tag) {
      case 'Delivered':
        logger.debug(line, 'a message of a webhook was delivered');
        return;
      case 'Failed':
        logger.warn(line, 'a message of a webhook was not delivered, and will be tried again');
        return;
      case 'Buried':
        logger.error(line, 'a message of a webhook was given up, and is among its dead letters');
        return;
      case 'Paused':
        logger.error(line, 'a webhook is paused');
        return;
      case 'BeganAgain':
        logger.warn(line, 'the events that a webhook has had are not in the store: it begins again');
        return;
      case 'Stopped':
        logger.warn(line, 'deliveries to a webhook wait, and will begin again');
        return;
    }
  };

/** Where the configuration has no key, nothing is delivered, and webhooks can only be looked at and deleted. */
export const openWebhooks = (
  { eventStore, priceBooks, progressStore, configuration, clock, logger }: WebhookParts,
  closers: Closers,
): OpenWebhooks => {
  const { webhookKey, webhookReceivers } = configuration;
  const register = createWebhookRegister(eventStore);
  const messages = { delivered: 0, failed: 0, givenUp: 0 };
  const figures = (): WebhookFigures => {
    const all = [...register.known().webhooks.values()];
    const paused = all.filter(({ pausedReason }) => pausedReason !== undefined).length;
    return { messages, webhooks: { active: all.length - paused, paused } };
  };
  const parts = { eventStore, register, progressStore, dataOf: feedEventBody, clock, ids: systemIds };
  if (webhookKey === undefined) {
    return {
      webhooks: createWebhooks({ ...parts, deliveries: undefined, onChange: () => undefined }),
      figures,
    };
  }

  const secrets = createWebhookSecrets(webhookKey);
  const sender = createWebhookSender(webhookReceivers);
  const sendOnce = createSendOnce(sender, secrets, clock);
  const webhooks = createWebhooks({
    ...parts,
    deliveries: { secrets, sender, sendOnce },
    onChange: () => {
      dispatcher.nudge();
    },
  });
  const log = logOf(logger);
  const dispatcher = startDispatcher({
    ...parts,
    owner: randomUUID(),
    followFeed: priceBooks.followFeed,
    sendOnce,
    random: Math.random,
    wait: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
    pause: webhooks.pause,
    report: (webhook, news) => {
      if (news._tag === 'Delivered') messages.delivered += 1;
      if (news._tag === 'Failed') messages.failed += 1;
      if (news._tag === 'Buried') messages.givenUp += 1;
      log(webhook, news);
    },
  });
  closers.add(dispatcher.close);
  return { webhooks, figures };
};
