import type { IncomingHttpHeaders } from 'node:http';
import type {
  ApiKeys,
  Caller,
  Clock,
  PriceBooks,
  Scope,
  SelectionRules,
  Webhooks,
} from '@pricebook/application';
import type { Reader } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { Context } from 'koa';
import type { ApiError, BodyFault } from './api-error';
import type { BodyBudget } from './body/body-budget';
import { type BodyFormat, collectBody, hasBody, jsonFormat, optional } from './body/read-body';
import { onBookInPath } from './book-in-path';
import { changeReason, changeReasonOf } from './change-reason';
import { idempotencyKey, idempotencyOf } from './idempotency';
import type { Followers } from './limits/followers';
import { JSON_TYPE } from './media-types';
import type { DescribedRoute, Parameter } from './openapi/operation';
import { dryRun, queryCheck } from './parameters';
import type { PriceCaching } from './price-cache';
import type { StreamedBody } from './streams';

/** A request whose path, key, headers and body have been checked. */
export interface ApiRequest<Body> {
  /** The variables of the path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** What the answer is to be: one of the media types that the operation offers. */
  readonly mediaType: string;
  readonly body: Body;
  readonly caller: Caller;
}

/** A success. */
export interface ApiAnswer {
  readonly status: number;
  /** JSON; absent where the answer has no body, or a stream for it. */
  readonly body?: unknown;
  /** A body that is made while it is sent, of whatever media type. */
  readonly stream?: StreamedBody;
  readonly headers?: Readonly<Record<string, string>>;
  /** Where it has an ETag: what caches may do with it, if not keep it and ask each time. */
  readonly cacheControl?: string;
  /** A header of requests that the answer depends on, for caches. */
  readonly vary?: string | undefined;
}

/** All that operations do. */
export interface UseCases {
  readonly priceBooks: PriceBooks;
  readonly apiKeys: ApiKeys;
  readonly selectionRules: SelectionRules;
  readonly webhooks: Webhooks;
}

type Handler<Uses, Body> = (
  uses: Uses,
  request: ApiRequest<Body>,
  reception: Reception,
) => TaskEither<ApiError, ApiAnswer>;

/** What requests that last meet with. */
export interface Reception {
  readonly bodies: BodyBudget;
  readonly followers: Followers;
  /** Asked when a body has come, and while a stream goes on: its key may be revoked or expire meanwhile. */
  readonly isLetInStill: () => boolean;
  readonly clock: Clock;
  readonly priceCaching: PriceCaching;
}

/** One operation of the API, and all that the OpenAPI document says of it. */
export interface Route extends DescribedRoute {
  readonly scope: Scope;
  /** The media types that its success can have; the first where the client does not say. JSON alone where absent. */
  readonly offers?: readonly string[];
  readonly handle: (
    useCases: UseCases,
    context: Context,
    request: ApiRequest<undefined>,
    reception: Reception,
  ) => Promise<E.Either<ApiError, ApiAnswer>>;
}

/** Whether a write is only tried. Anything else that the parameter says is refused by the operation. */
const isDryRun = (query: URLSearchParams): boolean => {
  const asked = dryRun.read(query);
  return E.isRight(asked) && asked.right;
};

type RouteTarget = Omit<Route, 'body' | 'handle'>;

type Act = (request: ApiRequest<undefined>) => TaskEither<ApiError, ApiAnswer>;

/** Has a request act; given the bytes of its body as well. */
type CarryOut = (
  useCases: UseCases,
  context: Context,
  request: ApiRequest<undefined>,
  body: Buffer,
  act: Act,
) => TaskEither<ApiError, ApiAnswer>;

/** How operations of a kind are carried out, and the parameters that all of them take because of it. */
interface Manner {
  readonly carryOut: CarryOut;
  readonly parameters: readonly Parameter[];
}

const always: Manner = {
  carryOut: (_useCases, _context, request, _body, act) => act(request),
  parameters: [],
};

/** A write may have a reason. */
const withReason: Manner = {
  carryOut: (_useCases, context, asked, _body, act) => {
    const reason = changeReasonOf(context.req);
    if (E.isLeft(reason)) return TE.fromEither(reason);
    return act(
      reason.right === undefined ? asked : { ...asked, caller: { ...asked.caller, reason: reason.right } },
    );
  },
  parameters: [changeReason],
};

/** A write may have a reason, and one with an idempotency key acts once. Nothing of the body has been read when that is found out. */
const once: Manner = {
  carryOut: (useCases, context, asked, body, act) =>
    withReason.carryOut(useCases, context, asked, body, (request) =>
      pipe(
        TE.fromEither(idempotencyOf(context, body)),
        TE.chain((idempotency) =>
          idempotency === undefined
            ? act(request)
            : useCases.priceBooks.once(request.caller, idempotency, (caller) => act({ ...request, caller })),
        ),
      ),
    ),
  parameters: [idempotencyKey, changeReason],
};

