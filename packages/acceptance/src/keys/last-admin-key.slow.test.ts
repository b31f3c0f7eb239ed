/** A service without a bootstrap key: its keys are the only way in. */
import fs from 'node:fs';
import { expect } from 'chai';
import { startProcess } from '../testing/service-process';
import { newFolder } from '../testing/test-service';

const API_KEY = /pbk_([0-9A-Za-z]{8})_[0-9A-Za-z]{38}/;

describe('a service without a bootstrap key', () => {
  const folder = newFolder();
  after(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('keeps its last admin key, and takes another one in its place', async () => {
    const service = startProcess(['serve'], { PORT: '0', PRICEBOOK_DATA_DIR: folder });
    try {
      const url = await service.ready;
      const [first = '', firstId = ''] = API_KEY.exec(service.output()) ?? [];
      const ask = async (key: string, method: string, target: string, json?: unknown) => {
        const answer = await fetch(`${url}/v1/api-keys${target}`, {
          method,
          headers: { 'x-api-key': key, 'content-type': 'application/json' },
          ...(json !== undefined && { body: JSON.stringify(json) }),
        });
        const text = await answer.text();
        return {
          status: answer.status,
          body: JSON.parse(text === '' ? '{}' : text) as Readonly<Record<string, unknown>>,
        };
      };
      const { body: listed } = await ask(first, 'GET', '');
      expect(listed).to.have.length(1);
      expect((listed as unknown as readonly object[])[0]).to.deep.include({ id: firstId, name: 'first key' });

      const refused = await ask(first, 'DELETE', `/${firstId}`);
      expect(refused.status).to.equal(409);
      expect(refused.body).to.include({ type: '/problems/last-admin-key', status: 409 });
      await ask(first, 'POST', '', { name: 'Shop', scopes: ['read', 'write'] });
      expect((await ask(first, 'DELETE', `/${firstId}`)).status).to.equal(409);

      const { body: next } = await ask(first, 'POST', '', { name: 'Next', scopes: ['admin'] });
      expect((await ask(String(next['key']), 'DELETE', `/${firstId}`)).status).to.equal(204);
      expect((await ask(first, 'GET', '')).status).to.equal(401);
      expect((await ask(String(next['key']), 'GET', '')).status).to.equal(200);
    } finally {
      service.child.kill('SIGKILL');
      await service.ended;
    }
  }).timeout(20_000);
});
