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
  readTime,
  type Reader,
} from '@pricebook/domain';
import { faultsOf } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import type { ApiError } from './api-error';

type Params = Readonly<Record<string, string>>;

export const invalid = (detail: string): E.Either<ApiError, never> =>
  E.left({ _tag: 'InvalidParameter', detail });

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

/**
 * All query parameters, for the tables that may need them.
 *
 * @param own those that the operation uses itself.
 */
export const priceParametersIn = (query: URLSearchParams, own: readonly string[] = []): PriceParameters => {
  if (query.size === 0) return noParameters;
  const values = new Map<string, string[]>();
  for (const [name, value] of query) {
    if (own.includes(name)) continue;
    const others = values.get(name);
    if (others === undefined) values.set(name, [value]);
    else others.push(value);
  }
  return values;
};

/** The one value of a parameter of the request itself; undefined where it is absent. */
export const single = (query: URLSearchParams, name: string): E.Either<ApiError, string | undefined> => {
  const values = query.getAll(name);
  return values.length > 1
    ? invalid(`The query parameter "${name}" is given more than once.`)
    : E.right(values[0]);
};

/** A time, as ISO 8601 in UTC: by default `at`, for which a price is asked. */
export const timeIn = (query: URLSearchParams, name = 'at'): E.Either<ApiError, string | undefined> =>
  pipe(
    single(query, name),
    E.chain((text) => {
      if (text === undefined) return E.right(undefined);
      // A + that was not percent-encoded arrives as a space.
      const time = readTime(text.replace(' ', '+'));
      return time === undefined
        ? invalid(
            `The query parameter "${name}" must be an ISO 8601 date-time with offset, such as 2026-01-31T12:00:00Z.`,
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

/** `productId`: a product that a list is asked about; undefined where it is absent. */
export const queriedProductIn = (query: URLSearchParams): E.Either<ApiError, ProductId | undefined> =>
  pipe(
    single(query, 'productId'),
    E.chain((text): E.Either<ApiError, ProductId | undefined> => {
      if (text === undefined) return E.right(undefined);
      const read = productIdCodec.decode(text);
      return E.isRight(read)
        ? read
        : invalid(`The query parameter "productId" ${faultsOf(read.left)[0]?.detail ?? 'is not valid'}.`);
    }),
  );

const unknown = (name: string): E.Either<ApiError, never> =>
  invalid(`The query parameter ${JSON.stringify(name)} is not known here.`);

/** For operations that take just these query parameters. */
export const onlyQuery = (query: URLSearchParams, known: readonly string[]): E.Either<ApiError, void> => {
  const name = [...query.keys()].find((key) => !known.includes(key));
  return name === undefined ? E.right(undefined) : unknown(name);
};

/** For operations that take no query parameters. */
export const noQuery = (query: URLSearchParams): E.Either<ApiError, void> => onlyQuery(query, []);

/** For operations that take any query parameters but these. */
export const notQuery = (query: URLSearchParams, names: readonly string[]): E.Either<ApiError, void> => {
  const name = names.find((one) => query.has(one));
  return name === undefined ? E.right(undefined) : unknown(name);
};
