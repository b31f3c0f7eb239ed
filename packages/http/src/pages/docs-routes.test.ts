/** The page as it is sent; packages/acceptance looks at it in a browser. */
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { addressesIn } from '../testing/addresses-in';
import { type ServedApp, serveApp } from '../testing/serve-app';

describe('the page of operations', () => {
  let app: ServedApp;
  before(async () => {
    app = await serveApp();
  });
  after(() => {
    app.close();
  });

  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(app.url + path, { headers: { 'accept-encoding': 'identity', ...headers }, redirect: 'manual' });

  const assetsOf = async (): Promise<readonly string[]> => {
    const html = await (await get('/docs')).text();
    return addressesIn(html).filter((address) => address.startsWith('assets/'));
  };

  it('is at /docs without a key, and /docs/ leads to it by a relative address', async () => {
    const answer = await get('/docs');
    expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([
      200,
      'text/html; charset=utf-8',
    ]);
    const other = await get('/docs/');
    expect([other.status, other.headers.get('location')]).to.deep.equal([301, '../docs']);
  });

  it('runs scripts of the service only, and none that stands in the page', async () => {
    const answer = await get('/docs');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).to.include("default-src 'none'; script-src 'self'; style-src 'self';");
    expect(policy).not.to.match(/unsafe|https?:|\*/);
    const html = await answer.text();
    expect(html).not.to.match(/<script(?![^>]* src=")|<style|\son\w+=|\sstyle=/);
    for (const address of addressesIn(html)) expect(address).not.to.match(/^(\/|[a-z]+:)/);
  });

  it('loads files that browsers may keep for a year under their versions', async () => {
    const assets = await assetsOf();
    expect(assets).to.have.length(5);
    for (const asset of assets) {
      const answer = await get(`/${asset}`);
      expect(answer.status, asset).to.equal(200);
      expect(answer.headers.get('content-type'), asset).to.match(
        /^(text\/(css|javascript); charset=utf-8|image\/svg\+xml)$/,
      );
      expect(answer.headers.get('cache-control'), asset).to.equal('public, max-age=31536000, immutable');
      const bytes = await answer.arrayBuffer();
      expect(Number(answer.headers.get('content-length')))
        .to.equal(bytes.byteLength)
        .and.above(100);
      const again = await get(`/${asset}`, { 'if-none-match': answer.headers.get('etag') ?? '' });
      expect([again.status, again.headers.get('cache-control')], asset).to.deep.equal([
        304,
        'public, max-age=31536000, immutable',
      ]);
    }
  });

  it('has them answered, but not kept, under another version: the page may be of another instance', async () => {
    for (const query of ['', '?v=', '?v=other']) {
      const answer = await get(`/assets/docs.js${query}`);
      expect([answer.status, answer.headers.get('cache-control')], query).to.deep.equal([200, 'no-cache']);
      expect(answer.headers.get('etag')).to.match(/^"[\w-]{16}"$/);
    }
  });

  it('has no other files', async () => {
    for (const path of [
      '/assets/',
      '/assets/index.html',
      '/assets/constructor',
      '/assets/..%2fpackage.json',
    ]) {
      expect((await get(path)).status, path).to.equal(404);
    }
  });

  it('comes out of a package whose install is reported to nobody (docs/decisions/0019)', () => {
    const lockfile = path.resolve(__dirname, '../../../../package-lock.json');
    const { packages } = JSON.parse(fs.readFileSync(lockfile, 'utf8')) as {
      readonly packages: Readonly<Record<string, { readonly name?: string }>>;
    };
    const scarf = Object.entries(packages).filter(([place]) => place.endsWith('node_modules/@scarf/scarf'));
    expect(scarf).not.to.be.empty;
    for (const [place, { name }] of scarf) expect(name, place).to.equal('@favware/skip-dependency');
  });
});
