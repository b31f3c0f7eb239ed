/** A page for each problem, where its type points to, and a list of them. */
import Router from '@koa/router';
import type { Context } from 'koa';
import type { Assets } from './assets';
import { isProblem, problemHtml, problemsHtml, titleOf } from './problem-html';
import { sendPage } from './send-page';

const RIGHTS = { 'style-src': "'self'", 'img-src': "'self'" };

/** @param docs whether the page with the operations is served beside these. */
export const problemRoutes = ({ pathOf }: Assets, docs: 'with docs' | 'without docs'): Router => {
  const toDocs = docs === 'with docs' ? '<a href="../docs">Operations</a>' : '';

  const send = async (context: Context, title: string, main: string): Promise<void> => {
    const [icon, style] = await Promise.all([pathOf('icon.svg'), pathOf('pages.css')]);
    sendPage(
      context,
      {
        title: `${title} – Price book service`,
        icon: `../${icon}`,
        styles: [`../${style}`],
        scripts: [],
        body: `<nav aria-label="Pages"><a href="./">Problems</a>${toDocs}</nav>\n${main}`,
      },
      RIGHTS,
    );
  };

  const routes = new Router({ sensitive: true, strict: true });
  routes.get('/problems', (context) => {
    context.status = 301;
    // Relative, so that it holds behind the path of a proxy.
    context.redirect('problems/');
  });
  routes.get('/problems/', (context) => send(context, 'Problems', problemsHtml()));
  routes.get('/problems/:slug', async (context) => {
    const { slug } = context.params;
    if (isProblem(slug)) await send(context, titleOf(slug), problemHtml(slug));
  });
  return routes;
};
