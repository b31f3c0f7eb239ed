/** Readers of what stands in paths and queries. */
import {
  type Currency,
  currencyCodec,
  type PriceBookId,
  priceBookIdCodec,
  type PriceParameters,
  noParameters,
  type ProductId,
  productIdCodec,
  type Reader,
} from '@pricebook/domain';
import { faultsOf } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import type { ApiError } from './api-error';

type Params = Readonly<Record<string, string>>;

const invalid = (detail: string): E.Either<ApiError, never> => E.left({ _tag: 'InvalidParameter', detail });

/** A malformed id is the id of no book: 404. */
export const priceBookIdIn = (params: Params): E.Either<ApiError, PriceBookId> =>
  pipe(
    priceBookIdCodec.decode(params['priceBookId']),
    E.mapLeft(() => ({ _tag: 'PriceBookNotFound' })),
  );

const pathValue = <A>(reader: Reader<A>, name: string, value: string | undefined): E.Either<ApiError, A> =>
  pipe(
    reader.decode(value),
    E.mapLeft((errors) => ({
      _tag: 'InvalidParameter',
      detail: `The ${name} in the path ${faultsOf(errors)[0]?.detail ?? 'is not valid'}.`,
    })),
  );

export const productIdIn = (params: Params): E.Either<ApiError, ProductId> =>
  pathValue(productIdCodec, 'product id', params['productId']);

export const currencyIn = (params: Params): E.Either<ApiError, Currency> =>
  pathValue(currencyCodec, 'currency', params['currency']);

/** All query parameters, for the tables that may need them. */
export const priceParametersIn = (query: URLSearchParams): PriceParameters => {
  if (query.size === 0) return noParameters;
  return new Map([...new Set(query.keys())].map((name) => [name, query.getAll(name)]));
};

/** The one value of a parameter of the request itself; undefined where it is absent. */
const single = (query: URLSearchParams, name: string): E.Either<ApiError, string | undefined> => {
  const values = query.getAll(name);
  return values.length > 1
    ? invalid(`The query parameter "${name}" is given more than once.`)
    : E.right(values[0]);
};

const dateTime =
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

const FIRST_TIME = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_TIME = Date.parse('9999-12-31T23:59:59.999Z');

const isCalendarDay = (year: number, month: number, day: number): boolean => {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
};

/** A time as ISO 8601 in UTC with milliseconds, further digits cut off: events have none. */
const readTime = (text: string): string | undefined => {
  const parts = dateTime.exec(text);
  if (parts === null) return undefined;
  const [year = 0, month = 0, day = 0] = parts.slice(1, 4).map(Number);
  const time = Date.parse(text.toUpperCase());
  if (!isCalendarDay(year, month, day) || Number.isNaN(time)) return undefined;
  // An offset can lead out of the years of four digits, within which times compare as text.
  return new Date(Math.min(Math.max(time, FIRST_TIME), LAST_TIME)).toISOString();
};

/** `at`: the time that a price is asked for, as ISO 8601 in UTC. */
export const timeIn = (query: URLSearchParams): E.Either<ApiError, string | undefined> =>
  pipe(
    single(query, 'at'),
    E.chain((text) => {
      if (text === undefined) return E.right(undefined);
      // A + that was not percent-encoded arrives as a space.
      const time = readTime(text.replace(' ', '+'));
      return time === undefined
        ? invalid(
            'The query parameter "at" must be an ISO 8601 date-time with offset, such as 2026-01-31T12:00:00Z.',
          )
        : E.right(time);
    }),
  );

/** `explain`: whether the answer says how the price came about. */
export const explainIn = (query: URLSearchParams): E.Either<ApiError, boolean> =>
  pipe(
    single(query, 'explain'),
    E.chain((text) =>
      text === undefined || text === 'true' || text === 'false'
        ? E.right(text === 'true')
        : invalid('The query parameter "explain" must be true or false.'),
    ),
  );

/** For operations that take no query parameters. */
export const noQuery = (query: URLSearchParams): E.Either<ApiError, void> => {
  const [name] = query.keys();
  return name === undefined
    ? E.right(undefined)
    : invalid(`The query parameter ${JSON.stringify(name)} is not known here.`);
};
