/** The page at `/`: where a person goes from here. Clients that take JSON get the 404 of any path without an operation. */
import Router from '@koa/router';
import { JSON_TYPE, negotiate } from '../media-types';
import { version } from '../version';
import type { Assets } from './assets';
import { sendPage } from './send-page';

const HTML_TYPE = 'text/html';
const RIGHTS = { 'style-src': "'self'", 'img-src': "'self'" };

interface Link {
  readonly address: string;
  readonly name: string;
  readonly text: string;
}

const OF_THE_API: readonly Link[] = [
  { address: 'console', name: 'Console', text: 'price books for people: what does it cost, and why' },
  { address: 'docs', name: 'Operations', text: 'every operation of the API, to read and to try' },
  { address: 'openapi.json', name: 'OpenAPI document', text: 'the same for programs: OpenAPI 3.1' },
];

const OF_EVERY_PROCESS: readonly Link[] = [
  { address: 'problems/', name: 'Problems', text: 'what each error means and what to do about it' },
  { address: 'health/ready', name: 'Readiness', text: 'whether the service can answer, as JSON' },
  { address: 'metrics', name: 'Metrics', text: 'figures for Prometheus' },
];

const item = ({ address, name, text }: Link): string => `<li><a href="${address}">${name}</a>: ${text}</li>`;

const bodyOf = (docs: 'with docs' | 'without docs'): string => {
  const [what, links] =
    docs === 'with docs'
      ? [
          'The HTTP API is below <code>/v1</code>. Every request to it needs an API key in the header <code>x-api-key</code>.',
          [...OF_THE_API, ...OF_EVERY_PROCESS],
        ]
      : ['This process applies events to the read model. It has no API.', OF_EVERY_PROCESS];
  return `<main>
<h1>Price book service</h1>
<p>Version ${version}. ${what}</p>
<ul>
${links.map(item).join('\n')}
</ul>
</main>`;
};

/** @param docs whether this process serves the API and the page with its operations. */
export const startRoutes = ({ pathOf }: Assets, docs: 'with docs' | 'without docs'): Router => {
  const routes = new Router({ sensitive: true, strict: true });
  routes.get('/', async (context) => {
    context.vary('Accept');
    if (negotiate(context, [JSON_TYPE, HTML_TYPE]) !== HTML_TYPE) return;
    const [icon, style] = await Promise.all([pathOf('icon.svg'), pathOf('pages.css')]);
    const page = { title: 'Price book service', icon, styles: [style], scripts: [], body: bodyOf(docs) };
    sendPage(context, page, RIGHTS);
  });
  return routes;
};
