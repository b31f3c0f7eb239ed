/** The problems that operations can answer: which ones, and what a document says of them. */
import type { JsonSchema } from '@pricebook/domain';
import { problemCodec } from '../answers/problem';
import { PROBLEM_TYPE } from '../media-types';
import { problemOf } from '../problem';
import { PROBLEM_TEXTS, type ProblemSlug, type ProblemText } from '../problem-texts';
import type { Components } from './components';
import { HEADERS, type HeaderName } from './headers';
import { answersWithBody, type DescribedRoute } from './operation';

const REQUEST_ID = '7893674f-750a-43f3-aea8-a36167380ccb';

/** What never becomes a request that an operation could look at is answered so as well. */
const NO_REQUEST: Readonly<Record<number, string>> = {
  408: 'The request did not come in time.',
  431: 'The line and the headers of the request are too long.',
};

const EVERYWHERE: readonly ProblemSlug[] = ['invalid-request', 'internal'];
const WITH_KEY: readonly ProblemSlug[] = [
  'unauthorized',
  'forbidden',
  'uri-too-long',
  'too-many-requests',
  'unavailable',
];
const WITH_ANSWER: readonly ProblemSlug[] = ['not-acceptable'];
const WITH_BODY: readonly ProblemSlug[] = ['too-large', 'unsupported-media-type'];
const OF_WRITES: readonly ProblemSlug[] = ['insufficient-storage'];

const slugsOf = (route: DescribedRoute): readonly ProblemSlug[] => {
  const { method, scope, body, parameters = [], problems = [] } = route;
  return [
    ...new Set([
      ...EVERYWHERE,
      ...(scope === undefined ? [] : WITH_KEY),
      ...(scope === undefined || !answersWithBody(route) ? [] : WITH_ANSWER),
      ...(body === undefined ? [] : WITH_BODY),
      ...(method === 'get' || scope === undefined || scope === 'read' ? [] : OF_WRITES),
      ...parameters.flatMap((parameter) => parameter.problems ?? []),
      ...problems,
    ]),
  ];
};

const textOf = (slug: ProblemSlug): ProblemText => PROBLEM_TEXTS[slug];

const answersOf = (slug: ProblemSlug) => textOf(slug).examples.map(problemOf);

const isDocumented = (name: string): name is HeaderName => Object.hasOwn(HEADERS, name);

/** Those that say something to clients. */
const headersOf = (slugs: readonly ProblemSlug[]): readonly HeaderName[] => [
  ...new Set(
    slugs
      .flatMap(answersOf)
      .flatMap(({ headers }) => Object.keys(headers))
      .filter(isDocumented),
  ),
];

const firstSentence = (text: string): string => /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;

/** Such as NoPriceOrPriceBookNotFound. */
const nameOf = (slugs: readonly ProblemSlug[]): string =>
  slugs
    .map((slug) => slug.replaceAll(/(?:^|-)([a-z])/g, (_found, letter: string) => letter.toUpperCase()))
    .join('Or');

interface Response {
  readonly status: number;
  readonly slugs: readonly ProblemSlug[];
  readonly hasBody: boolean;
  readonly headers: object;
}

/** The problem as it may read, where it is one that this answer can be. */
const examplesOf = ({ status, slugs, hasBody }: Response): object => {
  const detail = NO_REQUEST[status];
  const examples = slugs.flatMap((slug) =>
    answersOf(slug)
      .filter(({ problem }) => hasBody || problem.errors === undefined)
      .slice(0, detail === undefined ? undefined : 1)
      .map(({ problem }, place): readonly [string, object] => [
        place === 0 ? slug : `${slug}-${String(place + 1)}`,
        {
          summary: problem.title,
          value: { ...problem, status, ...(detail !== undefined && { detail }), requestId: REQUEST_ID },
        },
      ]),
  );
  return Object.fromEntries(examples);
};

/**
 * The problems of one status: a schema with a name and all its fields, such as UnauthorizedProblem. Of an `allOf` that
 * narrows another schema, generators make classes without these fields, and name those without a name by numbers.
 */
const schemaOf = ({ status, slugs }: Response): JsonSchema => {
  const { examples: _examples, properties, ...rest } = problemCodec.schema;
  return {
    ...rest,
    title: `${nameOf(slugs)}${status in NO_REQUEST ? String(status) : ''}Problem`,
    properties: {
      ...properties,
      type: { type: 'string', enum: slugs.map((slug) => `/problems/${slug}`) },
      status: { type: 'integer', format: 'int64', const: status },
    },
  };
};

const responseOf = (components: Components, response: Response): object => ({
  description:
    NO_REQUEST[response.status] ??
    response.slugs.map((slug) => firstSentence(textOf(slug).meaning[0] ?? '')).join(' Or: '),
  headers: response.headers,
  content: {
    [PROBLEM_TYPE]: {
      schema: components.schema(schemaOf(response)),
      examples: examplesOf(response),
    },
  },
});

/**
 * What a route can answer instead of a success, by status.
 *
 * @param headersNamed the headers of an answer, with those that every answer of the route has.
 */
export const problemResponses = (
  components: Components,
  route: DescribedRoute,
  headersNamed: (names: readonly HeaderName[]) => object,
): ReadonlyMap<number, object> => {
  const byStatus = new Map<number, readonly ProblemSlug[]>(
    Object.keys(NO_REQUEST).map((status) => [Number(status), ['invalid-request']]),
  );
  for (const slug of slugsOf(route)) {
    const { status } = problemOf(textOf(slug).examples[0]).problem;
    byStatus.set(status, [...(byStatus.get(status) ?? []), slug]);
  }
  return new Map(
    [...byStatus].map(([status, slugs]) => {
      const hasBody = status === 400 && route.body !== undefined;
      const name = [
        nameOf(slugs),
        status in NO_REQUEST ? String(status) : '',
        hasBody ? 'WithBody' : '',
        route.scope === undefined ? 'WithoutKey' : '',
        route.deprecation === undefined ? '' : 'OfDeprecated',
      ].join('');
      const make = (): object =>
        responseOf(components, { status, slugs, hasBody, headers: headersNamed(headersOf(slugs)) });
      return [status, components.other('responses', name, make)];
    }),
  );
};
