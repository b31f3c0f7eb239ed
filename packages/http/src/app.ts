/** The HTTP API as a Koa application: an adapter that drives the use cases. */
import Router from '@koa/router';
import {
  type Clock,
  type Keyring,
  type Principal,
  type Readiness,
  type Scope,
  SCOPES,
} from '@pricebook/application';
import * as E from 'fp-ts/Either';
import Koa, { type Context, type Middleware } from 'koa';
import type { Logger } from 'pino';
import type { ApiError } from './api-error';
import { REVALIDATE } from './answer-headers';
import { createBodyBudget } from './body/body-budget';
import { compressBody, compressibleIn, compressStream } from './compression';
import { createCrossOrigin } from './cross-origin';
import { revisionsOf } from './entity-tag';
import { clientAddressOf } from './limits/client-address';
import { createFollowers, type FollowerLimits } from './limits/followers';
import { createKeyLimit } from './limits/key-limit';
import { createStrangers } from './limits/strangers';
import { loggedPath } from './logged-path';
import { JSON_ALONE, JSON_TYPE, negotiate } from './media-types';
import { answerNotModified } from './not-modified';
import { createOperations, type WebhookFigures } from './operations';
import { routerOf } from './open-route';
import { documentRoute } from './openapi/document-route';
import { deprecationHeaders } from './openapi/deprecation';
import { answersWithBody } from './openapi/operation';
import { pages } from './pages/pages';
import { undecodableIn } from './percent-encoding';
import type { PriceCaching } from './price-cache';
import { internalProblem, problemOf } from './problem';
import { requestIdOf } from './request-id';
import type { ApiAnswer, Route, UseCases } from './route';
import { apiRoutes, frequentRoutes } from './routes';
import { sendProblem, unroutedError } from './send-problem';
import { createStreams, type StreamedBody } from './streams';
import { logUnsent } from './unsent';

export interface HttpAppParts extends UseCases {
  readonly keyring: Keyring;
  readonly readiness: () => Promise<Readiness>;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly newRequestId: () => string;
  /** Aborted when the service stops: connections are not kept alive any more, and nobody is followed. */
  readonly stopping: AbortSignal;
  /** Requests a second that a key may make, and as many at once; 0 for any number. */
  readonly rateLimit?: number;
  /** How many proxies before the service are believed when they tell the address of a client. */
  readonly trustedProxies?: number;
  readonly followerLimits?: FollowerLimits | undefined;
  readonly webhookFigures?: () => WebhookFigures;
  /** The origins whose pages may read answers in browsers. */
  readonly allowedOrigins?: readonly string[];
  /** What caches may do with single prices; not to store them where absent. */
  readonly priceCaching?: PriceCaching;
  /** Where the built console is; that of this checkout or container where absent. */
  readonly consoleFolder?: string;
  /** All operations of the API, unless a test has its own. */
  readonly routes?: readonly Route[];
}

interface RequestState {
  requestId: string;
  /** Whether it gets no line in the log, since there are too many like it. */
  isQuiet?: boolean;
  /** The body, where it is still to be made. */
  stream?: StreamedBody | undefined;
  principal: Principal;
}

type ApiContext = Context & { readonly state: RequestState };

const API = '/v1';
/** Twice what a product id of 256 characters can take, percent-encoded. */
const MAX_URL_CHARACTERS = 8_192;
const isApi = (path: string): boolean => path === API || path.startsWith(`${API}/`);

/** The value of a header of a request; empty where it is absent. */
const headerOf = ({ req }: Context, name: string): string => {
  const value = req.headers[name];
  return typeof value === 'string' ? value : '';
};

/** Past the shorthands of Koa's context, which cost more than what they stand for. */
const send = (context: ApiContext, { status, body, stream, headers = {}, vary }: ApiAnswer): void => {
  const { res, response, state } = context;
  // First of all, so that it is given back what it holds where anything else fails.
  state.stream = stream;
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
  if (vary !== undefined) context.vary(vary);
  response.status = status;
  if (stream !== undefined) return;
  if (body === undefined) {
    response.body = null;
    response.status = status;
    return;
  }
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.body = JSON.stringify(body);
};

/** What only operators may know of an error. */
const isInternal = (error: ApiError): boolean =>
  error._tag === 'StoreUnavailable' || error._tag === 'StoreDamaged' || error._tag === 'UndecodableEvent';

/** A larger scope includes the smaller ones. */
const mayAct = (scopes: readonly Scope[], needed: Scope): boolean =>
  scopes.some((scope) => SCOPES.indexOf(scope) >= SCOPES.indexOf(needed));

