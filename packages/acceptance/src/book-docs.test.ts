/** The restoration and the clone that docs/api.md shows. */
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { codeBlocksBelow } from './testing/markdown';
import { startTestService, type TestService } from './testing/test-service';

type Json = Readonly<Record<string, unknown>>;

const page = fs.readFileSync(path.resolve(__dirname, '../../../docs/api.md'), 'utf8');

describe('Books that come from others, in docs/api.md', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(async () => {
    await service.stop();
    service.remove();
  });

  it('are restored as the page shows', async () => {
    const [json, shown] = codeBlocksBelow(page, '### Restore Price Book').map(
      ({ text }) => JSON.parse(text) as Json,
    );
    const created = await service.request('POST', '/v1/pricebooks', { json: { name: shown?.['name'] } });
    const { id, createdAt } = created.body as Json;
    const target = `/v1/pricebooks/${String(id)}`;
    expect((await service.request('DELETE', target)).status).to.equal(204);
    const { status, body } = await service.request('POST', `${target}/restore`, { json });
    expect(status).to.equal(200);
    const { updatedAt } = body as Json;
    expect(body).to.deep.equal({ ...shown, id, createdAt, updatedAt });
  });

  it('are cloned as the page shows', async () => {
    const [json, shown] = codeBlocksBelow(page, '### Clone Price Book').map(
      ({ text }) => JSON.parse(text) as Json,
    );
    const created = await service.request('POST', '/v1/pricebooks', { json: { name: 'Retail' } });
    const { id: source } = created.body as Json;
    const target = `/v1/pricebooks/${String(source)}`;
    for (const amount of [1, 2]) {
      const items = [{ productId: 'lamp', adjustments: { USD: { type: 'override', amount } } }];
      expect((await service.request('PUT', `${target}/prices`, { json: items })).status).to.equal(200);
    }
    const { status, body } = await service.request('POST', `${target}/clone`, { json });
    expect(status).to.equal(201);
    const { id, createdAt, updatedAt } = body as Json;
    const clonedFrom = { priceBookId: source, revision: 2 };
    expect(body).to.deep.equal({ ...shown, id, clonedFrom, createdAt, updatedAt });
  });
});
