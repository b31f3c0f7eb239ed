import type { OpenRoute } from '../open-route';
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
    answers: {
      200: {
        description: 'An OpenAPI document, version 3.1.',
        content: { 'application/json': { type: 'object', description: 'OpenAPI 3.1.' } },
      },
    },
  };
  const document = JSON.stringify(openApiDocument([...routes, route]));
  return {
    ...route,
    serve: (context) => {
      context.type = 'application/json';
      context.body = document;
    },
  };
};
