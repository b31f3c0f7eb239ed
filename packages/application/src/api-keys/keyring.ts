/** Tells who a key belongs to. */
import { timingSafeEqual } from 'node:crypto';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { Clock } from '../ports/clock';
import type { AppendError, EventStore } from '../ports/event-store';
import type { Ids } from '../ports/ids';
import type { StoreError } from '../ports/store-error';
import { decodeMetadata, newEvent, type UndecodableEvent } from '../recorded-event';
import { apiKeyIdOf, hashOf, newApiKey, type NewApiKey } from './api-key';
import { API_KEYS_STREAM, type ApiKeyIssued, apiKeyIssuedCodec, type Scope } from './events';

/** The key behind a request. */
export interface Principal {
  /** The id of the key. */
  readonly keyId: string;
  readonly scopes: readonly Scope[];
}

/** The id under which the bootstrap key acts. */
const BOOTSTRAP_ID = 'bootstrap';
const PAGE = 500;

interface KnownKey {
  readonly hash: Buffer;
  readonly principal: Principal;
}

export interface Keyring {
  /** Whose key it is; undefined for any text that is not a valid key. */
  readonly authenticate: (secret: string) => Principal | undefined;
}

const isSame = (hash: Buffer, secret: string): boolean => timingSafeEqual(hash, hashOf(secret));

/** A keyring of the issued keys, and of the bootstrap key while one is set. */
export const createKeyring = (issued: readonly ApiKeyIssued[], bootstrapKey: string | undefined): Keyring => {
  const keys = new Map<string, KnownKey>(
    issued.map(({ data: { id, hash, scopes } }) => [
      id,
      { hash: Buffer.from(hash, 'hex'), principal: { keyId: id, scopes } },
    ]),
  );
  const bootstrap: KnownKey | undefined =
    bootstrapKey === undefined
      ? undefined
      : { hash: hashOf(bootstrapKey), principal: { keyId: BOOTSTRAP_ID, scopes: ['admin'] } };
  return {
    authenticate: (secret) => {
      const id = apiKeyIdOf(secret);
      const key = id === undefined ? bootstrap : (keys.get(id) ?? bootstrap);
      return key !== undefined && isSame(key.hash, secret) ? key.principal : undefined;
    },
  };
};

/** All keys that were issued, from their stream. */
export const readIssuedKeys =
  (
    eventStore: Pick<EventStore, 'read'>,
  ): TE.TaskEither<StoreError | UndecodableEvent, readonly ApiKeyIssued[]> =>
  async () => {
    const issued: ApiKeyIssued[] = [];
    for (;;) {
      const page = await eventStore.read(API_KEYS_STREAM, {
        direction: 'forwards',
        from: issued.length,
        limit: PAGE,
      })();
      if (E.isLeft(page)) return page;
      for (const recorded of page.right) {
        const { type, data, stream, revision } = recorded;
        const event = apiKeyIssuedCodec.decode({ type, data });
        if (E.isLeft(event)) {
          const reason = `${type} is not an event of keys that this version reads`;
          return E.left({ _tag: 'UndecodableEvent', stream, revision, reason });
        }
        const metadata = decodeMetadata(recorded);
        if (E.isLeft(metadata)) return metadata;
        issued.push(event.right);
      }
      if (page.right.length < PAGE) return E.right(issued);
    }
  };

/**
 * Issues the very first key, for all scopes.
 *
 * @returns the key to be shown; undefined where another process was first.
 */
export const issueFirstKey = (
  eventStore: EventStore,
  clock: Clock,
  ids: Ids,
): TE.TaskEither<AppendError, NewApiKey | undefined> => {
  const key = newApiKey(ids.randomBytes);
  const event: ApiKeyIssued = {
    type: 'ApiKeyIssued',
    data: { id: key.id, name: 'first key', scopes: ['admin'], hash: hashOf(key.secret).toString('hex') },
  };
  const commandId = ids.newCommandId();
  const context = { commandId, actor: 'service', requestId: commandId };
  return pipe(
    eventStore.append(API_KEYS_STREAM, 'noStream', [newEvent(event, 0, clock.now(), context)]),
    TE.map((): NewApiKey | undefined => key),
    TE.orElse((error) => (error._tag === 'WrongExpectedRevision' ? TE.right(undefined) : TE.left(error))),
  );
};
