/** The console as it is sent; packages/acceptance uses it in a browser. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { type ServedApp, serveApp } from '../testing/serve-app';

describe('the console', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pricebook-console-'));
  let app: ServedApp;

  const get = (target: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(app.url + target, { headers: { 'accept-encoding': 'identity', ...headers }, redirect: 'manual' });

  before(async () => {
    app = await serveApp({ consoleFolder: folder });
  });
  after(() => {
    app.close();
    fs.rmSync(folder, { recursive: true });
  });

  it('says what is missing where it was not built', async () => {
    const answer = await get('/console');
    expect(answer.status).to.equal(404);
    expect(await answer.text()).to.include('The console is not built');
    expect(answer.headers.get('etag')).to.equal(null);
  });

  describe('that was built', () => {
    before(() => {
      fs.mkdirSync(path.join(folder, 'assets'));
      fs.writeFileSync(path.join(folder, 'index.html'), '<!doctype html><title>Built</title>');
      fs.writeFileSync(path.join(folder, 'assets/index-1.js'), 'export {};');
      fs.writeFileSync(path.join(folder, 'secret.js'), 'not for others');
    });

    it('is at /console without a key, and /console/ leads to it by a relative address', async () => {
      const answer = await get('/console');
      expect(answer.status).to.equal(200);
      expect(await answer.text()).to.include('Built');
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).to.include("default-src 'none'; script-src 'self'; style-src 'self';");
      expect(policy)
        .to.include("require-trusted-types-for 'script'")
        .and.not.match(/unsafe|https?:|\*/);
      const other = await get('/console/');
      expect([other.status, other.headers.get('location')]).to.deep.equal([301, '../console']);
    });

    it('has files that browsers may keep for a year, and no others', async () => {
      const answer = await get('/console/assets/index-1.js');
      expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([
        200,
        'text/javascript; charset=utf-8',
      ]);
      expect(answer.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
      for (const name of ['index-2.js', '..%2fsecret.js', '%2e%2e/secret.js', 'index.html', '']) {
        expect((await get(`/console/assets/${name}`)).status, name).to.equal(404);
      }
    });
  });
});