/** A dry run does nothing that could be done twice: its key is checked and not used, and is free for the write itself. */
const onceOrDry: Manner = {
  carryOut: (useCases, context, request, body, act) =>
    isDryRun(request.query)
      ? pipe(
          TE.fromEither(changeReasonOf(context.req)),
          TE.chainEitherK(() => idempotencyOf(context, body)),
          TE.chain(() => act(request)),
        )
      : once.carryOut(useCases, context, request, body, act),
  parameters: once.parameters,
};

/** What a request has done when it came before is answered alike, and the query is no part of that. */
const queryCheckOf = ({ parameters = [], offers = [JSON_TYPE] }: RouteTarget) => {
  const checks = new Map(
    offers.map((offered) => [
      offered,
      queryCheck(parameters.filter(({ mediaType = offered }) => mediaType === offered)),
    ]),
  );
  return ({ caller, query, mediaType }: ApiRequest<undefined>): E.Either<ApiError, unknown> =>
    caller.done === undefined ? (checks.get(mediaType)?.(query) ?? E.right(undefined)) : E.right(undefined);
};

const NO_BODY = Buffer.alloc(0);

/** Operations that need some of the use cases. */
const operationsOn = <Uses>(of: (useCases: UseCases) => Uses, { carryOut, parameters }: Manner) => ({
  /** An operation without a body. */
  withoutBody: (target: RouteTarget, handler: Handler<Uses, undefined>): Route => {
    const checkQuery = queryCheckOf(target);
    return {
      ...target,
      parameters: [...(target.parameters ?? []), ...parameters],
      handle: (useCases, context, request, reception) =>
        carryOut(useCases, context, request, NO_BODY, (one) => {
          const query = checkQuery(one);
          return E.isLeft(query)
            ? TE.fromEither(query)
            : onBookInPath(useCases.priceBooks, one, (named) => handler(of(useCases), named, reception));
        })(),
    };
  },

  /**
   * An operation with a JSON body.
   *
   * @param others what it can be instead.
   * @param faultsAt what is wrong with a body at the time at which it is carried out. Not asked of what a request has
   *   done when it came before.
   */
  withBody: <Body>(
    target: RouteTarget,
    reader: Reader<Body>,
    handler: Handler<Uses, Body>,
    others: readonly BodyFormat<Body>[] = [],
    faultsAt: (body: Body, bytes: Buffer, clock: Clock) => readonly BodyFault[] = () => [],
  ): Route => {
    const isOptional = target.isBodyOptional === true;
    const ofJson = isOptional ? optional(jsonFormat(reader)) : jsonFormat(reader);
    const formats = [ofJson, ...others];
    const checkQuery = queryCheckOf(target);
    return {
      ...target,
      parameters: [...(target.parameters ?? []), ...parameters],
      body: Object.fromEntries(formats.map(({ mediaType, schema }) => [mediaType, schema])),
      handle: async (useCases, context, request, reception) => {
        const { bodies, isLetInStill, clock } = reception;
        const collected =
          isOptional && !hasBody(context)
            ? E.right({ bytes: NO_BODY, format: ofJson })
            : await collectBody(context, bodies.coming, formats);
        if (E.isLeft(collected)) return collected;
        if (!isLetInStill()) return E.left({ _tag: 'Unauthorized' });
        const { bytes, format } = collected.right;
        const giveBack = bodies.take(bytes.length);
        if (giveBack === undefined) return E.left({ _tag: 'Overloaded' });
        try {
          return await carryOut(useCases, context, request, bytes, (one) => {
            const query = checkQuery(one);
            if (E.isLeft(query)) return TE.fromEither(query);
            const body = format.read(bytes);
            if (E.isLeft(body)) return TE.fromEither(body);
            const faults = one.caller.done === undefined ? faultsAt(body.right, bytes, clock) : [];
            return faults.length > 0
              ? TE.left({ _tag: 'InvalidBody', faults })
              : onBookInPath(useCases.priceBooks, one, (named) =>
                  handler(of(useCases), { ...named, body: body.right }, reception),
                );
          })();
        } finally {
          giveBack();
        }
      },
    };
  },
});

const priceBooksOf = ({ priceBooks }: UseCases): PriceBooks => priceBooks;
const apiKeysOf = ({ apiKeys }: UseCases): ApiKeys => apiKeys;
const rulesOf = ({ selectionRules }: UseCases): SelectionRules => selectionRules;
const webhooksOf = ({ webhooks }: UseCases): Webhooks => webhooks;

export const { withoutBody: route, withBody: routeWithBody } = operationsOn(priceBooksOf, always);
export const { withoutBody: writeRoute, withBody: writeRouteWithBody } = operationsOn(priceBooksOf, once);
export const { withBody: priceWriteRoute } = operationsOn(priceBooksOf, onceOrDry);
export const { withoutBody: keyRoute, withBody: keyRouteWithBody } = operationsOn(apiKeysOf, always);
export const { withoutBody: ruleRoute, withBody: ruleRouteWithBody } = operationsOn(rulesOf, always);
export const { withoutBody: ruleWriteRoute, withBody: ruleWriteRouteWithBody } = operationsOn(
  rulesOf,
  withReason,
);
export const { withoutBody: webhookRoute, withBody: webhookRouteWithBody } = operationsOn(webhooksOf, always);
