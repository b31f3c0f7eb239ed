/** The HTTP API as a Koa application: an adapter that drives the use cases. */
import Router from '@koa/router';
import { type Keyring, type Principal, type Readiness, type Scope, SCOPES } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import Koa, { type Context, type Middleware } from 'koa';
import type { Logger } from 'pino';
import type { ApiError } from './api-error';
import { createBodyBudget } from './body/body-budget';
import { namesTag, revisionsOf } from './entity-tag';
import { createOperations } from './operations';
import { internalProblem, problemOf, type ProblemAnswer } from './problem';
import { requestIdOf } from './request-id';
import type { ApiAnswer, Route, UseCases } from './route';
import { apiRoutes } from './routes';

export interface HttpAppParts extends UseCases {
  readonly keyring: Keyring;
  readonly readiness: () => Promise<Readiness>;
  readonly logger: Logger;
  readonly newRequestId: () => string;
  /** Whether the service stops: connections are not kept alive any more. */
  readonly isStopping: () => boolean;
}

interface RequestState {
  requestId: string;
  principal: Principal;
}

type ApiContext = Context & { readonly state: RequestState };

const API = '/v1';

const send = (context: Context, { status, body, headers = {} }: ApiAnswer): void => {
  context.set({ ...headers });
  context.status = status;
  if (body === undefined) {
    context.body = null;
    context.status = status;
    return;
  }
  context.type = 'application/json';
  context.body = JSON.stringify(body);
};

const sendProblem = (context: ApiContext, { problem, headers }: ProblemAnswer): void => {
  context.set({ ...headers });
  context.status = problem.status;
  context.type = 'application/problem+json';
  context.body = JSON.stringify({ ...problem, requestId: context.state.requestId });
};

/** What only operators may know of an error. */
const isInternal = (error: ApiError): boolean =>
  error._tag === 'StoreUnavailable' || error._tag === 'StoreDamaged' || error._tag === 'UndecodableEvent';

/** A larger scope includes the smaller ones. */
const mayAct = (scopes: readonly Scope[], needed: Scope): boolean =>
  scopes.some((scope) => SCOPES.indexOf(scope) >= SCOPES.indexOf(needed));

const isDecodable = (path: string): boolean => {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
};

export const createHttpApp = ({
  priceBooks,
  apiKeys,
  keyring,
  readiness,
  logger,
  newRequestId,
  isStopping,
}: HttpAppParts): Koa => {
  const useCases: UseCases = { priceBooks, apiKeys };
  const bodies = createBodyBudget();
  const operations = createOperations(readiness);

  const refuse = (context: ApiContext, error: ApiError): void => {
    if (isInternal(error)) logger.error({ requestId: context.state.requestId, error }, 'a request failed');
    sendProblem(context, problemOf(error));
  };

  /** Outermost: gives each request its id, one line in the log, and an answer whatever happens. */
  const attend: Middleware<RequestState> = async (context, next) => {
    const started = performance.now();
    const requestId = requestIdOf(context.get('x-request-id'), newRequestId);
    context.state.requestId = requestId;
    context.set('x-request-id', requestId);
    try {
      await next();
      // The router sets these without a body where a path, or a method of it, is unknown.
      if (context.status === 404 && (context.body === undefined || context.body === null))
        refuse(context, { _tag: 'NoSuchRoute' });
      if (context.status === 405 || context.status === 501) {
        refuse(context, { _tag: 'MethodNotAllowed', allow: context.response.get('Allow') });
      }
    } catch (defect) {
      logger.error({ requestId, err: defect }, 'a request met a defect');
      sendProblem(context, internalProblem);
    }
    if (isStopping()) context.set('Connection', 'close');
    const ms = performance.now() - started;
    operations.countRequest({
      method: context.method,
      // The router leaves it here.
      route: (context['_matchedRoute'] as string | undefined) ?? 'none',
      status: context.status,
      seconds: ms / 1_000,
    });
    const principal = context.state.principal as Principal | undefined;
    logger.info(
      {
        requestId,
        method: context.method,
        path: context.path,
        status: context.status,
        ms: Math.round(ms * 100) / 100,
        keyId: principal?.keyId,
      },
      'request',
    );
  };

  const authenticate: Middleware<RequestState> = (context, next) => {
    if (context.path !== API && !context.path.startsWith(`${API}/`)) return next();
    const principal = keyring.authenticate(context.get('x-api-key'));
    if (principal === undefined) {
      refuse(context, { _tag: 'Unauthorized' });
      return Promise.resolve();
    }
    context.state.principal = principal;
    return next();
  };

  const serve = async (
    { scope, handle }: Route,
    context: ApiContext,
  ): Promise<E.Either<ApiError, ApiAnswer>> => {
    const { principal, requestId } = context.state;
    if (!mayAct(principal.scopes, scope)) return E.left({ _tag: 'Forbidden', scope });
    if (context.accepts('application/json') === false) return E.left({ _tag: 'NotAcceptable' });
    if (!isDecodable(context.path)) {
      return E.left({ _tag: 'InvalidParameter', detail: 'The path is not percent-encoded UTF-8.' });
    }
    const giveBack = bodies.take(context.headers);
    if (giveBack === undefined) return E.left({ _tag: 'Overloaded' });
    try {
      return await handle(useCases, context, {
        params: context.params as Readonly<Record<string, string>>,
        query: new URLSearchParams(context.querystring),
        caller: {
          actor: principal.keyId,
          requestId,
          expectedRevisions: revisionsOf(context.get('if-match')),
        },
      });
    } finally {
      giveBack();
    }
  };

  const router = new Router<RequestState>({ sensitive: true, strict: true });
  for (const route of apiRoutes) {
    router[route.method](route.path, async (context) => {
      const result = await serve(route, context);
      if (E.isLeft(result)) {
        refuse(context, result.left);
        return;
      }
      send(context, result.right);
      const tag = context.response.get('etag');
      const isRead = route.method === 'get' && tag !== '';
      if (isRead && namesTag(context.get('if-none-match'), tag)) context.status = 304;
    });
  }
  router.use(operations.routes.routes());

  const app = new Koa();
  app.on('error', (error: unknown) => {
    // Koa reports here what goes wrong after the answer has begun, such as a client that hangs up.
    logger.warn({ err: error }, 'an answer could not be sent');
  });
  app.use(attend).use(authenticate).use(router.routes()).use(router.allowedMethods());
  return app;
};
