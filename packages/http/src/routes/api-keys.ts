import {
  type ApiKeyView,
  type IssuedApiKey,
  issueApiKeyCodec,
  type OwnApiKey,
  renameApiKeyCodec,
} from '@pricebook/application';
import { listOf } from '@pricebook/domain';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { ApiError } from '../api-error';
import {
  type ApiKeyBody,
  apiKeyCodec,
  apiKeyIdCodec,
  type IssuedKeyBody,
  issuedKeyCodec,
  type OwnKeyBody,
  ownKeyCodec,
} from '../answers/api-key';
import { json } from '../openapi/operation';
import { keyRoute, keyRouteWithBody, type Route } from '../route';
import { idInPath } from './id-in-path';

const collection = '/v1/api-keys';

/** What a key is, as JSON; none of it is secret. */
const bodyOf = ({
  id,
  name,
  scopes,
  createdAt,
  expiresAt,
  lastUsedAt,
}: Omit<OwnApiKey, 'lastUsedAt'> & Partial<Pick<OwnApiKey, 'lastUsedAt'>>): OwnKeyBody => ({
  id,
  name,
  scopes,
  ...(createdAt !== undefined && { createdAt }),
  ...(expiresAt !== undefined && { expiresAt }),
  ...(lastUsedAt !== undefined && { lastUsedAt }),
});

export const issuedKeyBody = ({ secret, ...key }: IssuedApiKey): IssuedKeyBody => ({
  ...bodyOf(key),
  createdAt: key.createdAt,
  key: secret,
});
export const apiKeyBody = (key: ApiKeyView): ApiKeyBody => ({ ...bodyOf(key), createdAt: key.createdAt });

const apiKeyIdInPath = idInPath(
  'apiKeyId',
  'The id of the key: the 8 characters after `pbk_`.',
  apiKeyIdCodec,
  'api-key-not-found',
);

export const apiKeyRoutes: readonly Route[] = [
  keyRouteWithBody(
    {
      method: 'post',
      path: collection,
      scope: 'admin',
      operationId: 'createApiKey',
      summary: 'Create API Key',
      description: 'The key itself is in the answer, this once. It is good on all instances within a second.',
      tag: 'API keys',
      answers: {
        201: { description: 'The key.', headers: ['Location'], content: json(issuedKeyCodec) },
      },
    },
    issueApiKeyCodec,
    (apiKeys, { body, caller: { actor, requestId } }) =>
      pipe(
        apiKeys.issue(body, { actor, requestId }),
        TE.map((issued) => ({
          status: 201,
          body: issuedKeyBody(issued),
          // Relative to the path of the request, so that it holds behind a proxy's prefix.
          headers: { Location: `api-keys/${issued.id}` },
        })),
      ),
  ),

  keyRoute(
    {
      method: 'get',
      path: collection,
      scope: 'admin',
      operationId: 'listApiKeys',
      summary: 'List API Keys',
      description: 'All keys that are not revoked, also those that have expired; oldest first.',
      tag: 'API keys',
      answers: {
        200: { description: 'The keys, without what is secret.', content: json(listOf(apiKeyCodec)) },
      },
    },
    (apiKeys) =>
      pipe(
        apiKeys.list,
        TE.map((keys) => ({ status: 200, body: keys.map(apiKeyBody) })),
      ),
  ),

  keyRoute(
    {
      method: 'get',
      path: `${collection}/me`,
      scope: 'read',
      operationId: 'getOwnApiKey',
      summary: 'Get Own API Key',
      description: 'The key that the request is sent with: what it may do, and until when.',
      tag: 'API keys',
      answers: { 200: { description: 'The key, without what is secret.', content: json(ownKeyCodec) } },
    },
    (apiKeys, { caller: { actor } }) =>
      pipe(
        apiKeys.own(actor),
        TE.bimap(
          // It was revoked after the request was admitted.
          (error): ApiError => (error._tag === 'ApiKeyNotFound' ? { _tag: 'Unauthorized' } : error),
          (key) => ({ status: 200, body: bodyOf(key) }),
        ),
      ),
  ),

  keyRouteWithBody(
    {
      method: 'patch',
      path: `${collection}/:apiKeyId`,
      scope: 'admin',
      operationId: 'renameApiKey',
      summary: 'Rename API Key',
      description: 'Gives the key another name. Its scopes and expiry never change.',
      tag: 'API keys',
      parameters: [apiKeyIdInPath],
      answers: { 200: { description: 'The key, without what is secret.', content: json(apiKeyCodec) } },
    },
    renameApiKeyCodec,
    (apiKeys, { params, body: { name }, caller: { actor, requestId } }) =>
      pipe(
        TE.fromEither(apiKeyIdInPath.read(params)),
        TE.chainW((id) => apiKeys.rename(id, name, { actor, requestId })),
        TE.map((key) => ({ status: 200, body: apiKeyBody(key) })),
      ),
  ),

  keyRoute(
    {
      method: 'delete',
      path: `${collection}/:apiKeyId`,
      scope: 'admin',
      operationId: 'revokeApiKey',
      summary: 'Revoke API Key',
      description: 'The key is refused on all instances within a second.',
      tag: 'API keys',
      parameters: [apiKeyIdInPath],
      answers: { 204: { description: 'The key is revoked.' } },
      problems: ['last-admin-key'],
    },
    (apiKeys, { params, caller: { actor, requestId } }) =>
      pipe(
        TE.fromEither(apiKeyIdInPath.read(params)),
        TE.chainW((id) => apiKeys.revoke(id, { actor, requestId })),
        TE.map(() => ({ status: 204 })),
      ),
  ),
];
