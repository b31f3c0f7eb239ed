/** What operators ask, without a key: is it alive, is it ready, and the figures for Prometheus. */
import { randomUUID } from 'node:crypto';
import type { Readiness } from '@pricebook/application';
import Koa from 'koa';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { compressBody, compressibleIn } from './compression';
import { type LivenessBody, livenessCodec, type ReadinessBody, readinessCodec } from './answers/health';
import { type OpenRoute, routerOf } from './open-route';
import { json } from './openapi/operation';
import { pages } from './pages/pages';
import { internalProblem, problemOf } from './problem';
import { requestIdOf } from './request-id';
import { sendProblem, unroutedError } from './send-problem';
import { logUnsent } from './unsent';
import { version } from './version';

export interface Operations {
  readonly routes: readonly OpenRoute[];
  /** Counts a request that has been answered. */
  readonly countRequest: (request: {
    readonly method: string;
    /** The path of its route, with names for the parts that vary; `none` where there is no such route. */
    readonly route: string;
    readonly status: number;
    readonly seconds: number;
  }) => void;
}

/** Up to what a request should take, and then up to the time-outs of stores, in seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

interface Figure {
  readonly name: string;
  readonly help: string;
  /** Null where it is not known. */
  readonly of: (readiness: Readiness) => number | boolean | null;
}

const FIGURES: readonly Figure[] = [
  { name: 'pricebook_ready', help: 'Whether requests can be answered.', of: ({ isReady }) => isReady },
  {
    name: 'pricebook_event_store_up',
    help: 'Whether the event store answers, and takes events.',
    of: ({ eventStore }) => eventStore === 'up',
  },
  {
    name: 'pricebook_read_model_up',
    help: 'Whether the read model answers.',
    of: ({ readModel }) => readModel === 'up',
  },
  {
    name: 'pricebook_keys_current',
    help: 'Whether the keys are known as they are.',
    of: ({ keys }) => (keys === undefined ? null : keys.state === 'current'),
  },
  {
    name: 'pricebook_projection_stopped',
    help: 'Whether the projection has met an event that it cannot read.',
    of: ({ projection }) => projection.state === 'stopped',
  },
  {
    name: 'pricebook_projection_lag_events',
    help: 'Events that the read side has not applied, counted up to 1000.',
    of: ({ projection }) => projection.lag?.events ?? null,
  },
  {
    name: 'pricebook_projection_lag_seconds',
    help: 'For how long the first event that the read side has not applied has been waiting.',
    of: ({ projection }) => projection.lag?.seconds ?? null,
  },
];

/** Who asks while another's question is under way gets the same answer, so that asking often costs the stores little. */
const shared = <A>(ask: () => Promise<A>): (() => Promise<A>) => {
  let asked: Promise<A> | undefined;
  return () =>
    (asked ??= ask().finally(() => {
      asked = undefined;
    }));
};

export interface WebhookFigures {
  /** Since the start of the process. */
  readonly messages: {
    readonly delivered: number;
    /** Attempts that were not the last one. */
    readonly failed: number;
    readonly givenUp: number;
  };
  readonly webhooks: { readonly active: number; readonly paused: number };
}

/** What is counted where the API is served. */
interface ServiceFigures {
  /** How many follow books. */
  readonly countFollowers?: () => number;
  readonly webhookFigures?: (() => WebhookFigures) | undefined;
}

