/** The HTTP API as a Koa application: an adapter that drives the use cases. */
import Router from '@koa/router';
import { type Keyring, type Principal, type Readiness, type Scope, SCOPES } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import Koa, { type Context, type Middleware } from 'koa';
import type { Logger } from 'pino';
import type { ApiError } from './api-error';
import { REVALIDATE } from './answer-headers';
import { createBodyBudget } from './body/body-budget';
import { namesTag, revisionsOf } from './entity-tag';
import { clientAddressOf } from './limits/client-address';
import { createKeyLimit } from './limits/key-limit';
import { createStrangers } from './limits/strangers';
import { loggedPath } from './logged-path';
import { createOperations } from './operations';
import { internalProblem, problemOf } from './problem';
import { requestIdOf } from './request-id';
import type { ApiAnswer, Route, UseCases } from './route';
import { apiRoutes } from './routes';
import { sendProblem, unroutedError } from './send-problem';
import { logUnsent } from './unsent';

export interface HttpAppParts extends UseCases {
  readonly keyring: Keyring;
  readonly readiness: () => Promise<Readiness>;
  readonly logger: Logger;
  readonly newRequestId: () => string;
  /** Whether the service stops: connections are not kept alive any more. */
  readonly isStopping: () => boolean;
  /** Requests a second that a key may make, and as many at once; 0 for any number. */
  readonly rateLimit?: number;
  /** How many proxies before the service are believed when they tell the address of a client. */
  readonly trustedProxies?: number;
}

interface RequestState {
  requestId: string;
  /** Whether it gets no line in the log, since there are too many like it. */
  isQuiet?: boolean;
  principal: Principal;
}

type ApiContext = Context & { readonly state: RequestState };

const API = '/v1';
/** Twice what a product id of 256 characters can take, percent-encoded. */
const MAX_URL_CHARACTERS = 8_192;
const isApi = (path: string): boolean => path === API || path.startsWith(`${API}/`);

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
  rateLimit = 0,
  trustedProxies = 0,
}: HttpAppParts): Koa => {
  const useCases: UseCases = { priceBooks, apiKeys };
  const bodies = createBodyBudget();
  const keyLimit = rateLimit === 0 ? undefined : createKeyLimit(rateLimit);
  const strangers = createStrangers(logger);
  const operations = createOperations(readiness);

  const refuse = (context: ApiContext, error: ApiError): void => {
    if (isInternal(error)) logger.error({ requestId: context.state.requestId, error }, 'a request failed');
    sendProblem(context, context.state.requestId, problemOf(error));
  };

  /** Refuses who brings no valid key: with the error, as long as there are not too many of them. */
  const turnAway = (context: ApiContext, error: ApiError): void => {
    const secondsToWait = strangers.secondsToWait(clientAddressOf(context.req, trustedProxies));
    if (secondsToWait === undefined) {
      refuse(context, error);
      return;
    }
    context.state.isQuiet = true;
    refuse(context, { _tag: 'TooManyRequests', secondsToWait, of: 'address' });
  };

  /** Outermost: gives each request its id, one line in the log, and an answer whatever happens. */
  const attend: Middleware<RequestState> = async (context, next) => {
    const started = performance.now();
    const requestId = requestIdOf(context.get('x-request-id'), newRequestId);
    context.state.requestId = requestId;
    context.set('x-request-id', requestId);
    try {
      await next();
      const unrouted = unroutedError(context);
      if (unrouted !== undefined) (isApi(context.path) ? refuse : turnAway)(context, unrouted);
    } catch (defect) {
      logger.error({ requestId, err: defect }, 'a request met a defect');
      sendProblem(context, requestId, internalProblem);
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
    if (context.state.isQuiet === true) return;
    const principal = context.state.principal as Principal | undefined;
    // Probes ask for health all the time, and so may anyone.
    const level = principal === undefined && context.status < 400 ? 'debug' : 'info';
    logger[level](
      {
        requestId,
        method: context.method,
        path: loggedPath(context.path),
        status: context.status,
        ms: Math.round(ms * 100) / 100,
        keyId: principal?.keyId,
      },
      'request',
    );
  };

  const authenticate: Middleware<RequestState> = (context, next) => {
    if (!isApi(context.path)) return next();
    const principal = keyring.authenticate(context.get('x-api-key'));
    if (principal === undefined) {
      turnAway(context, { _tag: 'Unauthorized' });
      return Promise.resolve();
    }
    context.state.principal = principal;
    if (keyLimit !== undefined) {
      const { isAdmitted, secondsToWait, headers } = keyLimit.admit(principal.keyId);
      context.set({ ...headers });
      if (!isAdmitted) {
        refuse(context, { _tag: 'TooManyRequests', secondsToWait, of: 'key' });
        return Promise.resolve();
      }
    }
    if (context.url.length > MAX_URL_CHARACTERS) {
      refuse(context, { _tag: 'UriTooLong', maxCharacters: MAX_URL_CHARACTERS });
      return Promise.resolve();
    }
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
    const request = {
      params: context.params as Readonly<Record<string, string>>,
      query: new URLSearchParams(context.querystring),
      caller: {
        actor: principal.keyId,
        requestId,
        expectedRevisions: revisionsOf(context.get('if-match')),
      },
    };
    const isLetInStill = (): boolean => keyring.authenticate(context.get('x-api-key')) !== undefined;
    return handle(useCases, context, request, { bodies, isLetInStill });
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
      const tag = context.res.getHeader('etag');
      if (route.method !== 'get' || typeof tag !== 'string') return;
      context.set('Cache-Control', REVALIDATE);
      if (namesTag(context.get('if-none-match'), tag)) context.status = 304;
    });
  }
  router.use(operations.routes.routes());

  const app = new Koa();
  logUnsent(app, logger);
  app.use(attend).use(authenticate).use(router.routes()).use(router.allowedMethods());
  return app;
};
