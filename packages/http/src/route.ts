import type { ApiKeys, Caller, PriceBooks, Scope } from '@pricebook/application';
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

/** All that operations do. */
export interface UseCases {
  readonly priceBooks: PriceBooks;
  readonly apiKeys: ApiKeys;
}

type Handler<Uses, Body> = (uses: Uses, request: ApiRequest<Body>) => TaskEither<ApiError, ApiAnswer>;

/** One operation of the API. */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** The full path, in the form of @koa/router. */
  readonly path: string;
  /** The least scope that a key needs. */
  readonly scope: Scope;
  readonly handle: (
    useCases: UseCases,
    context: Context,
    request: Omit<ApiRequest<undefined>, 'body'>,
  ) => Promise<E.Either<ApiError, ApiAnswer>>;
}

type RouteTarget = Pick<Route, 'method' | 'path' | 'scope'>;

/** Operations that need some of the use cases. */
const operationsOn = <Uses>(of: (useCases: UseCases) => Uses) => ({
  /** An operation without a body. */
  withoutBody: (target: RouteTarget, handler: Handler<Uses, undefined>): Route => ({
    ...target,
    handle: (useCases, _context, request) => handler(of(useCases), { ...request, body: undefined })(),
  }),

  /** An operation with a JSON body. */
  withBody: <Body>(target: RouteTarget, reader: Reader<Body>, handler: Handler<Uses, Body>): Route => {
    const read = readBody(reader);
    return {
      ...target,
      handle: async (useCases, context, request) => {
        const body = await read(context);
        return E.isLeft(body) ? body : handler(of(useCases), { ...request, body: body.right })();
      },
    };
  },
});

export const { withoutBody: route, withBody: routeWithBody } = operationsOn(({ priceBooks }) => priceBooks);
export const { withoutBody: keyRoute, withBody: keyRouteWithBody } = operationsOn(({ apiKeys }) => apiKeys);
