import { expect } from 'chai';
import { bodyOf, expectStatus, override, usd } from './api-suite/kit';
import { type CompressingProxy, startCompressingProxy } from './testing/compressing-proxy';
import { requestTo, startTestService, type TestService } from './testing/test-service';

describe('behind a proxy that compresses and makes tags weak', () => {
  let service: TestService;
  let proxy: CompressingProxy;
  before(async () => {
    service = await startTestService();
    proxy = await startCompressingProxy(service.url);
  });
  after(async () => {
    proxy.stop();
    await service.stop();
    service.remove();
  });

  it('a write with the ETag that a client was given goes through, and once only', async () => {
    const request = requestTo(proxy.url);
    const created = expectStatus(await request('POST', '/v1/pricebooks', { json: { name: 'Retail' } }), 201);
    const book = `/v1/pricebooks/${String(bodyOf(created)['id'])}`;
    const etag = (await request('GET', book)).headers.get('etag') ?? '';
    expect(etag).to.equal('W/"0"');
    const put = () =>
      request('PUT', `${book}/prices`, { json: [usd('lamp', override(1))], headers: { 'if-match': etag } });
    expectStatus(await put(), 200);
    expectStatus(await put(), 412);
    const again = (await request('GET', book)).headers.get('etag') ?? '';
    expectStatus(await request('GET', book, { headers: { 'if-none-match': again } }), 304);
  });
});
