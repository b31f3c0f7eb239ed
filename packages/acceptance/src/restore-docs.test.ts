/** The restoration that docs/api.md shows. */
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { codeBlocksBelow } from './testing/markdown';
import { startTestService, type TestService } from './testing/test-service';

type Json = Readonly<Record<string, unknown>>;

const page = fs.readFileSync(path.resolve(__dirname, '../../../docs/api.md'), 'utf8');

describe('Restore Price Book in docs/api.md', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(async () => {
    await service.stop();
    service.remove();
  });

  it('is answered as the page shows', async () => {
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
});
