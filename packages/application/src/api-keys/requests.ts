/** What may be asked of keys. */
import {
  dateTimeCodec,
  type JsonCodec,
  listOf,
  type ListRule,
  nameCodec,
  record,
  refine,
  text,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { type Scope, SCOPES } from './events';

const scopeCodec: JsonCodec<Scope> = refine('Scope', text('Scope', { min: 0, max: Infinity }), (given) => {
  const scope = SCOPES.find((one) => one === given);
  return scope === undefined ? E.left(`must be one of: ${SCOPES.join(', ')}`) : E.right(scope);
});

const someAndNoneTwice: ListRule<Scope> = (raw) =>
  raw.length === 0
    ? [{ path: [], detail: 'must name a scope' }]
    : raw.flatMap((item, index) => {
        const first = raw.indexOf(item);
        return first === index
          ? []
          : [{ path: [String(index)], detail: `is the same as item ${String(first)}` }];
      });

/** The body of Create API Key. */
export const issueApiKeyCodec = record(
  'IssueApiKey',
  { name: nameCodec, scopes: listOf(scopeCodec, SCOPES.length, someAndNoneTwice) },
  { expiresAt: dateTimeCodec },
  Object.fromEntries(
    ['id', 'key', 'createdAt'].map((field) => [field, 'is assigned by the service and cannot be given']),
  ),
);