export const createHttpApp = ({
  priceBooks,
  apiKeys,
  selectionRules,
  webhooks,
  keyring,
  readiness,
  logger,
  clock,
  newRequestId,
  stopping,
  rateLimit = 0,
  trustedProxies = 0,
  followerLimits,
  webhookFigures,
  allowedOrigins = [],
  priceCaching = 'no-store',
  consoleFolder,
  routes = apiRoutes,
}: HttpAppParts): Koa => {
  const useCases: UseCases = { priceBooks, apiKeys, selectionRules, webhooks };
  const bodies = createBodyBudget();
  const keyLimit = rateLimit === 0 ? undefined : createKeyLimit(rateLimit);
  const strangers = createStrangers(logger);
  const crossOrigin = allowedOrigins.length === 0 ? undefined : createCrossOrigin(allowedOrigins);
  const streams = createStreams(logger);
  const followers = createFollowers(stopping, followerLimits);
  const operations = createOperations(readiness, { countFollowers: followers.count, webhookFigures });

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

  /** Whether the request may go on; else it has been refused. */
  const admit = (context: ApiContext): boolean => {
    if (!isApi(context.request.path)) return true;
    const principal = keyring.authenticate(headerOf(context, 'x-api-key'));
    if (principal === undefined) {
      turnAway(context, { _tag: 'Unauthorized' });
      return false;
    }
    context.state.principal = principal;
    if (keyLimit !== undefined) {
      const { isAdmitted, secondsToWait, headers } = keyLimit.admit(principal.keyId);
      context.set({ ...headers });
      if (!isAdmitted) {
        refuse(context, { _tag: 'TooManyRequests', secondsToWait, of: 'key' });
        return false;
      }
    }
    if (context.request.url.length > MAX_URL_CHARACTERS) {
      refuse(context, { _tag: 'UriTooLong', maxCharacters: MAX_URL_CHARACTERS });
      return false;
    }
    return true;
  };

  /** One line in the log, and the figures. */
  const account = (context: ApiContext, started: number): void => {
    const { method } = context.request;
    const { status } = context.response;
    const ms = performance.now() - started;
    operations.countRequest({
      method,
      // The router leaves it here.
      route: (context['_matchedRoute'] as string | undefined) ?? 'none',
      status,
      seconds: ms / 1_000,
    });
    const { requestId, isQuiet } = context.state;
    const principal = context.state.principal as Principal | undefined;
    // Probes ask for health all the time, and so may anyone.
    const level = principal === undefined && status < 400 ? 'debug' : 'info';
    if (isQuiet === true || !logger.isLevelEnabled(level)) return;
    logger[level](
      {
        requestId,
        method,
        path: loggedPath(context.request.path),
        status,
        ms: Math.round(ms * 100) / 100,
        keyId: principal?.keyId,
      },
      'request',
    );
  };

  /** Outermost: gives each request its id, asks for its key, and sees to an answer whatever happens. */
  const attend: Middleware<RequestState> = async (context, next) => {
    const started = performance.now();
    const requestId = requestIdOf(headerOf(context, 'x-request-id'), newRequestId);
    context.state.requestId = requestId;
    context.res.setHeader('x-request-id', requestId);
    try {
      if ((crossOrigin === undefined || (await crossOrigin(context))) && admit(context)) {
        await next();
        const unrouted = unroutedError(context, router, 'with docs');
        if (unrouted !== undefined) (isApi(context.path) ? refuse : turnAway)(context, unrouted);
      }
      const content = compressibleIn(context);
      if (content !== undefined) await compressBody(context, content);
    } catch (defect) {
      logger.error({ requestId, err: defect }, 'a request met a defect');
      context.state.stream?.pieces(AbortSignal.abort());
      context.state.stream = undefined;
      sendProblem(context, requestId, internalProblem);
    }
    if (stopping.aborted) context.set('Connection', 'close');
    // Of a stream this is the time until it begins: how long it lasts is up to its client.
    account(context, started);
    const { stream } = context.state;
    if (stream !== undefined) streams.begin(context, requestId, compressStream(context, stream));
  };

  /** @param offers the media types that a success can have; empty where it has no body. */
  const serve = async (
    { scope, handle }: Route,
    offers: readonly string[],
    context: ApiContext,
  ): Promise<E.Either<ApiError, ApiAnswer>> => {
    const { principal, requestId } = context.state;
    if (!mayAct(principal.scopes, scope)) return E.left({ _tag: 'Forbidden', scope });
    const mediaType = offers.length === 0 ? JSON_TYPE : negotiate(context, offers);
    if (mediaType === undefined) return E.left({ _tag: 'NotAcceptable', offered: offers });
    const { path, querystring } = context.request;
    const undecodable = undecodableIn(path, querystring);
    if (undecodable !== undefined) {
      return E.left({ _tag: 'InvalidParameter', detail: `The ${undecodable} is not percent-encoded UTF-8.` });
    }
    const request = {
      params: context.params as Readonly<Record<string, string>>,
      query: new URLSearchParams(querystring),
      headers: context.req.headers,
      mediaType,
      body: undefined,
      caller: {
        actor: principal.keyId,
        requestId,
        expectedRevisions: revisionsOf(headerOf(context, 'if-match')),
      },
    };
    const isLetInStill = (): boolean => keyring.authenticate(headerOf(context, 'x-api-key')) !== undefined;
    return handle(useCases, context, request, { bodies, followers, isLetInStill, clock, priceCaching });
  };

  const frequent = new Router<RequestState>({ sensitive: true, strict: true });
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  for (const route of routes) {
    const offers = answersWithBody(route) ? (route.offers ?? JSON_ALONE) : [];
    const deprecated = route.deprecation === undefined ? undefined : deprecationHeaders(route.deprecation);
    const answer = async (context: ApiContext): Promise<void> => {
      if (route.offers !== undefined) context.vary('Accept');
      if (deprecated !== undefined) context.set(deprecated);
      const result = await serve(route, offers, context);
      if (E.isLeft(result)) {
        refuse(context, result.left);
        return;
      }
      send(context, result.right);
      const tag = context.res.getHeader('etag');
      if (route.method !== 'get' || typeof tag !== 'string') return;
      const { cacheControl = REVALIDATE } = result.right;
      // Every answer has that already.
      if (cacheControl !== 'no-store') context.set('Cache-Control', cacheControl);
      answerNotModified(context, tag);
    };
    router[route.method](route.path, answer);
    if (frequentRoutes.includes(route)) frequent[route.method](route.path, answer);
  }
  router.use(routerOf([...operations.routes, documentRoute([...apiRoutes, ...operations.routes])]).routes());
  router.use(pages('with docs', consoleFolder).routes());

  const app = new Koa();
  logUnsent(app, logger);
  // A router tries the paths of all its routes on each request: most requests are for a few of them.
  app.use(attend).use(frequent.routes()).use(router.routes()).use(router.allowedMethods());
  return app;
};
