/** What may be asked of webhooks. */
import {
  assignedByService,
  described,
  type JsonCodec,
  listOf,
  oneOf,
  orNull,
  priceBookIdCodec,
  record,
  refine,
  someAndNoneTwice,
  text,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { FEED_EVENT_TYPES } from './events';

/** Whether it may be reached is found out by resolving it. */
const webhookUrlCodec: JsonCodec<string> = described(
  refine('WebhookUrl', text('WebhookUrl', { min: 1, max: 2_000 }), (given) => {
    const url = URL.parse(given);
    if (url === null) return E.left('must be an absolute URL');
    if (url.protocol !== 'https:' && url.protocol !== 'http:')
      return E.left('must be an https URL, or an http URL of a host that the service allows');
    if (url.username !== '' || url.password !== '') return E.left('must not hold a user or a password');
    if (url.hash !== '') return E.left('must not have a fragment');
    return E.right(given);
  }),
  {
    description: 'Where messages are sent to, by `POST`: an https URL.',
    examples: ['https://shop.example/prices'],
  },
);

const descriptionCodec = text('WebhookDescription', { min: 0, max: 2_000 });

/** Without a name for documents: clients in Go have one constant for each value of an enum with a name. */
export const feedEventTypeCodec = oneOf('eventType', FEED_EVENT_TYPES);

const eventTypesCodec = described(
  listOf(
    feedEventTypeCodec,
    FEED_EVENT_TYPES.length,
    someAndNoneTwice('must name a type of event; omit it for all'),
  ),
  {
    description: 'Only events of these types.',
  },
);

/** Of a webhook that an administrator wants to have, or not to have for now. */
export const webhookStatusCodec = oneOf('WebhookStatus', ['active', 'paused'] as const);

const assigned = assignedByService(
  'id',
  'secret',
  'createdAt',
  'updatedAt',
  'pausedReason',
  'previousSecretUntil',
  'delivery',
);

/** The body of Create Webhook. */
export const createWebhookCodec = described(
  record(
    'CreateWebhook',
    { url: webhookUrlCodec },
    { description: descriptionCodec, eventTypes: eventTypesCodec, priceBookId: priceBookIdCodec },
    assigned,
  ),
  { examples: [{ url: 'https://shop.example/prices' }] },
);

/** The body of Update Webhook. */
export const updateWebhookCodec = described(
  record(
    'UpdateWebhook',
    {},
    {
      url: webhookUrlCodec,
      description: descriptionCodec,
      eventTypes: orNull(eventTypesCodec),
      priceBookId: orNull(priceBookIdCodec),
      status: webhookStatusCodec,
    },
    assigned,
  ),
  { examples: [{ status: 'paused' }, { eventTypes: null }] },
);
