/**
 * What stands in paths and queries: each parameter reads its value and says of itself what documents say. Every price
 * comes through here, so each read is plain code; only what tells everything that is wrong at once combines them.
 */
import {
  type Currency,
  currencyCodec,
  dateTimeCodec,
  described,
  didYouMean,
  inWords,
  MAX_FAULTS,
  noDateTime,
  type PriceBookId,
  priceBookIdCodec,
  priceBookKeyCodec,
  type PriceParameters,
  noParameters,
  type ProductId,
  productIdCodec,
  readQuantity,
  readTime,
  type Reader,
  sentenceOf,
  text,
} from '@pricebook/domain';
import { faultsOf } from '@pricebook/domain';
import { sequenceS } from 'fp-ts/Apply';
import * as E from 'fp-ts/Either';
import * as RA from 'fp-ts/ReadonlyArray';
import type { ApiError } from './api-error';
import type { Parameter } from './openapi/operation';
import { problemOf } from './problem';

type Params = Readonly<Record<string, string>>;

const invalidWith = (detail: string): ApiError => ({ _tag: 'InvalidParameter', detail });

export const invalid = (detail: string): E.Either<ApiError, never> => E.left(invalidWith(detail));

export interface PathParameter<A> extends Parameter {
  readonly in: 'path';
  readonly read: (params: Params) => E.Either<ApiError, A>;
}

export interface QueryParameter<A> extends Parameter {
  readonly in: 'query';
  readonly read: (query: URLSearchParams) => E.Either<ApiError, A>;
}

/** Everything that is wrong. That no book can have an id is told where nothing else is. */
const together = E.getApplicativeValidation<ApiError>({
  concat: (first, second) => {
    if (first._tag !== 'InvalidParameter') return second;
    return second._tag === 'InvalidParameter' ? invalidWith(`${first.detail} ${second.detail}`) : first;
  },
});

/** What was read of a request, by name, or everything that is wrong with it at once. */
export const inFull = sequenceS(together);

const noSuchBook: E.Either<ApiError, never> = E.left({ _tag: 'NoPriceBookId' });

/** Begins what names a book by its key: `key=retail-eu`. */
export const BY_KEY = 'key=';

/** A malformed id is the id of no book: 404. Keys have been looked up before: see `onBookInPath`. */
export const priceBookIdInPath: PathParameter<PriceBookId> = {
  in: 'path',
  name: 'priceBookId',
  description:
    'The id of the price book, or `key=` and its key. An id that cannot be one, and a key that no book has, are answered 404.',
  schema: {
    type: 'string',
    pattern:
      '^(?:[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-7[0-9A-Fa-f]{3}-[89ABab][0-9A-Fa-f]{3}-[0-9A-Fa-f]{12}|key=[A-Za-z0-9_-]{1,256})$',
    examples: ['01a1fcf9-f25b-75a0-80fb-5049634a2f84'],
  },
  problems: ['price-book-not-found'],
  read: (params) => {
    const read = priceBookIdCodec.decode(params['priceBookId']);
    return E.isRight(read) ? read : noSuchBook;
  },
};

const pathValue = <A>(reader: Reader<A>, name: string, value: string | undefined): E.Either<ApiError, A> => {
  const read = reader.decode(value);
  return E.isRight(read)
    ? read
    : invalid(sentenceOf(`The ${name} in the path`, faultsOf(read.left)[0]?.detail ?? 'is not valid'));
};

export const productIdInPath: PathParameter<ProductId> = {
  in: 'path',
  name: 'productId',
  description: 'The id of the product, percent-encoded.',
  schema: productIdCodec.schema,
  read: (params) => pathValue(productIdCodec, 'product id', params['productId']),
};

export const currencyInPath: PathParameter<Currency> = {
  in: 'path',
  name: 'currency',
  description: 'The currency of the price.',
  schema: currencyCodec.schema,
  read: (params) => pathValue(currencyCodec, 'currency', params['currency']),
};

const isAmong = (parameters: readonly Parameter[], name: string): boolean =>
  parameters.some((parameter) => parameter.name === name);

