/** The console: static files that Vite has built, which ask the API for all that they show. */
import fs from 'node:fs/promises';
import path from 'node:path';
import Router from '@koa/router';
import type { Context } from 'koa';
import type { Assets } from './assets';
import { htmlOf } from './html';
import { type Rights, sendHtml, sendPage } from './send-page';
import { FOR_A_YEAR, sendTagged, versionOf } from './send-tagged';

const RIGHTS: Rights = {
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  // The API beside the page.
  'connect-src': "'self'",
  // What the service answers can never become code, whatever the page does with it.
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
};

/** Beside this package, in a checkout as in a container. */
const BUILT = path.resolve(__dirname, '../../../console/dist');

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

const MISSING = `<main>
<h1>The console is not built</h1>
<p>Start the service with <code>npm start</code> in a checkout, which builds it.</p>
</main>`;

/** Without a slash, encoded or not: a name never leads out of the folder. */
const FILE_NAME = /^[\w.-]+$/;

interface File {
  readonly type: string;
  readonly content: Buffer;
  readonly version: string;
}

/** Undefined where it is not there. */
const readFile = async (folder: string, name: string): Promise<Buffer | undefined> => {
  try {
    return await fs.readFile(path.join(folder, name));
  } catch {
    return undefined;
  }
};

/** The files of a build never change: each is read when it is first asked for. */
const createFiles = (folder: string) => {
  const kept = new Map<string, Promise<File | undefined>>();
  const read = async (name: string): Promise<File | undefined> => {
    const type = TYPES[path.extname(name)];
    const content = type === undefined ? undefined : await readFile(folder, `assets/${name}`);
    return type === undefined || content === undefined
      ? undefined
      : { type, content, version: versionOf(content) };
  };
  return async (name: string): Promise<File | undefined> => {
    const file = kept.get(name) ?? read(name);
    kept.set(name, file);
    // Anyone can ask for any name.
    if ((await file) === undefined) kept.delete(name);
    return file;
  };
};

export const consoleRoutes = ({ pathOf }: Assets, folder = BUILT): Router => {
  const fileOf = createFiles(folder);
  const routes = new Router({ sensitive: true, strict: true });

  const sendMissing = async (context: Context): Promise<void> => {
    const [icon, style] = await Promise.all([pathOf('icon.svg'), pathOf('pages.css')]);
    const page = { title: 'Console', icon, styles: [style], scripts: [], body: MISSING };
    sendPage(context, page, { 'style-src': "'self'", 'img-src': "'self'" });
    // Nothing is kept of what is not there, so nothing is asked about with its tag.
    context.remove('ETag');
    context.body = htmlOf(page);
    context.status = 404;
  };

  routes.get('/console', async (context) => {
    const page = await readFile(folder, 'index.html');
    if (page === undefined) await sendMissing(context);
    else sendHtml(context, page, RIGHTS);
  });
  // The addresses in the page are relative to /console. So is this one, to hold behind the path of a proxy.
  routes.get('/console/', (context) => {
    context.status = 301;
    context.redirect('../console');
  });
  routes.get('/console/assets/:name', async (context) => {
    const name = context.params['name'] ?? '';
    const file = FILE_NAME.test(name) ? await fileOf(name) : undefined;
    if (file !== undefined) sendTagged(context, { ...file, cacheControl: FOR_A_YEAR });
  });
  return routes;
};
