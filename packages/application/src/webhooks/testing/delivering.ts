/** A webhook and its deliveries, for tests. */
import type { PriceBookId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { v4 } from 'uuid';
import type { FollowFeed } from '../../following/follow-feed';
import type { EventStore, NewEvent } from '../../ports/event-store';
import type { WebhookProgressStore } from '../../ports/webhook-progress';
import type { SendOutcome } from '../../ports/webhook-sender';
import { streamOf } from '../../recorded-event';
import { createSendOnce } from '../attempt';
import { deliver, type DeliveryNews, type DeliveryStop } from '../deliver';
import { createWebhookSecrets } from '../secrets';
import type { Webhook } from '../state';

export const BOOK = '01890000-0000-7000-8000-000000000001' as PriceBookId;

export const secrets = createWebhookSecrets('a-key-for-the-tests-of-webhooks-alone');

/** A webhook of which nothing but these fields matters; it begins before the first event of the book. */
export const webhookOf = (fields: Partial<Webhook> = {}): Webhook => ({
  id: 'b1f8a4a2-5f0e-4c58-9a5e-0c4d3b2a1f00',
  revision: 0,
  url: 'https://shop.example/prices',
  description: '',
  eventTypes: undefined,
  priceBookId: undefined,
  pausedReason: undefined,
  secret: secrets.make((count) => new Uint8Array(count)).kept,
  previousSecret: undefined,
  createdAt: '2026-11-21T00:00:00.000Z',
  updatedAt: '2026-11-21T00:00:00.000Z',
  start: { stream: 'webhooks', revision: 0, eventId: START_ID },
  ...fields,
});

const START_ID = '00000000-0000-4000-8000-000000000000';

const eventOf = (id: string, name: string): NewEvent => ({
  id,
  type: 'PriceBookUpdated',
  data: { name },
  metadata: {
    schemaVersion: 1,
    occurredAt: '2026-11-21T00:00:00.000Z',
    actor: 'key-1',
    $correlationId: 'r',
    $causationId: 'c',
    commandId: 'c',
  },
});

/** So many events of the book, from a revision on. @returns their ids. */
export const appendToBook = async (
  eventStore: Pick<EventStore, 'append'>,
  count: number,
  from = 0,
): Promise<readonly string[]> => {
  const ids = Array.from({ length: count }, () => v4());
  for (const [n, id] of ids.entries()) {
    const revision = from + n;
    const expected = revision === 0 ? 'noStream' : revision - 1;
    await eventStore.append(streamOf(BOOK), expected, [eventOf(id, String(revision))])();
  }
  return ids;
};

/** The event with which the webhook begins, and so many of a book. @returns the ids of those of the book. */
export const appendEvents = async (
  eventStore: Pick<EventStore, 'append'>,
  count: number,
): Promise<readonly string[]> => {
  await eventStore.append('webhooks', 'noStream', [eventOf(START_ID, 'webhook')])();
  return appendToBook(eventStore, count);
};

export interface DeliveringParts {
  readonly webhook: Webhook;
  readonly followFeed: FollowFeed;
  readonly store: WebhookProgressStore;
  readonly post: (messageId: string, webhook: Webhook) => Promise<SendOutcome>;
  readonly clock: { readonly now: () => string; readonly wait: (ms: number) => Promise<void> };
  readonly onNews?: (news: DeliveryNews) => void;
  readonly owner?: string;
}

export interface Delivering {
  readonly abort: () => void;
  readonly hasEnded: () => boolean;
  readonly ended: Promise<DeliveryStop | undefined>;
}

/** Begins as a process does that has just started: with what is kept. */
export const startDelivering = ({
  webhook,
  followFeed,
  store,
  post,
  clock,
  onNews = () => undefined,
  owner = v4(),
}: DeliveringParts): Delivering => {
  const stopping = new AbortController();
  let hasEnded = false;
  const run = async (): Promise<DeliveryStop | undefined> => {
    const token = await store.claim(owner, 60_000)();
    if (E.isLeft(token) || token.right === undefined) throw new Error('there is another claim');
    const stop = await deliver(
      webhook,
      { token: token.right, lasts: () => true },
      {
        followFeed,
        progressStore: store,
        sendOnce: createSendOnce(
          {
            refusal: () => Promise.resolve(undefined),
            post: (_url, headers) => post(headers['webhook-id'] ?? '', webhook),
          },
          secrets,
          clock,
        ),
        dataOf: ({ event }) => event.data,
        clock,
        random: () => 0.5,
        wait: clock.wait,
        pause: () => Promise.resolve(true),
        report: (_webhook, news) => {
          onNews(news);
        },
      },
      stopping.signal,
    );
    await store.release(owner)();
    hasEnded = true;
    return stop;
  };
  return {
    abort: () => {
      stopping.abort();
    },
    hasEnded: () => hasEnded,
    ended: run(),
  };
};
