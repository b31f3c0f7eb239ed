/** The use cases of webhooks: create, list, change, rotate the secret, try, send dead letters again, delete. */
import type { PriceBookId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as RA from 'fp-ts/ReadonlyArray';
import * as TE from 'fp-ts/TaskEither';
import type { Clock } from '../ports/clock';
import type { EventStore } from '../ports/event-store';
import type { Ids } from '../ports/ids';
import type { StoreError } from '../ports/store-error';
import type { DeadLetter, WebhookProgress, WebhookProgressStore } from '../ports/webhook-progress';
import type { WebhookSender } from '../ports/webhook-sender';
import { type FeedEntry, feedReadOf } from '../queries/event-feed';
import { streamOf, type UndecodableEvent } from '../recorded-event';
import { createRegisterWriter, type RegisterCaller, type RegisterWriteError } from '../register-writer';
import { type Attempt, messageOf, type SendOnce, type WebhookMessage } from './attempt';
import {
  decideCreate,
  decideDelete,
  decideRotate,
  decideUpdate,
  type WantedWebhook,
  type WebhookDecisionError,
  type WebhookNotFound,
} from './decide';
import { type PausedReason, type WebhookChanges, WEBHOOKS_STREAM } from './events';
import type { WebhookRegister } from './register';
import type { WebhookSecrets } from './secrets';
import type { Webhook, WebhooksState } from './state';

/** There is no key in the configuration that secrets could be derived from. */
export interface WebhooksNotConfigured {
  readonly _tag: 'WebhooksNotConfigured';
}

export interface DeadLetterNotFound {
  readonly _tag: 'DeadLetterNotFound';
}

export type WebhookQueryError = StoreError | WebhookNotFound;

export type WebhookCommandError =
  | WebhookDecisionError
  | RegisterWriteError
  | WebhooksNotConfigured
  | { readonly _tag: 'WebhookUrlRefused'; readonly reason: string }
  | { readonly _tag: 'WebhookPriceBookNotFound' };

/** A webhook, and how far it has come; undefined where nothing was ever to be delivered. */
export interface WebhookView {
  readonly webhook: Webhook;
  readonly progress: WebhookProgress | undefined;
}

/** With the secret itself: to be shown once and never kept. */
export interface WebhookWithSecret extends WebhookView {
  readonly secret: string;
}

export interface DeadLettersPage {
  readonly letters: readonly DeadLetter[];
  readonly hasMore: boolean;
}

export interface Webhooks {
  readonly create: (
    wanted: WantedWebhook,
    caller: RegisterCaller,
  ) => TE.TaskEither<WebhookCommandError, WebhookWithSecret>;
  /** Oldest first. */
  readonly list: TE.TaskEither<StoreError, readonly WebhookView[]>;
  readonly find: (id: string) => TE.TaskEither<WebhookQueryError, WebhookView>;
  /** @param changes `pausedReason: null` has it go on; null takes a filter away. */
  readonly update: (
    id: string,
    changes: WebhookChanges,
    caller: RegisterCaller,
  ) => TE.TaskEither<WebhookCommandError, WebhookView>;
  readonly rotateSecret: (
    id: string,
    caller: RegisterCaller,
  ) => TE.TaskEither<WebhookCommandError, WebhookWithSecret>;
  readonly delete: (id: string, caller: RegisterCaller) => TE.TaskEither<WebhookCommandError, void>;
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
  /** Pauses a webhook for the service itself. @returns whether that is kept. */
  readonly pause: (webhook: Webhook, reason: PausedReason) => Promise<boolean>;
}

/** What is there only where the configuration has a key. */
export interface WebhookDeliveries {
  readonly secrets: WebhookSecrets;
  readonly sender: Pick<WebhookSender, 'refusal'>;
  readonly sendOnce: SendOnce;
}

export interface WebhooksParts {
  readonly eventStore: Pick<EventStore, 'append' | 'read'>;
  readonly register: WebhookRegister;
  readonly progressStore: WebhookProgressStore;
  readonly deliveries: WebhookDeliveries | undefined;
  readonly dataOf: (entry: FeedEntry) => unknown;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Called when a webhook was changed. */
  readonly onChange: () => void;
}

/** Under which name the service itself changes webhooks. */
const SERVICE = 'service';

export const createWebhooks = ({
  eventStore,
  register,
  progressStore,
  deliveries,
  dataOf,
  clock,
  ids,
  onChange,
}: WebhooksParts): Webhooks => {
  const write = createRegisterWriter({ eventStore, stream: WEBHOOKS_STREAM, register, clock, ids });
  const configured: E.Either<WebhooksNotConfigured, WebhookDeliveries> =
    deliveries === undefined ? E.left({ _tag: 'WebhooksNotConfigured' }) : E.right(deliveries);

  const carryOut = (
    decide: Parameters<typeof write<WebhookDecisionError>>[0],
    caller: RegisterCaller,
  ): TE.TaskEither<WebhookCommandError, void> =>
    pipe(write(decide, caller), TE.map(onChange));

  const findIn = (
    { webhooks }: WebhooksState,
    id: string,
  ): E.Either<WebhookNotFound, Webhook> => {
    const webhook = webhooks.get(id);
    return webhook === undefined ? E.left({ _tag: 'WebhookNotFound' }) : E.right(webhook);
  };

  const look = (id: string): TE.TaskEither<WebhookQueryError, Webhook> =>
    pipe(
      register.look,
      TE.chainEitherKW((state) => findIn(state, id)),
    );

  const viewOf = (webhook: Webhook): TE.TaskEither<StoreError, WebhookView> =>
    pipe(
      progressStore.read(webhook.id),
      TE.map((progress) => ({ webhook, progress })),
    );

  const find: Webhooks['find'] = (id) => pipe(look(id), TE.chainW(viewOf));

  const checkUrl = (
    { sender }: WebhookDeliveries,
    url: string | undefined,
  ): TE.TaskEither<WebhookCommandError, void> => async () => {
    const reason = url === undefined ? undefined : await sender.refusal(url);
    return reason === undefined ? E.right(undefined) : E.left({ _tag: 'WebhookUrlRefused', reason });
  };

  const checkBook = (
    id: PriceBookId | null | undefined,
  ): TE.TaskEither<WebhookCommandError, void> => async () => {
    if (id === undefined || id === null) return E.right(undefined);
    const events = await eventStore.read(streamOf(id), { direction: 'forwards', limit: 1 })();
    if (E.isLeft(events)) return events;
    return events.right.length === 0 ? E.left({ _tag: 'WebhookPriceBookNotFound' }) : E.right(undefined);
  };

  const send = (
    webhook: Webhook,
    message: WebhookMessage,
  ): TE.TaskEither<WebhooksNotConfigured, Attempt> =>
    pipe(
      TE.fromEither(configured),
      TE.chainTaskK(({ sendOnce }) => () => sendOnce(webhook, message, new AbortController().signal)),
    );

  const entryOf =
    ({ place: { stream, revision, eventId } }: DeadLetter): TE.TaskEither<
      StoreError | DeadLetterNotFound | UndecodableEvent,
      FeedEntry
    > =>
    async () => {
      const found = await eventStore.read(stream, { direction: 'forwards', from: revision, limit: 1 })();
      if (E.isLeft(found)) return found;
      const [event] = found.right;
      // A store that was restored from an older backup may have another event there, or none.
      const entry = event?.id === eventId ? feedReadOf(event).entry : undefined;
      return entry ?? E.left({ _tag: 'DeadLetterNotFound' });
    };

  return {
    create: (wanted, caller) =>
      pipe(
        TE.fromEither(configured),
        TE.chainFirstW((parts) => checkUrl(parts, wanted.url)),
        TE.chainFirstW(() => checkBook(wanted.priceBookId)),
        TE.chainW(({ secrets }) => {
          const id = ids.newCommandId();
          const { kept, secret } = secrets.make(ids.randomBytes);
          return pipe(
            carryOut((state) => decideCreate(state, id, wanted, kept), caller),
            TE.chainW(() => find(id)),
            TE.map((view) => ({ ...view, secret })),
          );
        }),
      ),

    list: pipe(
      register.look,
      TE.chain(({ webhooks }) => pipe([...webhooks.values()], RA.traverse(TE.ApplicativePar)(viewOf))),
    ),

    find,

    update: (id, changes, caller) =>
      pipe(
        TE.fromEither(changes.url === undefined ? E.right(undefined) : configured),
        TE.chainW((parts) => (parts === undefined ? TE.right(undefined) : checkUrl(parts, changes.url))),
        TE.chainW(() => checkBook(changes.priceBookId)),
        TE.chainW(() => carryOut((state) => decideUpdate(state, id, changes), caller)),
        TE.chainW(() => find(id)),
      ),

    rotateSecret: (id, caller) =>
      pipe(
        TE.fromEither(configured),
        TE.chainW(({ secrets }) => {
          const { kept, secret } = secrets.make(ids.randomBytes);
          return pipe(
            carryOut((state, now) => decideRotate(state, id, kept, now), caller),
            TE.chainW(() => find(id)),
            TE.map((view) => ({ ...view, secret })),
          );
        }),
      ),

    delete: (id, caller) =>
      pipe(
        carryOut((state) => decideDelete(state, id), caller),
        // What is left behind where this fails is never read again.
        TE.chainFirstTaskK(() => progressStore.forget(id)),
      ),

    test: (id) =>
      pipe(
        look(id),
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
        look(id),
        TE.chainW(() => progressStore.deadLetters(id, after, limit + 1)),
        TE.map((letters) => ({ letters: letters.slice(0, limit), hasMore: letters.length > limit })),
      ),

    redeliver: (id, letterId) =>
      pipe(
        TE.Do,
        TE.apSW('webhook', look(id)),
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

    pause: async (webhook, reason) => {
      const paused = await carryOut((state) => decideUpdate(state, webhook.id, { pausedReason: reason }), {
        actor: SERVICE,
        requestId: ids.newCommandId(),
      })();
      return E.isRight(paused);
    },
  };
};
