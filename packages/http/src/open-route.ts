/** Operations outside /v1: they need no key. */
import Router from '@koa/router';
import type { Context } from 'koa';
import type { DescribedRoute } from './openapi/operation';

export interface OpenRoute extends DescribedRoute {
  readonly method: 'get';
  readonly serve: (context: Context) => void | Promise<void>;
}

export const routerOf = (routes: readonly OpenRoute[]): Router => {
  const router = new Router({ sensitive: true, strict: true });
  for (const { path, serve } of routes) router.get(path, (context) => serve(context));
  return router;
};
