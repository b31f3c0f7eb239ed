/** Requests that are made from the document, sound ones and ones with something broken, as arbitraries of fast-check. */
import { arbitraryOf, mutationsOf, type ReferringSchema } from '@pricebook/domain/testing';
import type { Json } from '@pricebook/domain';
import * as fc from 'fast-check';
import { type DocumentOperation, type DocumentParameter, type OpenApiDocument, resolved } from './document';

/** A request before it is known which books there are. */
export interface Draft {
  readonly method: string;
  readonly template: string;
  /** By the name of the variable. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Stands for a book that is there when the request is sent. */
export const SOME_BOOK = 'some-book';
export const SOME_PRODUCTS = ['lamp', 'seat', 'a/b'];
/** Stands for one that no URL has room for. */
export const LONG_VALUE = 'long-value';
/** Stands for a key that may only read. */
export const READ_KEY = 'read-key';

const JSON_TYPE = 'application/json';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

type Schema = ReferringSchema & object;

const odd = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1e400',
    'null',
    'true',
    '%',
    '..',
    '*',
    'all',
    'usd ',
    '\u00e9',
    'x'.repeat(300),
  ),
  fc.string({ unit: 'grapheme', maxLength: 10 }),
);

/** Sound requests of one operation. */
const soundOf = (
  document: OpenApiDocument,
  template: string,
  method: string,
  { parameters, requestBody }: DocumentOperation,
): fc.Arbitrary<Draft> => {
  const valueOf = ({ schema }: DocumentParameter) => arbitraryOf(schema, (part) => resolved(document, part));

  const pathValueOf = (parameter: DocumentParameter): fc.Arbitrary<string> => {
    const any = valueOf(parameter).map(textOf);
    if (parameter.name === 'priceBookId') {
      return fc.oneof({ weight: 9, arbitrary: fc.constant(SOME_BOOK) }, { weight: 1, arbitrary: any });
    }
    return parameter.name === 'productId' ? fc.oneof(fc.constantFrom(...SOME_PRODUCTS), any) : any;
  };

  const queryOf = (parameter: DocumentParameter) =>
    valueOf(parameter).map((value): Draft['query'] =>
      parameter.explode === true
        ? Object.entries(value as object).map(([name, one]) => [name, textOf(one)])
        : [[parameter.name, textOf(value)]],
    );

  const inPlace = (place: DocumentParameter['in']) => parameters.filter((one) => one.in === place);
  // Of what clients may send here, examples alone are ever right.
  const headerOf = ({ name, schema }: DocumentParameter) =>
    fc
      .oneof(
        fc.constantFrom(...(resolved(document, schema as Schema).examples ?? []).map(textOf)),
        fc.stringMatching(/^[!-~]{1,20}$/),
      )
      .map((value): readonly (readonly [string, string])[] => [[name, value]]);
  const body = requestBody?.content[JSON_TYPE];
  return fc
    .record({
      path: fc.record(Object.fromEntries(inPlace('path').map((one) => [one.name, pathValueOf(one)]))),
      queries: fc.tuple(...inPlace('query').map((one) => fc.option(queryOf(one), { nil: [], freq: 2 }))),
      headers: fc.tuple(...inPlace('header').map((one) => fc.option(headerOf(one), { nil: [] }))),
      body:
        body === undefined
          ? fc.constant(undefined)
          : arbitraryOf(body.schema as Schema, (part) => resolved(document, part)).map((value) =>
              JSON.stringify(value),
            ),
    })
    .map(({ path, queries, headers, body: text }) => ({
      method,
      template,
      path,
      query: queries.flat(),
      headers: Object.fromEntries([
        ...headers.flat(),
        ...(text === undefined ? [] : [['content-type', JSON_TYPE] as const]),
      ]),
      ...(text !== undefined && { body: text }),
    }));
};

/** What can be broken of a sound request, each in its way. */
const breakages: readonly ((draft: Draft) => fc.Arbitrary<Draft>)[] = [
  (draft) => fc.constant(draft),
  // The body.
  (draft) =>
    draft.body === undefined
      ? fc.constant(draft)
      : mutationsOf(JSON.parse(draft.body) as Json).map((json) => ({
          ...draft,
          body: JSON.stringify(json),
        })),
  (draft) =>
    fc.constantFrom('', '{', '[1,]', '{"a":1,"a":2}', '\ufeff[]').map((body) => ({ ...draft, body })),
  ({ method, template, path, query, headers }) => fc.constant({ method, template, path, query, headers }),
  (draft) =>
    fc
      .constantFrom('text/plain', 'text/csv', 'application/xml', 'application/json; charset=utf-16', '', 'x')
      .map((type) => ({ ...draft, headers: { ...draft.headers, 'content-type': type } })),
  // The query.
  (draft) => fc.tuple(odd, odd).map((extra) => ({ ...draft, query: [...draft.query, extra] })),
  (draft) => fc.constant({ ...draft, query: [...draft.query, ...draft.query] }),
  (draft) => odd.map((value) => ({ ...draft, query: draft.query.map(([name]) => [name, value] as const) })),
  (draft) => fc.constant({ ...draft, query: [['x', LONG_VALUE]] }),
  // The path.
  (draft) =>
    odd.map((value) => ({
      ...draft,
      path: Object.fromEntries(Object.keys(draft.path).map((name) => [name, value])),
    })),
  (draft) => fc.constant({ ...draft, template: `${draft.template}/` }),
  (draft) => fc.constant({ ...draft, template: draft.template.replace(/[^/]+$/, '%FF') }),
  (draft) =>
    fc
      .constantFrom('GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'PURGE')
      .map((method) => ({ ...draft, method })),
  // Headers.
  (draft) =>
    fc
      .constantFrom('', 'wrong', READ_KEY, 'pbk_4qFy2KdM_Vq0hT8nZ3xLw7Rb2Yc5Kd9Jf4Gs6Pa1M0eUj2X')
      .map((key) => ({ ...draft, headers: { ...draft.headers, 'x-api-key': key } })),
  (draft) =>
    fc
      .constantFrom(
        'text/html',
        'text/csv',
        'text/event-stream',
        'application/*;q=0',
        '*/*;q=0.1',
        'nonsense',
      )
      .map((accept) => ({ ...draft, headers: { ...draft.headers, accept } })),
  (draft) =>
    fc
      .constantFrom('gzip', 'br', 'identity', 'zip')
      .map((encoding) => ({ ...draft, headers: { ...draft.headers, 'content-encoding': encoding } })),
];

/** Requests of any operation of the document. */
export const requestsOf = (document: OpenApiDocument): fc.Arbitrary<Draft> => {
  const sound = Object.entries(document.paths).flatMap(([template, operations]) =>
    Object.entries(operations).map(([method, operation]) =>
      soundOf(document, template, method.toUpperCase(), operation),
    ),
  );
  return fc
    .oneof(...sound)
    .chain((draft) =>
      fc.oneof(
        { weight: 1, arbitrary: fc.constant(draft) },
        { weight: 2, arbitrary: fc.constantFrom(...breakages).chain((broken) => broken(draft)) },
      ),
    );
};
