/** The examples on the pages of problems are what the service answers. */
import { expect } from 'chai';
import { startTestService, type TestService } from './testing/test-service';

const TABLES = {
  tiers: {
    type: 'volume',
    tiers: [
      { firstUnit: 1, lastUnit: 9, unitPrice: 20 },
      { firstUnit: 10, lastUnit: 100, unitPrice: 15 },
    ],
  },
  regions: {
    type: 'enum',
    property: 'region',
    values: [
      { value: 'EU', unitPrice: 1 },
      { value: 'US', unitPrice: 2 },
    ],
  },
};

describe('The examples on the pages of problems', () => {
  let service: TestService;
  let book: string;
  before(async () => {
    service = await startTestService();
    const { body } = await service.request('POST', '/v1/pricebooks', { json: { name: 'A book' } });
    book = `/v1/pricebooks/${(body as { readonly id: string }).id}`;
    const json = Object.entries(TABLES).map(([productId, table]) => ({
      productId,
      adjustments: { USD: table },
    }));
    expect((await service.request('PUT', `${book}/prices`, { json })).status).to.equal(200);
  });
  after(async () => {
    await service.stop();
    service.remove();
  });

  const textOf = async (path: string): Promise<string> =>
    String((await service.request('GET', path)).body)
      .replaceAll('&quot;', '"')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');

  for (const [what, method, path] of [
    ['no row for a value', 'GET', '/tiers/USD?quantity=250'],
    ['a table that needs a value', 'GET', '/regions/USD'],
    ['no list price', 'GET', '/lamp/USD'],
    ['no list price at a time', 'GET', '/lamp/USD?at=2026-11-01T00:00:00Z'],
    ['no such route', 'GET', '/prices/lamp/USD/history/of'],
    ['no such price book', 'DELETE', '/../01a1fced-c116-737b-90d3-d0ce7dc012dc'],
    ['another method', 'PUT', '/..'],
  ] as const) {
    it(what, async () => {
      const { pathname, search } = new URL(service.url + book + path);
      const { body, headers } = await service.request(method, pathname.replace(/\/$/, '') + search);
      const { type, detail } = body as { readonly type: string; readonly detail: string };
      const page = await textOf(type);
      expect(page).to.include(`"detail": ${JSON.stringify(detail)}`);
      const allow = headers.get('allow');
      if (allow !== null) expect(page).to.include(`Allow: ${allow}`);
    });
  }
});
