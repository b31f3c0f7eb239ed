import { REVALIDATE } from '../answer-headers';
import { ifNoneMatch } from '../entity-tag';
import type { OpenRoute } from '../open-route';
import { sendTagged, versionOf } from '../pages/send-tagged';
import { openApiDocument } from './document';
import type { DescribedRoute } from './operation';

/** Serves the document of these routes and of itself, made once. */
export const documentRoute = (routes: readonly DescribedRoute[]): OpenRoute => {
  const route: DescribedRoute & { readonly method: 'get' } = {
    method: 'get',
    path: '/openapi.json',
    operationId: 'getApiDocument',
    summary: 'Get API Document',
    description: 'This document.',
    tag: 'Service',
    parameters: [ifNoneMatch],
    answers: {
      200: {
        description: 'An OpenAPI document, version 3.1.',
        headers: ['ETag'],
        content: { 'application/json': { type: 'object', description: 'OpenAPI 3.1.' } },
      },
      304: { description: 'It is the document that `If-None-Match` names.', headers: ['ETag'] },
    },
  };
  const content = Buffer.from(JSON.stringify(openApiDocument([...routes, route])));
  const document = {
    type: 'application/json',
    content,
    version: versionOf(content),
    cacheControl: REVALIDATE,
  };
  return {
    ...route,
    serve: (context) => {
      sendTagged(context, document);
    },
  };
};
