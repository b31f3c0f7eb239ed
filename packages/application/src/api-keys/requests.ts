/** What may be asked of keys. */
import { dateTimeCodec, described, listOf, type ListRule, nameCodec, oneOf, record } from '@pricebook/domain';
import { type Scope, SCOPES } from './events';

/** What a key may do. */
export const scopeCodec = described(oneOf('Scope', SCOPES), {
  description: '`write` includes `read`, and `admin` includes `write` and the keys.',
});

const someAndNoneTwice: ListRule<Scope> = {
  find: (raw) =>
    raw.length === 0
      ? [{ path: [], detail: 'must name a scope' }]
      : raw.flatMap((item, index) => {
          const first = raw.indexOf(item);
          return first === index
            ? []
            : [{ path: [String(index)], detail: `is the same as item ${String(first)}` }];
        }),
  said: { minItems: 1, uniqueItems: true },
};

const assigned = Object.fromEntries(
  ['id', 'key', 'createdAt'].map((field) => [field, 'is assigned by the service and cannot be given']),
);

/** The body of Create API Key. */
export const issueApiKeyCodec = described(
  record(
    'IssueApiKey',
    { name: nameCodec, scopes: listOf(scopeCodec, SCOPES.length, someAndNoneTwice) },
    { expiresAt: dateTimeCodec },
    assigned,
  ),
  { examples: [{ name: 'Web shop', scopes: ['read'] }] },
);

const fixed = Object.fromEntries(
  ['scopes', 'expiresAt'].map((field) => [field, 'never changes: create another key and revoke this one']),
);

/** The body of Rename API Key. */
export const renameApiKeyCodec = described(
  record('RenameApiKey', { name: nameCodec }, {}, { ...assigned, ...fixed }),
  { examples: [{ name: 'Web shop, 2027' }] },
);
