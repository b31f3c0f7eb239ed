/** The use cases of keys: issue, list, revoke. */
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { Clock } from '../ports/clock';
import type { AppendError, EventStore } from '../ports/event-store';
import type { Ids } from '../ports/ids';
import type { StoreError } from '../ports/store-error';
import { type CommandContext, newEvent } from '../recorded-event';
import { createOneAtATime } from '../one-at-a-time';
import { newApiKey } from './api-key';
import { type ApiKeyDecisionError, decideIssue, decideRevoke, type WantedApiKey } from './decide';
import { API_KEYS_STREAM, type ApiKeyEvent } from './events';
import type { ApiKeyRegister } from './register';
import type { ApiKey, ApiKeysState } from './state';

/** How often decisions are taken anew because another process wrote first. */
const MAX_ATTEMPTS = 10;

export type ApiKeyCommandError =
  | ApiKeyDecisionError
  | Exclude<AppendError, { readonly _tag: 'WrongExpectedRevision' }>
  | { readonly _tag: 'TooManyConflicts' };

/** A key as clients see it. */
export interface ApiKeyView extends Omit<ApiKey, 'hash'> {
  /** ISO 8601, UTC, to the minute; undefined where it was never used. */
  readonly lastUsedAt: string | undefined;
}

/** A new key, with the key itself: to be shown once and never kept. */
export interface IssuedApiKey extends Omit<ApiKeyView, 'lastUsedAt'> {
  readonly secret: string;
}

/** Who asks. */
export type ApiKeyCaller = Pick<CommandContext, 'actor' | 'requestId'>;

export interface ApiKeys {
  readonly issue: (
    wanted: WantedApiKey,
    caller: ApiKeyCaller,
  ) => TE.TaskEither<ApiKeyCommandError, IssuedApiKey>;
  /** All that have not been revoked, also those that have expired; oldest first. */
  readonly list: TE.TaskEither<StoreError, readonly ApiKeyView[]>;
  readonly revoke: (id: string, caller: ApiKeyCaller) => TE.TaskEither<ApiKeyCommandError, void>;
}

export interface ApiKeysParts {
  readonly eventStore: Pick<EventStore, 'append'>;
  readonly register: ApiKeyRegister;
  /** When keys were last used, by id. */
  readonly lastUses: TE.TaskEither<StoreError, ReadonlyMap<string, string>>;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Whether there is another way in than an admin key, such as a bootstrap key. */
  readonly hasBootstrapKey: boolean;
}

export const createApiKeys = ({
  eventStore,
  register,
  lastUses,
  clock,
  ids,
  hasBootstrapKey,
}: ApiKeysParts): ApiKeys => {
  // Those of one process do not get in each other's way.
  const oneAtATime = createOneAtATime();

  /** Decides on what the stream holds and appends; where another process was first, decides anew. */
  const carryOut = (
    decide: (state: ApiKeysState, now: string) => E.Either<ApiKeyDecisionError, ApiKeyEvent>,
    caller: ApiKeyCaller,
  ): TE.TaskEither<ApiKeyCommandError, { readonly occurredAt: string }> => {
    const context = { ...caller, commandId: ids.newCommandId() };
    const attempt = async (): Promise<E.Either<ApiKeyCommandError, { readonly occurredAt: string }>> => {
      for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
        const looked = await register.look();
        if (E.isLeft(looked)) return looked;
        const { last } = looked.right;
        const now = clock.now();
        const decided = decide(looked.right, now);
        if (E.isLeft(decided)) return decided;
        // Times never go back within a stream, whatever the clock does.
        const occurredAt = last !== undefined && last.occurredAt > now ? last.occurredAt : now;
        const place = { stream: API_KEYS_STREAM, after: last, occurredAt, index: 0 };
        const appended = await eventStore.append(API_KEYS_STREAM, last?.revision ?? 'noStream', [
          newEvent(decided.right, place, context),
        ])();
        if (E.isRight(appended)) {
          // It is done: where the look fails, the next one finds it.
          await register.look();
          return E.right({ occurredAt });
        }
        if (appended.left._tag !== 'WrongExpectedRevision') return E.left(appended.left);
      }
      return E.left({ _tag: 'TooManyConflicts' });
    };
    return () => oneAtATime(attempt);
  };

  return {
    issue: (wanted, caller) => () => {
      const key = newApiKey(ids.randomBytes);
      return pipe(
        carryOut((state, now) => decideIssue(state, wanted, key, now), caller),
        TE.map(({ occurredAt }) => ({
          id: key.id,
          name: wanted.name,
          scopes: wanted.scopes,
          createdAt: occurredAt,
          expiresAt: wanted.expiresAt,
          secret: key.secret,
        })),
      )();
    },

    list: pipe(
      TE.Do,
      TE.apS('state', register.look),
      TE.apS('uses', lastUses),
      TE.map(({ state, uses }) =>
        [...state.keys.values()].map(({ id, name, scopes, createdAt, expiresAt }) => ({
          id,
          name,
          scopes,
          createdAt,
          expiresAt,
          lastUsedAt: uses.get(id),
        })),
      ),
    ),

    revoke: (id, caller) => () =>
      pipe(
        carryOut((state, now) => decideRevoke(state, id, now, hasBootstrapKey), caller),
        TE.map(() => undefined),
      )(),
  };
};
