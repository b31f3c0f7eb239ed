/** The OpenAPI document as a page, from which operations can be called: Swagger UI (docs/decisions/0019). */
import Router from '@koa/router';
import type { Assets } from './assets';
import { sendPage } from './send-page';

const RIGHTS = {
  'script-src': "'self'",
  'style-src': "'self'",
  // Swagger UI has its icons in its stylesheet.
  'img-src': "'self' data:",
  // The document, and the operations that are called from the page.
  'connect-src': "'self'",
};

/** Where the document is, from the page. */
const DOCUMENT = 'openapi.json';

const BODY = `<header>
<h1>Operations</h1>
<nav aria-label="Pages"><a href="problems/">Problems</a></nav>
</header>
<noscript><p>Without JavaScript the operations are in the <a href="${DOCUMENT}">OpenAPI document</a> alone.</p></noscript>
<main id="operations" data-document="${DOCUMENT}"></main>`;

export const docsRoutes = ({ pathOf }: Assets): Router => {
  const routes = new Router({ sensitive: true, strict: true });
  routes.get('/docs', async (context) => {
    const [icon, swaggerStyle, style, swagger, script] = await Promise.all([
      pathOf('icon.svg'),
      pathOf('swagger-ui.css'),
      pathOf('docs.css'),
      pathOf('swagger-ui-bundle.js'),
      pathOf('docs.js'),
    ]);
    sendPage(
      context,
      {
        title: 'Operations – Price book service',
        icon,
        styles: [swaggerStyle, style],
        scripts: [swagger, script],
        body: BODY,
      },
      RIGHTS,
    );
  });
  // The addresses in the page are relative to /docs. So is this one, to hold behind the path of a proxy.
  routes.get('/docs/', (context) => {
    context.status = 301;
    context.redirect('../docs');
  });
  return routes;
};
