import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { addressesIn } from '../testing/addresses-in';
import { type ServedApp, serveApp } from '../testing/serve-app';
import { version } from '../version';

const BROWSERS = [
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'text/html',
];

describe('the page at /', () => {
  const consoleFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'pricebook-console-'));
  let app: ServedApp;
  before(async () => {
    fs.writeFileSync(path.join(consoleFolder, 'index.html'), '<!doctype html><title>Built</title>');
    app = await serveApp({ consoleFolder });
  });
  after(() => {
    app.close();
    fs.rmSync(consoleFolder, { recursive: true });
  });

  const get = (headers: Readonly<Record<string, string>>, method = 'GET') =>
    fetch(`${app.url}/`, { headers, method });

  it('tells a browser where to go, by relative addresses, all of which are there', async () => {
    for (const accept of BROWSERS) {
      const answer = await get({ accept });
      expect([answer.status, answer.headers.get('content-type')], accept).to.deep.equal([
        200,
        'text/html; charset=utf-8',
      ]);
      expect(answer.headers.get('vary')).to.match(/^Accept\b/);
      expect(answer.headers.get('content-security-policy')).to.include("default-src 'none'");
      const html = await answer.text();
      expect(html).to.include(`Version ${version}.`).and.include('<code>x-api-key</code>');
      const addresses = addressesIn(html);
      expect(addresses).to.include.members(['docs', 'openapi.json', 'health/ready', 'metrics', 'problems/']);
      for (const address of addresses) {
        expect(address).not.to.match(/^(\/|[a-z]+:)/);
        expect((await fetch(new URL(address, `${app.url}/`))).status, address).to.equal(200);
      }
    }
    const head = await get({ accept: 'text/html' }, 'HEAD');
    expect([head.status, await head.text()]).to.deep.equal([200, '']);
  });

  it('is sent again only where it has changed', async () => {
    const first = await get({ accept: 'text/html' });
    expect(first.headers.get('cache-control')).to.equal('no-cache');
    const again = await get({ accept: 'text/html', 'if-none-match': first.headers.get('etag') ?? '' });
    expect([again.status, await again.text()]).to.deep.equal([304, '']);
  });

  it('is not there for clients that take JSON, or anything', async () => {
    for (const accept of ['application/json', '*/*', 'application/json, text/html;q=0.9', 'text/csv']) {
      const answer = await get({ accept });
      expect([answer.status, answer.headers.get('content-type'), answer.headers.get('vary')]).to.deep.equal([
        404,
        'application/problem+json',
        'Accept',
      ]);
      expect(await answer.json()).to.include({ type: '/problems/no-such-route' });
    }
    const posted = await get({ accept: 'text/html' }, 'POST');
    expect([posted.status, posted.headers.get('allow')]).to.deep.equal([405, 'HEAD, GET']);
  });
});
