import * as t from 'io-ts';

/** The stream of all keys. */
export const API_KEYS_STREAM = 'apiKeys';

const scopeCodec = t.keyof({ read: null, write: null, admin: null });
/** What a key may do: `write` includes reading, `admin` includes writing and the keys. */
export type Scope = t.TypeOf<typeof scopeCodec>;

export const apiKeyIssuedCodec = t.type({
  type: t.literal('ApiKeyIssued'),
  data: t.type({
    id: t.string,
    name: t.string,
    scopes: t.array(scopeCodec),
    /** SHA-256 of the key in hexadecimal; the key itself is kept nowhere. */
    hash: t.string,
  }),
});
export type ApiKeyIssued = t.TypeOf<typeof apiKeyIssuedCodec>;

/** By type, the version of the shape in which events of keys are kept. */
export const apiKeyEventVersions: Readonly<Record<ApiKeyIssued['type'], number>> = { ApiKeyIssued: 1 };
