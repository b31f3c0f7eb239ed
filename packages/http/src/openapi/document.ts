/** The OpenAPI document, from what every operation says of itself: see docs/decisions/0018. */
import { requestIdHeader } from '../request-id';
import { type Components, createComponents } from './components';
import { deprecationHeaderNames, deprecationSaid } from './deprecation';
import { examplesOf } from './examples';
import { type HeaderName, headerOf } from './headers';
import type { Answer, Content, DescribedRoute, Parameter } from './operation';
import { withOpenAnswers } from './open-answers';
import { problemResponses } from './problems';
import { TAGS } from './tags';
import { version } from '../version';

const DESCRIPTION = `Keeps price books and the prices of products in them, one price a product and currency. Prices are set for one product or for all at once; the service answers what a product costs, says how that price came about, and knows what it was at any time before.

Every path under \`/v1\` needs an API key in the header \`x-api-key\`. The scope \`write\` includes \`read\`, and \`admin\` includes \`write\`.

Answers that are no successes are \`application/problem+json\` by RFC 9457; \`type\` is the path of a page that says what it means and what to do; behind a proxy that serves the service below a path, the page is below that path.

\`HEAD\` works wherever \`GET\` does. \`OPTIONS\` answers the methods of a path in \`Allow\`. A path of no operation is answered 404, and another method than those of a path 405 with \`Allow\`. Besides the headers that are listed, every answer has \`Content-Security-Policy\`, \`Cross-Origin-Resource-Policy\`, \`Referrer-Policy\` and \`X-Content-Type-Options\`, always the same. Answers of 1 KB or more are compressed where \`Accept-Encoding\` allows it. Where pages of other origins are allowed, answers also have the headers of CORS.`;

/** Every answer has these. */
const OF_EVERY_ANSWER: readonly HeaderName[] = ['x-request-id', 'Cache-Control'];
/** Every answer to a request with a key may have these. */
const OF_KEYS: readonly HeaderName[] = ['RateLimit', 'RateLimit-Policy'];

/** A path in the form of OpenAPI. */
const pathOf = ({ path }: DescribedRoute): string => path.replaceAll(/:(\w+)/g, '{$1}');

const exampleIn = (components: Components, schema: Content[string]): object => {
  const examples = examplesOf(schema);
  return {
    schema: components.schema(schema),
    ...(examples.length === 1 && { example: examples[0] }),
    ...(examples.length > 1 && {
      examples: Object.fromEntries(
        examples.map((value, place) => [`example-${String(place + 1)}`, { value }]),
      ),
    }),
  };
};

const contentOf = (components: Components, content: Content): object =>
  Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, exampleIn(components, schema)]));

const parameterOf = (
  components: Components,
  { in: place, name, description, schema, isMany = false, isRequired = place === 'path' }: Parameter,
): object => ({
  name,
  in: place,
  description,
  ...(isRequired && { required: true }),
  // Pages that call operations begin with the example: nothing is to be in the way that may be left out.
  ...(isMany && { style: 'form', explode: true, example: {} }),
  ...(isRequired ? exampleIn(components, schema) : { schema: components.schema(schema) }),
});

const headersNamed =
  (components: Components, route: DescribedRoute) =>
  (names: readonly HeaderName[]): object =>
    Object.fromEntries(
      [
        ...OF_EVERY_ANSWER,
        ...(route.scope === undefined ? [] : OF_KEYS),
        ...(route.deprecation === undefined ? [] : deprecationHeaderNames(route.deprecation)),
        ...names,
      ].map((name) => [
        name,
        components.other('headers', name, () => {
          const { description, schema, isOptional = false } = headerOf(name);
          return { description, required: !isOptional, ...exampleIn(components, schema) };
        }),
      ]),
    );

const responsesOf = (components: Components, route: DescribedRoute): object => {
  const headers = headersNamed(components, route);
  const successes = Object.entries(route.answers).map(
    ([status, { description, headers: names = [], content }]: [string, Answer]): readonly [
      string,
      object,
    ] => [
      status,
      {
        description,
        headers: headers(names),
        ...(content !== undefined && { content: contentOf(components, content) }),
      },
    ],
  );
  // Where a status is among the successes, as that of a service that is not ready, it is no problem.
  return Object.fromEntries<object>([...problemResponses(components, route, headers), ...successes]);
};

const operationOf = (components: Components, route: DescribedRoute): object => {
  const { operationId, summary, tag, parameters = [], body, isBodyOptional, scope, deprecation } = route;
  const description = [
    route.description,
    ...(deprecation === undefined ? [] : [`Deprecated: ${deprecation.instead}`]),
    ...(scope === undefined ? [] : [`Needs a key of the scope \`${scope}\`.`]),
  ].join('\n\n');
  return {
    operationId,
    summary,
    description,
    ...(deprecation !== undefined && deprecationSaid(deprecation)),
    tags: [tag],
    security: scope === undefined ? [] : [{ apiKey: [scope] }],
    parameters: [...parameters, requestIdHeader].map((parameter) => parameterOf(components, parameter)),
    ...(body !== undefined && {
      requestBody: { required: isBodyOptional !== true, content: contentOf(components, body) },
    }),
    responses: responsesOf(components, route),
  };
};

/** The document: plain data, and the same each time. */
export const openApiDocument = (routes: readonly DescribedRoute[]): object => {
  const components = createComponents();
  const paths = new Map<string, object>();
  for (const route of routes) {
    const path = pathOf(route);
    paths.set(path, { ...paths.get(path), [route.method]: operationOf(components, route) });
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'Price book service',
      version,
      description: DESCRIPTION,
      license: { name: 'All rights reserved', identifier: 'LicenseRef-All-Rights-Reserved' },
    },
    // Where the document is: it holds behind a proxy's prefix.
    servers: [{ url: '.', description: 'The service that has answered this document.' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: Object.fromEntries(paths),
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: 'A key that the service has issued, with a scope that covers the operation.',
        },
      },
      ...components.all(),
      schemas: withOpenAnswers(
        components.all()['schemas'] ?? {},
        routes.map(({ body }) => Object.values(body ?? {}).map(components.schema)),
      ),
    },
  };
};
