/** A request and its answer against the document: whatever is not documented is a fault. */
import { createValidator } from '@pricebook/domain/testing';
import type { ValidateFunction } from 'ajv';
import {
  type DocumentOperation,
  type DocumentResponse,
  methodsOf,
  type OpenApiDocument,
  pathFinder,
  resolved,
} from './document';

interface SentRequest {
  readonly method: string;
  /** With its query. */
  readonly target: string;
  /** Parsed, where it is JSON; undefined otherwise. */
  readonly json?: unknown;
}

interface ReceivedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Of HTTP and of connections, or the same on every answer, as the description of the document says. */
const GO_WITHOUT_SAYING = new Set([
  'allow',
  'connection',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'content-type',
  'cross-origin-resource-policy',
  'date',
  'keep-alive',
  'referrer-policy',
  'transfer-encoding',
  'vary',
  'x-accel-buffering',
  'x-content-type-options',
]);

/** What is answered before it is known which operation is asked for. */
const UNROUTED = [400, 401, 404, 405, 408, 414, 429, 431];

/** Any of those that operations answer, whose schemas are alike but for these two. */
const problemIn = ({ components }: OpenApiDocument): object => {
  const one = components['schemas']?.['InternalProblem'] as { readonly properties: object };
  return { ...one, properties: { ...one.properties, type: { type: 'string' }, status: { type: 'integer' } } };
};

const mediaTypeOf = (headers: Headers): string => (headers.get('content-type') ?? '').split(';')[0] ?? '';

/**
 * The document leaves room in answers for fields that are added later. None is there now, so one that is not
 * documented is a fault.
 */
const closed = (document: OpenApiDocument): OpenApiDocument =>
  JSON.parse(JSON.stringify(document), (_key, value: unknown) => {
    const isOpen =
      typeof value === 'object' &&
      value !== null &&
      'type' in value &&
      value.type === 'object' &&
      'properties' in value &&
      !('additionalProperties' in value);
    return isOpen ? { ...value, additionalProperties: false } : value;
  }) as OpenApiDocument;

/** @returns what is wrong, in sentences; none where all is documented. */
export type ExchangeCheck = (request: SentRequest, answer: ReceivedAnswer) => readonly string[];

export const createExchangeCheck = (served: OpenApiDocument): ExchangeCheck => {
  const document = closed(served);
  const ajv = createValidator().addSchema(document, 'document');
  const findPath = pathFinder(document);
  const problem = problemIn(document);
  const validators = new Map<object, ValidateFunction>();

  /** Parts of the document refer to each other as if they stood in it. */
  const validatorOf = (schema: object): ValidateFunction => {
    const there = validators.get(schema);
    if (there !== undefined) return there;
    const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/');
    const made = ajv.compile(JSON.parse(text) as object);
    validators.set(schema, made);
    return made;
  };

  const faultIn = (what: string, schema: object, value: unknown): readonly string[] => {
    const validate = validatorOf(schema);
    return validate(value)
      ? []
      : [`${what} is not as documented: ${ajv.errorsText(validate.errors)}; it is ${JSON.stringify(value)}`];
  };

  const headerFaults = (response: DocumentResponse, headers: Headers): readonly string[] => {
    const documented = Object.entries(response.headers ?? {}).map(
      ([name, header]) => [name.toLowerCase(), resolved(document, header)] as const,
    );
    const names = documented.map(([name]) => name);
    const unknown = [...headers.keys()].filter(
      (name) => !names.includes(name) && !GO_WITHOUT_SAYING.has(name),
    );
    return [
      ...unknown.map((name) => `the header ${name} is not documented`),
      ...documented.flatMap(([name, { required = false, schema }]) => {
        const value = headers.get(name);
        if (value === null) return required ? [`the header ${name} is missing`] : [];
        return faultIn(`the header ${name}`, schema, value);
      }),
    ];
  };

  const bodyFaults = (
    { content = {} }: DocumentResponse,
    { headers, body }: ReceivedAnswer,
    isHead: boolean,
  ): readonly string[] => {
    const type = mediaTypeOf(headers);
    if (Object.keys(content).length === 0) return body === '' ? [] : ['a body is not documented'];
    const documented = content[type];
    if (documented === undefined) return [`the type ${type} is not documented`];
    return isHead ? [] : faultIn('the body', documented.schema, body);
  };

  /** What was carried out has to be something that the document allows. */
  const requestFaults = (
    { parameters, requestBody }: DocumentOperation,
    { target, json }: SentRequest,
  ): readonly string[] => {
    const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    // What operations without query parameters are sent there they pass over.
    const isOpen = names.length === 0 || parameters.some(({ explode }) => explode === true);
    const asked = [...new URLSearchParams(target.split('?')[1] ?? '').keys()];
    const body = requestBody?.content['application/json'];
    return [
      ...(isOpen ? [] : asked.filter((name) => !names.includes(name))).map(
        (name) => `the query parameter ${name} is taken, and not documented`,
      ),
      ...(body === undefined || json === undefined
        ? []
        : faultIn('the body that was taken', body.schema, json)),
    ];
  };

  const unroutedFaults = (
    method: string,
    methods: readonly string[],
    { status, headers, body }: ReceivedAnswer,
  ): readonly string[] => {
    const isOptions = method === 'OPTIONS' && status === 200;
    const allow = (headers.get('allow') ?? '').split(', ').sort();
    return [
      ...((isOptions || status === 405) && allow.join() !== methods.join()
        ? [`Allow is ${allow.join()}, not ${methods.join()}`]
        : []),
      ...(isOptions || UNROUTED.includes(status) ? [] : [`${String(status)} is not documented`]),
      ...(isOptions || body === '' ? [] : faultIn('the problem', problem, body)),
    ];
  };

  return (request, answer) => {
    const found = findPath(request.target.split('?')[0] ?? '');
    if (found === undefined) {
      return answer.status < 400
        ? ['the path is not documented']
        : unroutedFaults(request.method, [], answer);
    }
    const isHead = request.method === 'HEAD';
    const operation = found.operations[isHead ? 'get' : request.method.toLowerCase()];
    if (operation === undefined) return unroutedFaults(request.method, methodsOf(found), answer);
    const response = operation.responses[String(answer.status)];
    if (response === undefined) return [`the status ${String(answer.status)} is not documented`];
    const documented = resolved(document, response);
    return [
      ...headerFaults(documented, answer.headers),
      // The body of the answer to a HEAD stays away, and its type with it where it is a problem of a part of it.
      ...(isHead && answer.body === '' ? [] : bodyFaults(documented, answer, isHead)),
      ...(answer.status < 300 ? requestFaults(operation, request) : []),
    ];
  };
};
