/** What the query of a request says to operations that are never reached. */
import { expect } from 'chai';
import type { Route } from './route';
import { JSON_TYPE } from './media-types';
import { apiRoutes } from './routes';
import { KEY, type ServedApp, serveApp } from './testing/serve-app';

/** A path of the route that there may be. */
const pathOf = ({ path }: Route): string =>
  path
    .replace(':priceBookId', '01a1fced-c116-737b-90d3-d0ce7dc012dc')
    .replace(':productId', 'lamp')
    .replace(':currency', 'USD')
    .replace(':apiKeyId', '4qFy2KdM');

const namesOf = ({ parameters = [] }: Route): readonly string[] =>
  parameters
    .filter(({ in: place, mediaType = JSON_TYPE }) => place === 'query' && mediaType === JSON_TYPE)
    .map(({ name }) => name);

const takesAny = ({ parameters = [] }: Route): boolean => parameters.some(({ isMany }) => isMany === true);

describe('a query', () => {
  let app: ServedApp;
  before(async () => {
    app = await serveApp();
  });
  after(() => {
    app.close();
  });

  const ask = async (method: string, path: string, headers: Readonly<Record<string, string>> = {}) => {
    const hasBody =
      ['POST', 'PUT', 'PATCH'].includes(method) || (method === 'DELETE' && path.includes('/prices'));
    const answer = await fetch(app.url + path, {
      method,
      headers: { 'x-api-key': KEY, 'content-type': 'application/json', ...headers },
      ...(hasBody && { body: '{}' }),
    });
    const text = await answer.text();
    const { detail = '' } = text === '' ? {} : (JSON.parse(text) as { readonly detail?: string });
    return { status: answer.status, detail };
  };
  const details = async (...paths: readonly string[]): Promise<readonly string[]> =>
    Promise.all(paths.map(async (path) => (await ask('GET', path)).detail));

  const closed = apiRoutes.filter((route) => !takesAny(route));
  for (const route of closed) {
    it(`is refused by ${route.operationId} for what that does not know, naming what it knows`, async () => {
      const names = namesOf(route);
      const known = names.length === 0 ? 'none is' : `known are: ${names.join(', ')}`;
      expect(await ask(route.method.toUpperCase(), `${pathOf(route)}?colour=red`)).to.deep.equal({
        status: 400,
        detail: `The query parameter "colour" is not known here; ${known}.`,
      });
    });
  }

  it('is told everything that is wrong with it at once, and with the path', async () => {
    const book = '01a1fced-c116-737b-90d3-d0ce7dc012dc';
    const [list, prices, price, history, bookless] = await details(
      '/v1/pricebooks?nmae=x&limit=0&cursor=zz&foo=1&foo=2',
      `/v1/pricebooks/${book}/prices?limit=0&currency=Dollar`,
      `/v1/pricebooks/${book}/lamp/Dollar?at=now&explain=maybe`,
      `/v1/pricebooks/${book}/all/USD/history?limit=0&at=now`,
      '/v1/pricebooks/none/lamp/Dollar?explain=maybe',
    );
    const limit = 'The query parameter "limit" must be a whole number from 1 to 1000, not "0".';
    const explain = 'The query parameter "explain" must be true or false, not "maybe".';
    expect(list?.split(/(?<=[.?]) (?=The )/)).to.deep.equal([
      'The query parameter "nmae" is not known here; known are: limit, cursor, name, basePriceBookId, key, sort, total; did you mean "name"?',
      'The query parameter "foo" is not known here; known are: limit, cursor, name, basePriceBookId, key, sort, total.',
      limit,
      'The query parameter "cursor" is not one that this list has given.',
    ]);
    expect(prices).to.match(/"limit" must .* The query parameter "currency": "Dollar" is not an ISO 4217/);
    expect(price).to.match(/in the path: "Dollar" is .* "at" must be .* "explain" must be/);
    expect(history).to.match(/product id in the path .* "at" is not known here; .* "limit" must be/);
    expect(bookless).to.match(/in the path: "Dollar" is .* "explain" must be true or false, not "maybe"\.$/);
    expect(price?.endsWith(explain)).to.equal(true);
    expect(await ask('GET', '/v1/pricebooks/none/lamp/USD')).to.include({ status: 404 });
  });

  it('is any to what asks for a price, and of no matter to OPTIONS and outside of the API', async () => {
    expect(apiRoutes.filter(takesAny).map(({ operationId }) => operationId)).to.have.members([
      'getProductPrice',
      'getPriceHistory',
      'listEffectivePrices',
      'getProduct',
      'getPriceByContext',
    ]);
    expect(closed).to.have.length(apiRoutes.length - 5);
    expect((await ask('OPTIONS', '/v1/pricebooks?colour=red')).status).to.equal(200);
    expect((await ask('HEAD', '/v1/pricebooks?colour=red')).status).to.equal(400);
    for (const path of ['/health/live', '/openapi.json']) {
      expect((await fetch(`${app.url}${path}?colour=red`)).status, path).to.equal(200);
    }
  });

  it('is asked after what may have been meant', async () => {
    const book = '/v1/pricebooks/01a1fced-c116-737b-90d3-d0ce7dc012dc';
    expect(
      await details(
        '/v1/pricebooks?limti=5',
        '/v1/pricebooks?Limit=5',
        `${book}/events?product=lamp`,
        `${book}/lamp/USD/history?at=2026-01-01T00:00:00Z`,
        `/v1/pricebooks?${'x'.repeat(100)}=1`,
      ),
    ).to.deep.equal([
      'The query parameter "limti" is not known here; known are: limit, cursor, name, basePriceBookId, key, sort, total; did you mean "limit"?',
      'The query parameter "Limit" is not known here; known are: limit, cursor, name, basePriceBookId, key, sort, total; did you mean "limit"?',
      'The query parameter "product" is not known here; known are: productId, since, limit, cursor; did you mean "productId"?',
      'The query parameter "at" is not known here; known are: limit, cursor, to, quantity and what tables ask for.',
      `The query parameter "${'x'.repeat(40)}…" is not known here; known are: limit, cursor, name, basePriceBookId, key, sort, total.`,
    ]);
  });

  it('is told what was given where that is malformed', async () => {
    const book = '/v1/pricebooks/01a1fced-c116-737b-90d3-d0ce7dc012dc';
    expect(
      await details(
        '/v1/pricebooks?limit=ten',
        `${book}/events?since=yesterday`,
        `${book}/prices?currency=EURO`,
        `${book}/lamp/US`,
        `${book}/lamp/EURO`,
        `${book}/lamp/USD?explain=yes`,
      ),
    ).to.deep.equal([
      'The query parameter "limit" must be a whole number from 1 to 1000, not "ten".',
      'The query parameter "since" must be an ISO 8601 date-time with offset, such as 2026-01-31T12:00:00Z, not "yesterday".',
      'The query parameter "currency": "EURO" is not an ISO 4217 code of a currency with a minor unit; did you mean "EUR"?',
      'The currency in the path: "US" is not an ISO 4217 code of a currency with a minor unit; did you mean "USD"?',
      'The currency in the path: "EURO" is not an ISO 4217 code of a currency with a minor unit; did you mean "EUR"?',
      'The query parameter "explain" must be true or false, not "yes".',
    ]);
    const stream = await ask('GET', `${book}/events?lastEventId=x`, { accept: 'text/event-stream' });
    expect(stream.detail).to.equal(
      'The query parameter "lastEventId" must be the id of an event of the book, such as 7, not "x".',
    );
  });
});
