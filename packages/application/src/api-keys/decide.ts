/** Which events come of what is asked of keys. */
import * as E from 'fp-ts/Either';
import type { UndecodableEvent } from '../recorded-event';
import { hashOf, type NewApiKey } from './api-key';
import type { ApiKeyEvent, Scope } from './events';
import { type ApiKeysState, hasLiveAdmin } from './state';

/** A key that is wanted. */
export interface WantedApiKey {
  /** For people. */
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** ISO 8601, UTC; absent for a key that does not expire. */
  readonly expiresAt?: string | undefined;
}

export type ApiKeyDecisionError =
  | { readonly _tag: 'ExpiryInThePast' }
  | { readonly _tag: 'ApiKeyNotFound' }
  /** Without it nobody could issue a key any more. */
  | { readonly _tag: 'LastAdminKey' }
  | UndecodableEvent;

/** An event, or none where nothing changes. */
type Decision = E.Either<ApiKeyDecisionError, ApiKeyEvent | undefined>;

/** The event of a new key, which keeps of the key itself only a hash. */
export const issued = (
  { name, scopes, expiresAt }: WantedApiKey,
  { id, secret }: NewApiKey,
): ApiKeyEvent => ({
  type: 'ApiKeyIssued',
  data: {
    id,
    name,
    scopes: [...scopes],
    hash: hashOf(secret).toString('hex'),
    expiresAt: expiresAt ?? null,
  },
});

/** Where an event cannot be read no key is issued: nobody knows what it was to rule out. */
export const decideIssue = (
  { unreadable }: ApiKeysState,
  wanted: WantedApiKey,
  key: NewApiKey,
  now: string,
): Decision => {
  const [first] = unreadable;
  const { expiresAt } = wanted;
  if (first !== undefined) return E.left(first);
  return expiresAt !== undefined && expiresAt <= now
    ? E.left({ _tag: 'ExpiryInThePast' })
    : E.right(issued(wanted, key));
};

/** Where an event cannot be read no key is renamed: the event may have renamed or revoked it. */
export const decideRename = ({ keys, unreadable }: ApiKeysState, id: string, name: string): Decision => {
  const [first] = unreadable;
  const key = keys.get(id);
  if (key === undefined) return E.left({ _tag: 'ApiKeyNotFound' });
  if (first !== undefined) return E.left(first);
  return E.right(key.name === name ? undefined : { type: 'ApiKeyRenamed', data: { id, name } });
};

/**
 * A key can be revoked also where events cannot be read: that takes away and gives nothing.
 *
 * @param canBeLast whether there is another way in than an admin key.
 */
export const decideRevoke = (
  { keys }: ApiKeysState,
  id: string,
  now: string,
  canBeLast: boolean,
): Decision => {
  if (!keys.has(id)) return E.left({ _tag: 'ApiKeyNotFound' });
  const others = [...keys.values()].filter((key) => key.id !== id);
  // Keys that are no way in themselves may always go.
  const isLast = hasLiveAdmin(keys.values(), now) && !hasLiveAdmin(others, now);
  return isLast && !canBeLast
    ? E.left({ _tag: 'LastAdminKey' })
    : E.right({ type: 'ApiKeyRevoked', data: { id } });
};