export const createOperations = (
  ask: () => Promise<Readiness>,
  { countFollowers, webhookFigures }: ServiceFigures = {},
): Operations => {
  const readiness = shared(ask);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'pricebook_build_info',
    help: 'The version of the service, as a label; always 1.',
    labelNames: ['version'] as const,
    registers: [registry],
  }).set({ version }, 1);
  const gauges = FIGURES.map(({ name, help, of }) => ({
    gauge: new Gauge({ name, help, registers: [registry] }),
    of,
  }));
  const requests = new Histogram({
    name: 'pricebook_http_request_duration_seconds',
    help: 'Time from the head of a request to its answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS,
    registers: [registry],
  });
  if (countFollowers !== undefined) {
    new Gauge({
      name: 'pricebook_followers',
      help: 'How many follow the history of a book live.',
      registers: [registry],
      collect() {
        this.set(countFollowers());
      },
    });
  }

  if (webhookFigures !== undefined) {
    new Counter({
      name: 'pricebook_webhook_messages_total',
      help: 'Messages of webhooks: delivered, failed and to be tried again, or given up.',
      labelNames: ['outcome'] as const,
      registers: [registry],
      collect() {
        const { delivered, failed, givenUp } = webhookFigures().messages;
        this.reset();
        this.inc({ outcome: 'delivered' }, delivered);
        this.inc({ outcome: 'failed' }, failed);
        this.inc({ outcome: 'given up' }, givenUp);
      },
    });
    new Gauge({
      name: 'pricebook_webhooks',
      help: 'How many webhooks there are, active or paused.',
      labelNames: ['status'] as const,
      registers: [registry],
      collect() {
        const { active, paused } = webhookFigures().webhooks;
        this.set({ status: 'active' }, active);
        this.set({ status: 'paused' }, paused);
      },
    });
  }

  const routes: readonly OpenRoute[] = [
    {
      method: 'get',
      path: '/health/live',
      operationId: 'getLiveness',
      summary: 'Is it alive',
      description: 'Whether the process answers.',
      tag: 'Service',
      answers: { 200: { description: 'It does.', content: json(livenessCodec) } },
      serve: (context) => {
        const body: LivenessBody = { status: 'live' };
        context.body = body;
      },
    },
    {
      method: 'get',
      path: '/health/ready',
      operationId: 'getReadiness',
      summary: 'Is it ready',
      description:
        'Whether both stores answer, the projector of this process runs and the keys are known as they are.',
      tag: 'Service',
      answers: {
        200: { description: 'Requests can be answered.', content: json(readinessCodec) },
        503: { description: 'Something stands in the way.', content: json(readinessCodec) },
      },
      serve: async (context) => {
        const { isReady, ...parts } = await readiness();
        const body: ReadinessBody = { status: isReady ? 'ready' : 'not ready', ...parts };
        context.status = isReady ? 200 : 503;
        context.body = body;
      },
    },
    {
      method: 'get',
      path: '/metrics',
      operationId: 'getMetrics',
      summary: 'Get the figures',
      description: 'Figures for Prometheus: requests, stores, and how far the read side is behind.',
      tag: 'Service',
      answers: {
        200: {
          description: 'In the text format of Prometheus.',
          content: { 'text/plain': { type: 'string', examples: ['pricebook_ready 1\n'] } },
        },
      },
      serve: async (context) => {
        const found = await readiness();
        for (const { gauge, of } of gauges) gauge.set(Number(of(found) ?? NaN));
        context.type = registry.contentType;
        context.body = await registry.metrics();
      },
    },
  ];

  return {
    routes,
    countRequest: ({ method, route, status, seconds }) => {
      requests.observe({ method, route, status }, seconds);
    },
  };
};

/** For a process that has nothing else to say, such as a projector of its own. */
export const createOperationsApp = (readiness: () => Promise<Readiness>, logger: Logger): Koa => {
  const routes = routerOf(createOperations(readiness).routes);
  const app = new Koa();
  logUnsent(app, logger);
  app.use(async (context, next) => {
    const requestId = requestIdOf(context.get('x-request-id'), randomUUID);
    context.set('x-request-id', requestId);
    try {
      await next();
      const unrouted = unroutedError(context, routes, 'without docs');
      if (unrouted !== undefined) sendProblem(context, requestId, problemOf(unrouted));
      const content = compressibleIn(context);
      if (content !== undefined) await compressBody(context, content);
    } catch (defect) {
      // Koa's own answer would be without the headers of every answer.
      logger.error({ requestId, err: defect }, 'a request met a defect');
      sendProblem(context, requestId, internalProblem);
    }
  });
  // The types of its problems are addresses here as well.
  routes.use(pages('without docs').routes());
  app.use(routes.routes()).use(routes.allowedMethods());
  return app;
};
