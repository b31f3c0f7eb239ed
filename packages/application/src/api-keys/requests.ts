/** What may be asked of keys. */
import {
  assignedByService,
  dateTimeCodec,
  described,
  listOf,
  nameCodec,
  oneOf,
  record,
  someAndNoneTwice,
} from '@pricebook/domain';
import { SCOPES } from './events';

/** What a key may do. */
export const scopeCodec = described(oneOf('Scope', SCOPES), {
  description: '`write` includes `read`, and `admin` includes `write` and the keys.',
});

const assigned = assignedByService('id', 'key', 'createdAt');

/** The body of Create API Key. */
export const issueApiKeyCodec = described(
  record(
    'IssueApiKey',
    { name: nameCodec, scopes: listOf(scopeCodec, SCOPES.length, someAndNoneTwice('must name a scope')) },
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
