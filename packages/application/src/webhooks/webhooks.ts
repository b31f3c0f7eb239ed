/** The use cases of webhooks: create, list, change, rotate the secret, delete; and those of `messages.ts`. */
import type { PriceBookId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as RA from 'fp-ts/ReadonlyArray';
import * as TE from 'fp-ts/TaskEither';
import type { EventStore } from '../ports/event-store';
import type { StoreError } from '../ports/store-error';
import type { WebhookProgress } from '../ports/webhook-progress';
import { exists } from '../queries/price-book-history';
import { streamOf } from '../recorded-event';
import { createRegisterWriter, type RegisterCaller, type RegisterWriteError } from '../register-writer';
import {
  decideCreate,
  decideDelete,
  decideRotate,
  decideUpdate,
  type WantedWebhook,
  type WebhookDecisionError,
} from './decide';
import { type PausedReason, type WebhookChanges, WEBHOOKS_STREAM } from './events';
import {
  configuredIn,
  createWebhookMessages,
  lookFor,
  type WebhookDeliveries,
  type WebhookMessages,
  type WebhookMessagesParts,
  type WebhookQueryError,
  type WebhooksNotConfigured,
} from './messages';
import type { NewWebhookSecret, WebhookSecrets } from './secrets';
import type { Webhook } from './state';

export type WebhookCommandError =
  | WebhookDecisionError
  | RegisterWriteError
  | WebhooksNotConfigured
  | { readonly _tag: 'WebhookUrlRefused'; readonly reason: string }
  | { readonly _tag: 'WebhookPriceBookNotFound' };

/** A webhook and its progress; undefined where nothing was ever to be delivered. */
export interface WebhookView {
  readonly webhook: Webhook;
  readonly progress: WebhookProgress | undefined;
}

/** With the secret itself: to be shown once and never kept. */
export interface WebhookWithSecret extends WebhookView {
  readonly secret: string;
}

export interface Webhooks extends WebhookMessages {
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
  /** Pauses a webhook for the service itself. @returns whether that is kept. */
  readonly pause: (webhook: Webhook, reason: PausedReason) => Promise<boolean>;
}

export interface WebhooksParts extends WebhookMessagesParts {
  readonly eventStore: Pick<EventStore, 'append' | 'read'>;
  /** Called when a webhook was changed. */
  readonly onChange: () => void;
}

/** Under which name the service itself changes webhooks. */
const SERVICE = 'service';

export const createWebhooks = (parts: WebhooksParts): Webhooks => {
  const { eventStore, register, progressStore, deliveries, ids, onChange } = parts;
  const write = createRegisterWriter({ ...parts, stream: WEBHOOKS_STREAM });
  const configured = configuredIn(deliveries);

  const carryOut = (
    decide: Parameters<typeof write<WebhookDecisionError>>[0],
    caller: RegisterCaller,
  ): TE.TaskEither<WebhookCommandError, void> => pipe(write(decide, caller), TE.map(onChange));

  const viewOf = (webhook: Webhook): TE.TaskEither<StoreError, WebhookView> =>
    pipe(
      progressStore.read(webhook.id),
      TE.map((progress) => ({ webhook, progress })),
    );

  const find: Webhooks['find'] = (id) => pipe(lookFor(register, id), TE.chainW(viewOf));

  /** Keeps a new secret with an event, and shows it whatever becomes of the rest: it cannot be shown again. */
  const withNewSecret = (
    id: string,
    secrets: WebhookSecrets,
    decide: (kept: NewWebhookSecret['kept']) => Parameters<typeof carryOut>[0],
    caller: RegisterCaller,
  ): TE.TaskEither<WebhookCommandError, WebhookWithSecret> => {
    const { kept, secret } = secrets.make(ids.randomBytes);
    return pipe(
      carryOut(decide(kept), caller),
      TE.chainW(() => lookFor(register, id)),
      TE.chainW((webhook) =>
        pipe(
          viewOf(webhook),
          TE.orElse(() => TE.right<StoreError, WebhookView>({ webhook, progress: undefined })),
        ),
      ),
      TE.map((view) => ({ ...view, secret })),
    );
  };

  const checkUrl =
    ({ sender }: WebhookDeliveries, url: string | undefined): TE.TaskEither<WebhookCommandError, void> =>
    async () => {
      const reason = url === undefined ? undefined : await sender.refusal(url);
      return reason === undefined ? E.right(undefined) : E.left({ _tag: 'WebhookUrlRefused', reason });
    };

  const checkBook = (id: PriceBookId | null | undefined): TE.TaskEither<WebhookCommandError, void> =>
    id === undefined || id === null
      ? TE.right(undefined)
      : pipe(
          exists(eventStore, streamOf(id)),
          TE.chainEitherKW((found) =>
            found ? E.right(undefined) : E.left({ _tag: 'WebhookPriceBookNotFound' as const }),
          ),
        );

  return {
    ...createWebhookMessages(parts),

    create: (wanted, caller) =>
      pipe(
        TE.fromEither(configured),
        TE.chainFirstW((found) => checkUrl(found, wanted.url)),
        TE.chainFirstW(() => checkBook(wanted.priceBookId)),
        TE.chainW(({ secrets }) => {
          const id = ids.newCommandId();
          return withNewSecret(
            id,
            secrets,
            (kept) => (state) => decideCreate(state, id, wanted, kept),
            caller,
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
        TE.chainW((found) => (found === undefined ? TE.right(undefined) : checkUrl(found, changes.url))),
        TE.chainW(() => checkBook(changes.priceBookId)),
        TE.chainW(() => carryOut((state) => decideUpdate(state, id, changes), caller)),
        TE.chainW(() => find(id)),
      ),

    rotateSecret: (id, caller) =>
      pipe(
        TE.fromEither(configured),
        TE.chainW(({ secrets }) =>
          withNewSecret(id, secrets, (kept) => (state, now) => decideRotate(state, id, kept, now), caller),
        ),
      ),

    delete: (id, caller) =>
      pipe(
        carryOut((state) => decideDelete(state, id), caller),
        // What is left behind where this fails is never read again.
        TE.chainFirstTaskK(() => progressStore.forget(id)),
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
