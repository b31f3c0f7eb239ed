/** The rules of docs/selection.md, and the choice that it shows. */
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { startTestService, type TestService } from './testing/test-service';
import { codeBlocks } from './testing/markdown';

type Json = Readonly<Record<string, unknown>>;

const page = fs.readFileSync(path.resolve(__dirname, '../../../docs/selection.md'), 'utf8');
const [rules = [], shown = []] = codeBlocks(page, 'json').map((text) => JSON.parse(text) as readonly Json[]);
const target = /`GET (\/v1\/prices\/[^`]+)`/.exec(page)?.[1] ?? '';

describe('The rules of docs/selection.md', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(async () => {
    await service.stop();
    service.remove();
  });

  it('choose the book as the page shows', async () => {
    expect(rules).to.have.length(3);
    for (const rule of rules) {
      const book = await service.request('POST', '/v1/pricebooks', { json: { name: rule['priceBookId'] } });
      const { id } = book.body as { readonly id: string };
      if (rule['priceBookId'] === 'RETAIL') {
        const json = [{ productId: 'lamp', adjustments: { USD: { type: 'override', amount: 49.99 } } }];
        await service.request('PUT', `/v1/pricebooks/${id}/prices`, { json });
      }
      const json = { ...rule, priceBookId: id };
      expect((await service.request('POST', '/v1/selection-rules', { json })).status).to.equal(201);
    }
    const { body } = await service.request('GET', target);
    expect(body).to.include({ price: 49.99 });
    const tried = (body as { readonly triedRules: readonly Json[] }).triedRules;
    expect(tried).to.have.length(shown.length);
    for (const [place, one] of shown.entries()) expect(tried[place]).to.deep.include(one);
  });
});
