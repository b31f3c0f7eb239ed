import type { ApiKeys, Caller, PriceBooks, Scope } from '@pricebook/application';
import type { Reader } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { Context } from 'koa';
import type { ApiError } from './api-error';
import type { BodyBudget } from './body/body-budget';
import { collectBody, readBody } from './body/read-body';

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

/** What bodies meet with on their way. */
interface Reception {
  readonly bodies: BodyBudget;
  /** Asked when a body has come: that can take half a minute, in which its key may be revoked or expire. */
  readonly isLetInStill: () => boolean;
}

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
    reception: Reception,
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
      handle: async (useCases, context, request, { bodies, isLetInStill }) => {
        const bytes = await collectBody(context, bodies.coming);
        if (E.isLeft(bytes)) return bytes;
        if (!isLetInStill()) return E.left({ _tag: 'Unauthorized' });
        const giveBack = bodies.take(bytes.right.length);
        if (giveBack === undefined) return E.left({ _tag: 'Overloaded' });
        try {
          const body = read(bytes.right);
          return E.isLeft(body) ? body : await handler(of(useCases), { ...request, body: body.right })();
        } finally {
          giveBack();
        }
      },
    };
  },
});

export const { withoutBody: route, withBody: routeWithBody } = operationsOn(({ priceBooks }) => priceBooks);
export const { withoutBody: keyRoute, withBody: keyRouteWithBody } = operationsOn(({ apiKeys }) => apiKeys);
