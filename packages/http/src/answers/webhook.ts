/** Webhooks, and what came of their messages. */
import { feedEventTypeCodec, webhookStatusCodec, type WebhookView } from '@pricebook/application';
import {
  described,
  type JsonCodec,
  listOf,
  makeCodec,
  oneOf,
  priceBookIdCodec,
  record,
  text,
} from '@pricebook/domain';
import * as t from 'io-ts';
import { anyTextCodec, countCodec, instantCodec, revisionCodec } from './values';

export const webhookIdCodec: JsonCodec<string> = described(text('WebhookId', { min: 1, max: Infinity }), {
  examples: ['6d1c3a0e-1f57-4c55-9a3e-2f1b7c5a9d10'],
});

const answerStatusCodec = countCodec('AnswerStatus', 'The status of the answer, where there was one.', 500);
const attemptsCodec = countCodec('Attempts', 'How often the message was tried.', 3);

const failureCodec = described(
  record('DeliveryFailure', { at: instantCodec, reason: anyTextCodec }, { status: answerStatusCodec }),
  { description: 'Why a message was not delivered.' },
);

const deliveryCodec = described(
  record(
    'WebhookDelivery',
    {},
    {
      lastDeliveredAt: instantCodec,
      failingSince: instantCodec,
      attempts: attemptsCodec,
      nextAttemptAt: instantCodec,
      lastFailure: failureCodec,
    },
  ),
  {
    description:
      'How deliveries go. `failingSince` and what follows are there while messages fail; `lastDeliveredAt` is the time at ' +
      'which the last message that was delivered was sent.',
  },
);

const always = {
  id: webhookIdCodec,
  url: anyTextCodec,
  description: anyTextCodec,
  status: webhookStatusCodec,
  createdAt: instantCodec,
  updatedAt: instantCodec,
  delivery: deliveryCodec,
};
const sometimes = {
  eventTypes: listOf(feedEventTypeCodec),
  priceBookId: priceBookIdCodec,
  pausedReason: oneOf('PausedReason', ['requested', 'failing', 'gone'] as const),
  previousSecretUntil: instantCodec,
};

const example = {
  id: '6d1c3a0e-1f57-4c55-9a3e-2f1b7c5a9d10',
  url: 'https://shop.example/prices',
  description: '',
  status: 'active',
  createdAt: '2026-11-22T07:20:02.735Z',
  updatedAt: '2026-11-22T07:20:02.735Z',
  delivery: { lastDeliveredAt: '2026-11-22T09:30:00.120Z' },
};

export const webhookCodec = described(record('Webhook', always, sometimes), {
  description:
    '`eventTypes` and `priceBookId` are there where it is sent only some events, `pausedReason` while it is paused: ' +
    '`requested`, `failing` for 3 days, or `gone`, since the receiver answered 410. `previousSecretUntil` is there while ' +
    'messages have two signatures.',
  examples: [example],
});

export const webhookWithSecretCodec = described(
  record('WebhookWithSecret', { ...always, secret: anyTextCodec }, sometimes),
  {
    description: '`secret` is what signatures are made with: it is shown this once.',
    examples: [{ ...example, delivery: {}, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwAbCdEfGhIjk=' }],
  },
);

const deliveredCodec: JsonCodec<boolean> = makeCodec(
  'Delivered',
  (u, c) => (typeof u === 'boolean' ? t.success(u) : t.failure(u, c, 'must be true or false')),
  { type: 'boolean', description: 'Whether the answer was 2xx.' },
);

export const attemptCodec = described(
  record(
    'WebhookAttempt',
    {
      delivered: deliveredCodec,
      milliseconds: countCodec('Milliseconds', 'How long it took.', 120),
    },
    {
      status: answerStatusCodec,
      reason: anyTextCodec,
    },
  ),
  {
    description: 'What came of sending one message. `reason` is there where it was not delivered.',
    examples: [{ delivered: true, milliseconds: 120, status: 204 }],
  },
);

export const deadLetterCodec = described(
  record('DeadLetter', {
    id: anyTextCodec,
    type: feedEventTypeCodec,
    priceBookId: priceBookIdCodec,
    revision: revisionCodec,
    attempts: attemptsCodec,
    givenUpAt: instantCodec,
    lastFailure: failureCodec,
  }),
  {
    description: 'A message that was given up. `id` is that of the message.',
    examples: [
      {
        id: '3d2f6a54-6f0f-5c0b-9d0b-5d1f0c9d7a10',
        type: 'ProductPricesSet',
        priceBookId: '01a1fcf9-f25b-75a0-80fb-5049634a2f84',
        revision: 3,
        attempts: 11,
        givenUpAt: '2026-11-22T07:20:02.735Z',
        lastFailure: { at: '2026-11-22T07:20:02.735Z', reason: 'the answer is not 2xx', status: 500 },
      },
    ],
  },
);

export type WebhookBody = t.TypeOf<typeof webhookCodec>;
export type WebhookWithSecretBody = t.TypeOf<typeof webhookWithSecretCodec>;
export type AttemptBody = t.TypeOf<typeof attemptCodec>;
export type DeadLetterBody = t.TypeOf<typeof deadLetterCodec>;

/** @param now ISO 8601, UTC. */
export const webhookBody = ({ webhook, progress }: WebhookView, now: string): WebhookBody => {
  const { id, url, description, eventTypes, priceBookId, pausedReason, previousSecret } = webhook;
  const { lastDeliveredAt, failing } = progress ?? {};
  return {
    id,
    url,
    description,
    ...(eventTypes !== undefined && { eventTypes }),
    ...(priceBookId !== undefined && { priceBookId }),
    status: pausedReason === undefined ? 'active' : 'paused',
    ...(pausedReason !== undefined && { pausedReason }),
    ...(previousSecret !== undefined &&
      now < previousSecret.validUntil && { previousSecretUntil: previousSecret.validUntil }),
    createdAt: webhook.createdAt,
    updatedAt: webhook.updatedAt,
    delivery: {
      ...(lastDeliveredAt !== undefined && { lastDeliveredAt }),
      ...(failing !== undefined && { failingSince: failing.since, lastFailure: failing.lastFailure }),
      ...(failing?.retry !== undefined && {
        attempts: failing.retry.attempts,
        // A paused webhook tries nothing.
        ...(pausedReason === undefined && { nextAttemptAt: failing.retry.nextAttemptAt }),
      }),
    },
  };
};
