import { dateTimeCodec, refine, text } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import * as t from 'io-ts';

/** The stream of all keys. */
export const API_KEYS_STREAM = 'apiKeys';

const scopeCodec = t.keyof({ read: null, write: null, admin: null });
/** What a key may do: `write` includes reading, `admin` includes writing and the keys. */
export type Scope = t.TypeOf<typeof scopeCodec>;

/** Every scope; a later one includes those before it. */
export const SCOPES: readonly Scope[] = ['read', 'write', 'admin'];

const hashCodec = refine('Hash', text('Hash', { min: 64, max: 64 }), (hash) =>
  /^[0-9a-f]{64}$/.test(hash) ? E.right(hash) : E.left('must be a SHA-256 in hexadecimal'),
);

const apiKeyIssuedCodec = t.type({
  type: t.literal('ApiKeyIssued'),
  data: t.type({
    id: t.string,
    name: t.string,
    scopes: t.array(scopeCodec),
    /** SHA-256 of the key in hexadecimal; the key itself is kept nowhere. */
    hash: hashCodec,
    /** ISO 8601, UTC: from then on the key is refused; null for a key that does not expire. */
    expiresAt: t.union([dateTimeCodec, t.null]),
  }),
});
type ApiKeyIssued = t.TypeOf<typeof apiKeyIssuedCodec>;

const apiKeyRevokedCodec = t.type({
  type: t.literal('ApiKeyRevoked'),
  data: t.type({ id: t.string }),
});
type ApiKeyRevoked = t.TypeOf<typeof apiKeyRevokedCodec>;

const apiKeyRenamedCodec = t.type({
  type: t.literal('ApiKeyRenamed'),
  data: t.type({ id: t.string, name: t.string }),
});
type ApiKeyRenamed = t.TypeOf<typeof apiKeyRenamedCodec>;

export const apiKeyEventCodec = t.union([apiKeyIssuedCodec, apiKeyRenamedCodec, apiKeyRevokedCodec]);
export type ApiKeyEvent = ApiKeyIssued | ApiKeyRenamed | ApiKeyRevoked;
