/** Prices that caches may use without asking. */
import { expect } from 'chai';
import { createBook, getPrice, override, setPrices, usd } from './api-suite/kit';
import { startTestService, type TestService } from './testing/test-service';

const MINUTE_MS = 60_000;

describe('where caches may keep prices', () => {
  let service: TestService;
  let book: string;
  const api = () => service;
  before(async () => {
    service = await startTestService(undefined, {
      priceCaching: { share: 'public', maxAge: 3_600 },
      allowedOrigins: ['https://shop.example'],
    });
    book = await createBook(api);
    const validFrom = new Date(Date.now() + 10 * MINUTE_MS).toISOString();
    const planned = { ...override(2), validFrom };
    await setPrices(api, book, [usd('lamp', override(1)), usd('seat', [override(1), planned])]);
  });
  after(async () => {
    await service.stop();
    service.remove();
  });

  const headersOf = async (product: string, query = '') => {
    const { headers } = await getPrice(api, book, product, query);
    return [headers.get('cache-control'), headers.get('vary')];
  };

  it('a price says for how long, each for its key', async () => {
    expect(await headersOf('lamp')).to.deep.equal(['public, max-age=3600', 'Origin, x-api-key']);
    expect(await headersOf('lamp', '?explain=true')).to.deep.equal([
      'public, max-age=3600',
      'Origin, x-api-key',
    ]);
  });

  it('a price that is going to change says so until then; at a time that is asked for it does not change', async () => {
    const [cacheControl = ''] = await headersOf('seat');
    const [, seconds] = /^public, max-age=(\d+)$/.exec(cacheControl ?? '') ?? [];
    expect(Number(seconds)).to.be.within(1, 600);
    const now = new Date().toISOString();
    expect((await headersOf('seat', `?at=${now}`))[0]).to.equal('public, max-age=3600');
  });

  it('a 304 says it again, and everything else is as without', async () => {
    const tag = (await getPrice(api, book, 'lamp')).headers.get('etag') ?? '';
    const again = await service.request('GET', `/v1/pricebooks/${book}/lamp/USD`, {
      headers: { 'if-none-match': tag },
    });
    expect([again.status, again.headers.get('cache-control')]).to.deep.equal([304, 'public, max-age=3600']);
    expect(await headersOf('unknown')).to.deep.equal(['no-store', 'Origin']);
    const { headers } = await service.request('GET', `/v1/pricebooks/${book}`);
    expect(headers.get('cache-control')).to.equal('no-cache');
  });
});