/** What the tables of a product may read: see `priceParametersIn`. */
export const tableParameters: readonly Parameter[] = [
  {
    in: 'query',
    name: 'quantity',
    description:
      'For volume tiers, and tables whose `property` is called so: a number above 0. It is checked also where no table needs it.',
    schema: { type: 'number', format: 'double', exclusiveMinimum: 0, default: 1, examples: [10] },
  },
  {
    in: 'query',
    name: 'properties',
    description:
      'What tables ask for, each under the name of their `property`, such as `region=EU`. The value is compared with ' +
      'the values of an enum table, or is a number for a range table. What no table needs is passed over.',
    schema: { type: 'object', additionalProperties: { type: 'string' }, examples: [{ region: 'EU' }] },
    isMany: true,
  },
];

/**
 * All query parameters, for the tables that may need them. The quantity is checked, whether or not one does.
 *
 * @param own those that the operation uses itself.
 */
export const priceParametersIn = (
  query: URLSearchParams,
  own: readonly Parameter[] = [],
): E.Either<ApiError, PriceParameters> => {
  if (query.size === 0) return E.right(noParameters);
  const values = new Map<string, string[]>();
  for (const [name, value] of query) {
    if (isAmong(own, name)) continue;
    const others = values.get(name);
    if (others === undefined) values.set(name, [value]);
    else others.push(value);
  }
  const quantity = readQuantity(values);
  return E.isRight(quantity) ? E.right(values) : invalid(problemOf(quantity.left).problem.detail);
};

const absent = E.right(undefined);

/** The one value of a parameter of the request itself; undefined where it is absent. */
export const single = (query: URLSearchParams, name: string): E.Either<ApiError, string | undefined> => {
  const values = query.getAll(name);
  return values.length > 1
    ? invalid(`The query parameter "${name}" is given more than once.`)
    : E.right(values[0]);
};

/** @param detail what is wrong with the value. */
export const malformed = (name: string, detail: string): E.Either<ApiError, never> =>
  invalid(sentenceOf(`The query parameter "${name}"`, detail));

/** A time, read as ISO 8601 in UTC; undefined where it is absent. */
export const time = (name: string, description: string): QueryParameter<string | undefined> => ({
  in: 'query',
  name,
  description,
  schema: dateTimeCodec.schema,
  read: (query) => {
    const text = single(query, name);
    if (E.isLeft(text) || text.right === undefined) return text;
    // A + that was not percent-encoded arrives as a space.
    const read = readTime(text.right.replace(' ', '+'));
    return read === undefined ? malformed(name, noDateTime(text.right)) : E.right(read);
  },
});

export const at = time(
  'at',
  'The price at that instant: as it was then, everything up to and including that instant, or, in the future, as it is planned.',
);
export const since = time('since', 'Only what happened then or later.');

/** `true` or `false`, in any letter case; false where it is absent. */
export const flag = (name: string, description: string): QueryParameter<boolean> => ({
  in: 'query',
  name,
  description,
  schema: { type: 'boolean', default: false },
  read: (query) => {
    const text = single(query, name);
    if (E.isLeft(text)) return text;
    if (text.right === undefined) return E.right(false);
    // Clients of some languages write True and False.
    const value = text.right.toLowerCase();
    return value === 'true' || value === 'false'
      ? E.right(value === 'true')
      : malformed(name, `must be true or false, not ${inWords(text.right)}`);
  },
});

/** Whether the answer says how the price came about. */
export const explain = flag('explain', '`true` adds `explanation`: how the price came about.');

/** Whether a write is only tried. */
export const dryRun = flag(
  'dryRun',
  '`true` stores nothing: the request is checked as ever, and `preview` in the answer shows which prices it would change.',
);

/** A value that a list is asked about; undefined where it is absent. */
const queried = <A>(name: string, description: string, reader: Reader<A>): QueryParameter<A | undefined> => ({
  in: 'query',
  name,
  description,
  schema: reader.schema,
  read: (query) => {
    const text = single(query, name);
    if (E.isLeft(text)) return text;
    if (text.right === undefined) return absent;
    const read = reader.decode(text.right);
    return E.isRight(read) ? read : malformed(name, faultsOf(read.left)[0]?.detail ?? 'is not valid');
  },
});

