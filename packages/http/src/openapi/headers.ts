/** The headers of answers. */
import type { JsonSchema } from '@pricebook/domain';

interface Header {
  readonly description: string;
  readonly schema: JsonSchema;
  /** Whether it is there on some of the answers only. */
  readonly isOptional?: boolean;
}

const seconds: JsonSchema = { type: 'string', pattern: '^[1-9][0-9]*$', examples: ['1'] };

/** Those that say something to clients; `Content-Type` and what belongs to connections go without saying. */
export const HEADERS = {
  'x-request-id': {
    description:
      "The id of the request: the client's own where it is sane, a new one otherwise. Logs have it.",
    schema: {
      type: 'string',
      pattern: '^[A-Za-z0-9._~:+/=@-]{1,128}$',
      examples: ['7893674f-750a-43f3-aea8-a36167380ccb'],
    },
  },
  'Cache-Control': {
    description:
      '`no-cache` where a GET has an ETag: it may be kept, and is asked about each time. Of a single price it is what the ' +
      'operator has set, `no-store` by default.',
    schema: { type: 'string', examples: ['no-store'] },
  },
  ETag: {
    description:
      'Of a price book the revision, in quotes; of CSV with `-csv` after it, such as `"3-csv"`. Where a list shows what is ' +
      'going to begin or end, a mark of that follows, such as `"3-d0123456789ab"`. A compressed answer adds `-gzip` or `-br`. ' +
      'Other tags are opaque.',
    schema: { type: 'string', pattern: '^"[!#-~]+"$', examples: ['"3"'] },
  },
  Location: {
    description: 'Where what was made is, relative to the path of the request.',
    schema: {
      type: 'string',
      format: 'uri-reference',
      examples: ['pricebooks/01a1fcf9-f25b-75a0-80fb-5049634a2f84'],
    },
  },
  Link: {
    description:
      'While there is more: `<...>; rel="next"` with the next page, relative to the path of the request.',
    schema: {
      type: 'string',
      pattern: '^<[^>]+>; rel="next"$',
      examples: ['<events?cursor=ZXZlbnRzOjEwMA>; rel="next"'],
    },
    isOptional: true,
  },
  'X-Total-Count': {
    description: 'Where `total=true` asks for it: how many there are on all pages together.',
    schema: { type: 'string', pattern: '^(0|[1-9][0-9]*)$', examples: ['42'] },
    isOptional: true,
  },
  Projection: {
    description: 'The write is done, but a read may not show it yet: the read side was more than 2 s behind.',
    schema: { type: 'string', const: 'behind', examples: ['behind'] },
    isOptional: true,
  },
  RateLimit: {
    description: 'Where requests of a key are limited: how many it has left.',
    schema: { type: 'string', examples: ['"key";r=99;t=1'] },
    isOptional: true,
  },
  'RateLimit-Policy': {
    description: 'Where requests of a key are limited: how many it may make in how many seconds.',
    schema: { type: 'string', examples: ['"key";q=100;w=1'] },
    isOptional: true,
  },
  Deprecation: {
    description:
      'The operation is going to be removed: since when it is deprecated, in seconds since 1970 (RFC 9745).',
    schema: { type: 'string', pattern: '^@[0-9]+$', examples: ['@1767225600'] },
    // What is refused before it is known which operation is asked for does not have it.
    isOptional: true,
  },
  Sunset: {
    description: 'When the operation may stop working (RFC 8594).',
    schema: { type: 'string', examples: ['Fri, 01 Jan 2027 00:00:00 GMT'] },
    isOptional: true,
  },
  'Retry-After': { description: 'Seconds after which to try again.', schema: seconds },
  'WWW-Authenticate': {
    description: 'How to be let in: with a key in the header `x-api-key`.',
    schema: { type: 'string', const: 'ApiKey', examples: ['ApiKey'] },
  },
} as const satisfies Readonly<Record<string, Header>>;

export type HeaderName = keyof typeof HEADERS;

export const headerOf = (name: HeaderName): Header => HEADERS[name];
