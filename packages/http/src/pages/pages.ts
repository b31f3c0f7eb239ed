/** What the service serves to people, without a key. */
import Router from '@koa/router';
import { createAssets } from './assets';
import { docsRoutes } from './docs-routes';
import { problemRoutes } from './problem-routes';

export const servicePages = (): Router => {
  const assets = createAssets();
  const router = new Router();
  for (const routes of [assets.routes, problemRoutes(assets, 'with docs'), docsRoutes(assets)]) {
    router.use(routes.routes());
  }
  return router;
};

/** Of a process that has no operations to describe: only what the types of its problems point to. */
export const problemPages = (): Router => {
  const assets = createAssets();
  const router = new Router();
  for (const routes of [assets.routes, problemRoutes(assets, 'without docs')]) router.use(routes.routes());
  return router;
};