export const queriedBase = queried(
  'basePriceBookId',
  'Only books that have this one as their base.',
  priceBookIdCodec,
);
export const queriedKey = queried('key', 'Only the book that has this key.', priceBookKeyCodec);
export const queriedProduct = queried('productId', 'Only what concerns this product.', productIdCodec);
/** Any text: what no product id can begin with finds nothing. */
export const queriedPrefix = queried(
  'productIdPrefix',
  'Only products whose ids begin with this text, code point by code point.',
  described(text('ProductIdPrefix', { min: 1, max: 256 }), { examples: ['lamp-'] }),
);
export const queriedCurrency = queried('currency', 'Only what is in this currency.', currencyCodec);

/** The currency that a list is of. */
export const neededCurrency: QueryParameter<Currency> = {
  ...queried('currency', 'The currency of the prices.', currencyCodec),
  isRequired: true,
  read: (query) => {
    const read = queriedCurrency.read(query);
    if (E.isLeft(read) || read.right !== undefined) return read as E.Either<ApiError, Currency>;
    return invalid('The query parameter "currency" is missing: it says which prices are listed.');
  },
};

/** The product id in a cursor. */
export const productPlaceIn = (text: string): ProductId | undefined => {
  const read = productIdCodec.decode(text);
  return E.isRight(read) ? read.right : undefined;
};

/** The book id in a cursor: it is there as it is answered. */
export const bookPlaceIn = (text: string): PriceBookId | undefined => {
  const read = priceBookIdCodec.decode(text);
  return E.isRight(read) && read.right === text ? read.right : undefined;
};

/** Part of a name; undefined where it is absent. */
export const queriedName: QueryParameter<string | undefined> = {
  in: 'query',
  name: 'name',
  description: 'Only what has this as part of its name, in any letter case.',
  schema: { type: 'string', examples: ['retail'] },
  read: (query) => single(query, 'name'),
};

const unknown = (given: readonly string[], known: readonly Parameter[]): E.Either<ApiError, never> => {
  const names = known.filter(({ isMany }) => isMany !== true).map((parameter) => parameter.name);
  const others = names.length < known.length ? ' and what tables ask for' : '';
  const takes = known.length === 0 ? 'none is' : `known are: ${names.join(', ')}${others}`;
  const faults = [...new Set(given)]
    .slice(0, MAX_FAULTS)
    .map((name) =>
      sentenceOf(
        `The query parameter ${inWords(name)}`,
        `is not known here; ${takes}${didYouMean(name, names)}`,
      ),
    );
  return invalid(faults.join(' '));
};

/** For requests that take just these query parameters. */
const onlyQuery = (query: URLSearchParams, known: readonly Parameter[]): E.Either<ApiError, void> => {
  if (query.size === 0) return E.right(undefined);
  const names = [...query.keys()].filter((key) => !isAmong(known, key));
  return names.length === 0 ? E.right(undefined) : unknown(names, known);
};

/** For requests that take any query parameters but these, such as the known ones. */
export const notQuery = (
  query: URLSearchParams,
  not: readonly Parameter[],
  known: readonly Parameter[],
): E.Either<ApiError, void> => {
  const names = not.filter(({ name }) => query.has(name)).map(({ name }) => name);
  return names.length === 0 ? E.right(undefined) : unknown(names, known);
};

const isRead = (parameter: Parameter): parameter is QueryParameter<unknown> => 'read' in parameter;

/** Lets through the queries of an operation that takes these parameters: any, where one stands for any number. */
export const queryCheck = (
  parameters: readonly Parameter[],
): ((query: URLSearchParams) => E.Either<ApiError, unknown>) => {
  const known = parameters.filter((parameter) => parameter.in === 'query');
  const isOpen = known.some(({ isMany }) => isMany === true);
  const read = known.filter(isRead);
  return (query) => {
    const names = isOpen ? E.right(undefined) : onlyQuery(query, known);
    // Values are read by the operation. Where that is not reached, what is wrong with them is told here.
    return E.isRight(names)
      ? names
      : RA.sequence(together)([names, ...read.map((parameter) => parameter.read(query))]);
  };
};
