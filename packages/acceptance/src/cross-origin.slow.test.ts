/** The API from pages of other origins, in a browser: with fetch, and a stream of events read by fetch. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { isBrowserThere, startBrowser } from './testing/browser';
import { startTestService, TEST_KEY, type TestService } from './testing/test-service';

/** A site with a page that has nothing in it. */
const startSite = async (): Promise<http.Server> => {
  const site = http.createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>A shop</title>');
  });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  return site;
};

const originOf = (site: http.Server): string =>
  `http://127.0.0.1:${String((site.address() as AddressInfo).port)}`;

interface Asked {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Asks from within a page. */
const fetchIn = (page: Page, asked: Asked): Promise<Got> =>
  page.evaluate(async ({ url, ...options }) => {
    const answer = await fetch(url, options);
    const text = await answer.text();
    return {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: (text === '' ? {} : JSON.parse(text)) as Readonly<Record<string, unknown>>,
    };
  }, asked);

describe(`a page of another origin${isBrowserThere ? '' : ' (skipped: chromium is not here)'}`, function () {
  this.timeout(60_000);
  let service: TestService;
  let browser: Browser;
  let allowed: http.Server;
  let other: http.Server;
  let page: Page;
  const closing: (() => unknown)[] = [];

  before(async function () {
    if (!isBrowserThere) this.skip();
    [allowed, other] = await Promise.all([startSite(), startSite()]);
    for (const site of [allowed, other]) {
      closing.push(() => {
        site.closeAllConnections();
        site.close();
      });
    }
    service = await startTestService(undefined, { allowedOrigins: [originOf(allowed)] });
    closing.push(service.remove, service.stop);
    browser = await startBrowser();
    closing.push(() => browser.close());
    page = await browser.newPage();
    await page.goto(originOf(allowed));
  });
  after(async () => {
    for (const close of closing.reverse()) await close();
  });

  const api = (method: string, path: string, options: Pick<Asked, 'headers' | 'body'> = {}): Promise<Got> =>
    fetchIn(page, {
      url: `${service.url}/v1${path}`,
      method,
      ...options,
      headers: { 'x-api-key': TEST_KEY, 'content-type': 'application/json', ...options.headers },
    });
  const createBook = async (): Promise<string> =>
    String((await api('POST', '/pricebooks', { body: '{"name":"A"}' })).body['id']);

  it('creates a book, sets a price under conditions, and reads it', async () => {
    const created = await api('POST', '/pricebooks', { body: '{"name":"A"}' });
    expect(created.status).to.equal(201);
    expect(created.headers).to.include.keys('etag', 'location', 'x-request-id');
    const book = `/pricebooks/${String(created.body['id'])}`;
    const set = await api('PUT', `${book}/prices`, {
      headers: {
        'if-match': created.headers['etag'] ?? '',
        'idempotency-key': 'first',
        'x-request-id': 'mine',
      },
      body: '[{"productId":"lamp","adjustments":{"USD":{"type":"override","amount":5}}}]',
    });
    expect([set.status, set.headers['etag'], set.headers['x-request-id']]).to.deep.equal([
      200,
      '"1"',
      'mine',
    ]);
    expect((await api('GET', `${book}/lamp/USD`)).body).to.include({ price: 5 });
    expect((await api('GET', '/pricebooks?limit=1', {})).status).to.equal(200);
    expect((await api('DELETE', book)).status).to.equal(204);
  });

  it('reads why it is refused', async () => {
    const book = `/pricebooks/${await createBook()}`;
    for (const [status, got] of [
      [401, await api('GET', book, { headers: { 'x-api-key': 'wrong' } })],
      [404, await api('GET', `${book}/lamp/USD`)],
      [405, await api('PUT', book, { body: '{}' })],
      [412, await api('PATCH', book, { headers: { 'if-match': '"7"' }, body: '{}' })],
      [413, await api('PUT', `${book}/prices`, { body: ' '.repeat(1_100_000) })],
      [431, await api('GET', book, { headers: { 'x-long': 'x'.repeat(20_000) } })],
    ] as const) {
      expect(got.status, JSON.stringify(got)).to.equal(status);
      expect(got.body).to.include({ status, requestId: got.headers['x-request-id'] });
    }
  });

  it('follows a book by fetch', async () => {
    const book = `/pricebooks/${await createBook()}`;
    const types = await page.evaluate(
      async ([url, key]) => {
        const headers = { 'x-api-key': key };
        const ending = new AbortController();
        const { body } = await fetch(`${url}/events`, {
          headers: { ...headers, accept: 'text/event-stream' },
          signal: ending.signal,
        });
        const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
        let text = '';
        const until = async (part: string): Promise<void> => {
          while (!text.includes(part)) text += (await reader?.read())?.value ?? '';
        };
        await until('event: PriceBookCreated');
        const json = { ...headers, 'content-type': 'application/json' };
        await fetch(url, { method: 'PATCH', headers: json, body: '{"name":"B"}' });
        await until('event: PriceBookUpdated');
        ending.abort();
        return [...text.matchAll(/^event: (.*)$/gm)].map(([, type]) => type);
      },
      [`${service.url}/v1${book}`, TEST_KEY] as const,
    );
    expect(types).to.deep.equal(['PriceBookCreated', 'PriceBookUpdated']);
  });

  it('reads nothing where it is not allowed', async () => {
    const stranger = await browser.newPage();
    await stranger.goto(originOf(other));
    for (const [path, headers] of [
      ['/v1/pricebooks', { 'x-api-key': TEST_KEY }],
      ['/health/live', {}],
    ] as const) {
      const failure = await fetchIn(stranger, { url: service.url + path, headers }).catch(String);
      expect(failure, path).to.match(/TypeError: Failed to fetch/);
    }
  });
});
