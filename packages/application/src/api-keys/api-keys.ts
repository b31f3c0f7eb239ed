/** The use cases of keys: issue, list, find, rename, revoke. */
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { Clock } from '../ports/clock';
import type { EventStore } from '../ports/event-store';
import type { Ids } from '../ports/ids';
import type { StoreError } from '../ports/store-error';
import { createRegisterWriter, type RegisterCaller, type RegisterWriteError } from '../register-writer';
import { newApiKey } from './api-key';
import {
  type ApiKeyDecisionError,
  decideIssue,
  decideRename,
  decideRevoke,
  type WantedApiKey,
} from './decide';
import { API_KEYS_STREAM } from './events';
import { BOOTSTRAP } from './keyring';
import type { ApiKeyRegister } from './register';
import type { ApiKey } from './state';

export type ApiKeyCommandError = ApiKeyDecisionError | RegisterWriteError;

/** A key as clients see it. */
export interface ApiKeyView extends Omit<ApiKey, 'hash'> {
  /** ISO 8601, UTC, to the minute; undefined where it was never used. */
  readonly lastUsedAt: string | undefined;
}

/** A new key, with the key itself: to be shown once and never kept. */
export interface IssuedApiKey extends Omit<ApiKeyView, 'lastUsedAt'> {
  readonly secret: string;
}

/** The key that asks: the bootstrap key was never created. */
export interface OwnApiKey extends Omit<ApiKeyView, 'createdAt'> {
  /** ISO 8601, UTC. */
  readonly createdAt: string | undefined;
}

interface ApiKeyNotFound {
  readonly _tag: 'ApiKeyNotFound';
}

export interface ApiKeys {
  readonly issue: (
    wanted: WantedApiKey,
    caller: RegisterCaller,
  ) => TE.TaskEither<ApiKeyCommandError, IssuedApiKey>;
  /** All that have not been revoked, also those that have expired; oldest first. */
  readonly list: TE.TaskEither<StoreError, readonly ApiKeyView[]>;
  /** The key that asks. @param keyId that of a key, or of the bootstrap key. */
  readonly own: (keyId: string) => TE.TaskEither<StoreError | ApiKeyNotFound, OwnApiKey>;
  /** @returns the key under its new name; the name that it has already changes nothing. */
  readonly rename: (
    id: string,
    name: string,
    caller: RegisterCaller,
  ) => TE.TaskEither<ApiKeyCommandError, ApiKeyView>;
  readonly revoke: (id: string, caller: RegisterCaller) => TE.TaskEither<ApiKeyCommandError, void>;
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

const bootstrapKey: OwnApiKey = {
  id: BOOTSTRAP.keyId,
  name: 'Bootstrap key',
  scopes: BOOTSTRAP.scopes,
  createdAt: undefined,
  expiresAt: undefined,
  lastUsedAt: undefined,
};

export const createApiKeys = ({
  eventStore,
  register,
  lastUses,
  clock,
  ids,
  hasBootstrapKey,
}: ApiKeysParts): ApiKeys => {
  const carryOut = createRegisterWriter({ eventStore, stream: API_KEYS_STREAM, register, clock, ids });

  const views: ApiKeys['list'] = pipe(
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
  );

  const find = (id: string): TE.TaskEither<StoreError | ApiKeyNotFound, ApiKeyView> =>
    pipe(
      views,
      TE.chainEitherKW((keys) => {
        const found = keys.find((key) => key.id === id);
        return found === undefined ? E.left({ _tag: 'ApiKeyNotFound' as const }) : E.right(found);
      }),
    );

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

    list: views,
    own: (keyId) => (keyId === BOOTSTRAP.keyId ? TE.right(bootstrapKey) : find(keyId)),

    rename: (id, name, caller) => () =>
      pipe(
        carryOut((state) => decideRename(state, id, name), caller),
        TE.chainW(() => find(id)),
      )(),

    revoke: (id, caller) => () =>
      pipe(
        carryOut((state, now) => decideRevoke(state, id, now, hasBootstrapKey), caller),
        TE.map(() => undefined),
      )(),
  };
};
