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

/** The body of Create API Key. */
export const issueApiKeyCodec = described(
  record(
    'IssueApiKey',
    { name: nameCodec, scopes: listOf(scopeCodec, SCOPES.length, someAndNoneTwice) },
    { expiresAt: dateTimeCodec },
    Object.fromEntries(
      ['id', 'key', 'createdAt'].map((field) => [field, 'is assigned by the service and cannot be given']),
    ),
  ),
  { examples: [{ name: 'Web shop', scopes: ['read'] }] },
);
