import type { Caller, PriceBooks, Scope } from '@pricebook/application';
import type { Reader } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { Context } from 'koa';
import type { ApiError } from './api-error';
import { readBody } from './body/read-body';

/** A request whose path, key, headers and body have been checked. */
export interface ApiRequest<Body> {
  /** The variables of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Body;
  readonly caller: Caller;
}

/** A success. */
export interface ApiAnswer {
  readonly status: number;
  /** JSON; absent where the answer has no body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Handler<Body> = (
  priceBooks: PriceBooks,
  request: ApiRequest<Body>,
) => TaskEither<ApiError, ApiAnswer>;

/** One operation of the API. */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** The full path, in the form of @koa/router. */
  readonly path: string;
  /** The least scope that a key needs. */
  readonly scope: Scope;
  readonly handle: (
    priceBooks: PriceBooks,
    context: Context,
    request: Omit<ApiRequest<undefined>, 'body'>,
  ) => Promise<E.Either<ApiError, ApiAnswer>>;
}

type RouteTarget = Pick<Route, 'method' | 'path' | 'scope'>;

/** An operation without a body. */
export const route = (target: RouteTarget, handler: Handler<undefined>): Route => ({
  ...target,
  handle: (priceBooks, _context, request) => handler(priceBooks, { ...request, body: undefined })(),
});

/** An operation with a JSON body. */
export const routeWithBody = <Body>(
  target: RouteTarget,
  reader: Reader<Body>,
  handler: Handler<Body>,
): Route => {
  const read = readBody(reader);
  return {
    ...target,
    handle: async (priceBooks, context, request) => {
      const body = await read(context);
      return E.isLeft(body) ? body : handler(priceBooks, { ...request, body: body.right })();
    },
  };
};
