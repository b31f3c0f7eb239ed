import { type ApiKeyView, type IssuedApiKey, issueApiKeyCodec } from '@pricebook/application';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { noQuery } from '../parameters';
import { keyRoute, keyRouteWithBody, type Route } from '../route';

const collection = '/v1/api-keys';

/** Nobody on the way is to keep what is said of keys. */
const headers = { 'Cache-Control': 'no-store' };

/** What a key is, as JSON; none of it is secret. */
const bodyOf = ({
  id,
  name,
  scopes,
  createdAt,
  expiresAt,
  lastUsedAt,
}: Omit<ApiKeyView, 'lastUsedAt'> & Partial<Pick<ApiKeyView, 'lastUsedAt'>>) => ({
  id,
  name,
  scopes,
  createdAt,
  ...(expiresAt !== undefined && { expiresAt }),
  ...(lastUsedAt !== undefined && { lastUsedAt }),
});

export const issuedKeyBody = ({ secret, ...key }: IssuedApiKey) => ({ ...bodyOf(key), key: secret });
export const apiKeyBody = (key: ApiKeyView) => bodyOf(key);

export const apiKeyRoutes: readonly Route[] = [
  keyRouteWithBody(
    { method: 'post', path: collection, scope: 'admin' },
    issueApiKeyCodec,
    (apiKeys, { body, caller: { actor, requestId } }) =>
      pipe(
        apiKeys.issue(body, { actor, requestId }),
        TE.map((issued) => ({
          status: 201,
          body: issuedKeyBody(issued),
          // Relative to the path of the request, so that it holds behind a proxy's prefix.
          headers: { ...headers, Location: `api-keys/${issued.id}` },
        })),
      ),
  ),

  keyRoute({ method: 'get', path: collection, scope: 'admin' }, (apiKeys, { query }) =>
    pipe(
      TE.fromEither(noQuery(query)),
      TE.chainW(() => apiKeys.list),
      TE.map((keys) => ({ status: 200, body: keys.map(apiKeyBody), headers })),
    ),
  ),

  keyRoute(
    { method: 'delete', path: `${collection}/:apiKeyId`, scope: 'admin' },
    (apiKeys, { params, caller: { actor, requestId } }) =>
      pipe(
        apiKeys.revoke(params['apiKeyId'] ?? '', { actor, requestId }),
        TE.map(() => ({ status: 204, headers })),
      ),
  ),
];
