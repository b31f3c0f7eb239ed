/** The messages that administrators ask for: a test, and dead letters that are sent again. */
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { Clock } from '../ports/clock';
import type { EventStore } from '../ports/event-store';
import type { Ids } from '../ports/ids';
import type { StoreError } from '../ports/store-error';
import type { DeadLetter, WebhookProgressStore } from '../ports/webhook-progress';
import type { WebhookSender } from '../ports/webhook-sender';
import { type FeedEntry, feedReadOf, findEvent } from '../queries/event-feed';
import type { UndecodableEvent } from '../recorded-event';
import { type Attempt, messageOf, type SendOnce, type WebhookMessage } from './attempt';
import type { WebhookNotFound } from './decide';
import type { WebhookRegister } from './register';
import type { WebhookSecrets } from './secrets';
import type { Webhook } from './state';

/** There is no key in the configuration that secrets could be derived from. */
export interface WebhooksNotConfigured {
  readonly _tag: 'WebhooksNotConfigured';
}

export interface DeadLetterNotFound {
  readonly _tag: 'DeadLetterNotFound';
}

export type WebhookQueryError = StoreError | WebhookNotFound;

interface DeadLettersPage {
  readonly letters: readonly DeadLetter[];
  readonly hasMore: boolean;
}

export interface WebhookMessages {
  /** Sends a message that is about no event, also to a webhook that is paused. */
  readonly test: (id: string) => TE.TaskEither<WebhookQueryError | WebhooksNotConfigured, Attempt>;
  /** Oldest first. @param after the id of a dead letter. */
  readonly deadLetters: (
    id: string,
    after: string | undefined,
    limit: number,
  ) => TE.TaskEither<WebhookQueryError, DeadLettersPage>;
  /** Sends a dead letter once more, also to a webhook that is paused. One that is delivered is no dead letter any more. */
  readonly redeliver: (
    id: string,
    letterId: string,
  ) => TE.TaskEither<
    WebhookQueryError | WebhooksNotConfigured | DeadLetterNotFound | UndecodableEvent,
    Attempt
  >;
}

/** What is there only where the configuration has a key. */
export interface WebhookDeliveries {
  readonly secrets: WebhookSecrets;
  readonly sender: Pick<WebhookSender, 'refusal'>;
  readonly sendOnce: SendOnce;
}

export interface WebhookMessagesParts {
  readonly eventStore: Pick<EventStore, 'read'>;
  readonly register: WebhookRegister;
  readonly progressStore: WebhookProgressStore;
  readonly deliveries: WebhookDeliveries | undefined;
  readonly dataOf: (entry: FeedEntry) => unknown;
  readonly clock: Clock;
  readonly ids: Ids;
}

export const configuredIn = (
  deliveries: WebhookDeliveries | undefined,
): E.Either<WebhooksNotConfigured, WebhookDeliveries> =>
  deliveries === undefined ? E.left({ _tag: 'WebhooksNotConfigured' }) : E.right(deliveries);

/** A webhook as it is now. */
export const lookFor = (register: WebhookRegister, id: string): TE.TaskEither<WebhookQueryError, Webhook> =>
  pipe(
    register.look,
    TE.chainEitherKW(({ webhooks }) => {
      const webhook = webhooks.get(id);
      return webhook === undefined ? E.left<WebhookNotFound>({ _tag: 'WebhookNotFound' }) : E.right(webhook);
    }),
  );

export const createWebhookMessages = ({
  eventStore,
  register,
  progressStore,
  deliveries,
  dataOf,
  clock,
  ids,
}: WebhookMessagesParts): WebhookMessages => {
  const send = (webhook: Webhook, message: WebhookMessage): TE.TaskEither<WebhooksNotConfigured, Attempt> =>
    pipe(
      TE.fromEither(configuredIn(deliveries)),
      TE.chainTaskK(
        ({ sendOnce }) =>
          () =>
            sendOnce(webhook, message, new AbortController().signal),
      ),
    );

  const entryOf = ({
    place,
  }: DeadLetter): TE.TaskEither<StoreError | DeadLetterNotFound | UndecodableEvent, FeedEntry> =>
    pipe(
      findEvent(eventStore, place),
      TE.chainEitherKW(
        (event): E.Either<DeadLetterNotFound | UndecodableEvent, FeedEntry> =>
          (event && feedReadOf(event).entry) ?? E.left({ _tag: 'DeadLetterNotFound' }),
      ),
    );

  return {
    test: (id) =>
      pipe(
        lookFor(register, id),
        TE.chainW((webhook) =>
          send(webhook, {
            id: ids.newCommandId(),
            type: 'WebhookTest',
            timestamp: clock.now(),
            data: { webhookId: id },
          }),
        ),
      ),

    deadLetters: (id, after, limit) =>
      pipe(
        lookFor(register, id),
        TE.chainW(() => progressStore.deadLetters(id, after, limit + 1)),
        TE.map((letters) => ({ letters: letters.slice(0, limit), hasMore: letters.length > limit })),
      ),

    redeliver: (id, letterId) =>
      pipe(
        TE.Do,
        TE.apSW('webhook', lookFor(register, id)),
        TE.bindW('letter', () => progressStore.deadLetter(id, letterId)),
        TE.bindW('entry', ({ letter }) =>
          letter === undefined
            ? TE.left<DeadLetterNotFound>({ _tag: 'DeadLetterNotFound' })
            : entryOf(letter),
        ),
        TE.bindW('attempt', ({ webhook, entry }) => send(webhook, messageOf(webhook, entry, dataOf))),
        TE.chainFirstW(({ letter, attempt: { failure } }) => {
          if (failure === undefined || letter === undefined) {
            return progressStore.removeDeadLetter(id, letterId);
          }
          return progressStore.bury(id, { ...letter, attempts: letter.attempts + 1, lastFailure: failure });
        }),
        TE.map(({ attempt }) => attempt),
      ),
  };
};
