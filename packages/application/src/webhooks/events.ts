import { dateTimeCodec, priceBookEventVersions, priceBookIdCodec, refine, text } from '@pricebook/domain';
import type { PriceBookEvent } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import * as t from 'io-ts';

/** The stream of all webhooks. */
export const WEBHOOKS_STREAM = 'webhooks';

export type FeedEventType = PriceBookEvent['type'];
/** The types of events that the feed has. */
export const FEED_EVENT_TYPES = Object.keys(priceBookEventVersions) as readonly FeedEventType[];

const eventTypeCodec = t.keyof(priceBookEventVersions);

const hexCodec = (bytes: number) =>
  refine('Hex', text('Hex', { min: bytes * 2, max: bytes * 2 }), (hex) =>
    /^[0-9a-f]+$/.test(hex) ? E.right(hex) : E.left('must be hexadecimal'),
  );

/** What a secret is derived from, with the key of the configuration; see `secrets.ts`. It is no secret itself. */
const secretCodec = t.type({
  salt: hexCodec(16),
  /** SHA-256 of the secret: tells whether the key of the configuration is still the one that made it. */
  hash: hexCodec(32),
});
export type KeptSecret = t.TypeOf<typeof secretCodec>;

const pausedReasonCodec = t.keyof({ requested: null, failing: null, gone: null });
/** `requested` by an administrator, `failing` for days, `gone`: the receiver answered 410. */
export type PausedReason = t.TypeOf<typeof pausedReasonCodec>;

const webhookCreatedCodec = t.type({
  type: t.literal('WebhookCreated'),
  data: t.type({
    id: t.string,
    url: t.string,
    description: t.string,
    /** Null for all. */
    eventTypes: t.union([t.array(eventTypeCodec), t.null]),
    /** Null for all. */
    priceBookId: t.union([priceBookIdCodec, t.null]),
    secret: secretCodec,
  }),
});

/** Only what changed. */
const webhookUpdatedCodec = t.type({
  type: t.literal('WebhookUpdated'),
  data: t.intersection([
    t.type({ id: t.string }),
    t.partial({
      url: t.string,
      description: t.string,
      eventTypes: t.union([t.array(eventTypeCodec), t.null]),
      priceBookId: t.union([priceBookIdCodec, t.null]),
      /** Null where it is active again. */
      pausedReason: t.union([pausedReasonCodec, t.null]),
    }),
  ]),
});

const webhookSecretRotatedCodec = t.type({
  type: t.literal('WebhookSecretRotated'),
  data: t.type({ id: t.string, secret: secretCodec, previousValidUntil: dateTimeCodec }),
});

const webhookDeletedCodec = t.type({
  type: t.literal('WebhookDeleted'),
  data: t.type({ id: t.string }),
});

export const webhookEventCodec = t.union([
  webhookCreatedCodec,
  webhookUpdatedCodec,
  webhookSecretRotatedCodec,
  webhookDeletedCodec,
]);
export type WebhookEvent = t.TypeOf<typeof webhookEventCodec>;
export type WebhookChanges = Omit<t.TypeOf<typeof webhookUpdatedCodec>['data'], 'id'>;

/** By type, the version of the shape in which they are kept now. */
export const webhookEventVersions: Readonly<Record<WebhookEvent['type'], number>> = {
  WebhookCreated: 1,
  WebhookUpdated: 1,
  WebhookSecretRotated: 1,
  WebhookDeleted: 1,
};
