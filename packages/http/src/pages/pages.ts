/** The pages for people, without a key. */
import Router from '@koa/router';
import { createAssets } from './assets';
import { consoleRoutes } from './console-routes';
import { docsRoutes } from './docs-routes';
import { problemRoutes } from './problem-routes';
import { startRoutes } from './start-routes';

/**
 * @param docs whether this process serves the API, and so the pages that use it.
 * @param consoleFolder where the built console is; that of this checkout or container where absent.
 */
export const pages = (docs: 'with docs' | 'without docs', consoleFolder?: string): Router => {
  const assets = createAssets();
  const router = new Router();
  router.use(
    assets.routes.routes(),
    startRoutes(assets, docs).routes(),
    problemRoutes(assets, docs).routes(),
  );
  if (docs === 'with docs')
    router.use(docsRoutes(assets).routes(), consoleRoutes(assets, consoleFolder).routes());
  return router;
};
