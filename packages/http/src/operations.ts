/** What operators ask, without a key: is it alive, is it ready, and the figures for Prometheus. */
import { randomUUID } from 'node:crypto';
import Router from '@koa/router';
import type { Readiness } from '@pricebook/application';
import Koa from 'koa';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { internalProblem, problemOf } from './problem';
import { requestIdOf } from './request-id';
import { sendProblem, unroutedError } from './send-problem';
import { logUnsent } from './unsent';

export interface Operations {
  readonly routes: Router;
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

export const createOperations = (ask: () => Promise<Readiness>): Operations => {
  const readiness = shared(ask);
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
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

  const routes = new Router({ sensitive: true, strict: true });
  routes.get('/health/live', (context) => {
    context.body = { status: 'live' };
  });
  routes.get('/health/ready', async (context) => {
    const { isReady, ...parts } = await readiness();
    context.status = isReady ? 200 : 503;
    context.body = { status: isReady ? 'ready' : 'not ready', ...parts };
  });
  routes.get('/metrics', async (context) => {
    const found = await readiness();
    for (const { gauge, of } of gauges) gauge.set(Number(of(found) ?? NaN));
    context.type = registry.contentType;
    context.body = await registry.metrics();
  });

  return {
    routes,
    countRequest: ({ method, route, status, seconds }) => {
      requests.observe({ method, route, status }, seconds);
    },
  };
};

/** For a process that has nothing else to say, such as a projector of its own. */
export const createOperationsApp = (readiness: () => Promise<Readiness>, logger: Logger): Koa => {
  const { routes } = createOperations(readiness);
  const app = new Koa();
  logUnsent(app, logger);
  app.use(async (context, next) => {
    const requestId = requestIdOf(context.get('x-request-id'), randomUUID);
    context.set('x-request-id', requestId);
    try {
      await next();
      const unrouted = unroutedError(context);
      if (unrouted !== undefined) sendProblem(context, requestId, problemOf(unrouted));
    } catch (defect) {
      // Koa's own answer would be without the headers of every answer.
      logger.error({ requestId, err: defect }, 'a request met a defect');
      sendProblem(context, requestId, internalProblem);
    }
  });
  app.use(routes.routes()).use(routes.allowedMethods());
  return app;
};
