import { expect } from 'chai';
import { problemOf } from '../problem';
import { PROBLEM_TEXTS } from '../problem-texts';
import { ONE_OF_EACH_ERROR } from '../testing/one-of-each-error';
import { addressesIn } from '../testing/addresses-in';
import { connect, type ServedApp, serveApp } from '../testing/serve-app';

const CSP =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

describe('the pages of problems', () => {
  let app: ServedApp;
  before(async () => {
    app = await serveApp();
  });
  after(() => {
    app.close();
  });

  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(app.url + path, { headers, redirect: 'manual' });

  it('are where the type of every problem points to, without a key', async () => {
    for (const error of Object.values(ONE_OF_EACH_ERROR)) {
      const { type, title, status } = problemOf(error).problem;
      const answer = await get(type);
      expect(answer.status, type).to.equal(200);
      expect(answer.headers.get('content-type')).to.equal('text/html; charset=utf-8');
      const html = await answer.text();
      expect(html, type)
        .to.include(`<h1>${title}</h1>`)
        .and.include(`<strong>${String(status)} `);
      for (const heading of ['What it means', 'What to do']) expect(html).to.include(`<h2>${heading}</h2>`);
      expect(html).to.include(`&quot;type&quot;: &quot;${type}&quot;`);
    }
  });

  it('are where the type of a refusal points to that never became a request', async () => {
    const refused = await (await connect(app.port, 'NONSENSE\r\n\r\n')).closed;
    const [, type = ''] = /"type":"([^"]+)"/.exec(refused) ?? [];
    expect([type, (await get(type)).status]).to.deep.equal(['/problems/invalid-request', 200]);
  });

  it('are of problems that there are, with examples of that problem', () => {
    const types = Object.values(ONE_OF_EACH_ERROR).map((error) => problemOf(error).problem.type);
    expect(Object.keys(PROBLEM_TEXTS).map((slug) => `/problems/${slug}`)).to.have.members([
      ...new Set(types),
    ]);
    for (const [slug, { examples }] of Object.entries(PROBLEM_TEXTS)) {
      for (const error of examples) {
        expect(problemOf(error).problem.type).to.equal(`/problems/${slug}`);
      }
    }
  });

  it('are listed at /problems/', async () => {
    const answer = await get('/problems/');
    expect(answer.status).to.equal(200);
    const linked = addressesIn(await answer.text());
    expect(linked).to.include.members(Object.keys(PROBLEM_TEXTS));
    const short = await get('/problems');
    expect([short.status, short.headers.get('location')]).to.deep.equal([301, 'problems/']);
  });

  it('show text as text', async () => {
    // Its example has quotes in it, and its text marks code.
    const html = await (await get('/problems/invalid-request')).text();
    expect(html).to.include('<code>errors</code>').and.include('<code>&quot;&quot;</code>');
    expect(html).not.to.include('`');
  });

  it('name all that they load and link by relative addresses, and all of it is there', async () => {
    for (const path of ['/problems/', '/problems/no-price']) {
      const addresses = addressesIn(await (await get(path)).text());
      expect(addresses).not.to.be.empty;
      for (const address of addresses) {
        expect(address).not.to.match(/^(\/|[a-z]+:)/);
        const target = new URL(address, app.url + path);
        expect((await fetch(target)).status, `${path}: ${address}`).to.equal(200);
      }
    }
  });

  it('may load their own stylesheet and icon, and nothing else', async () => {
    for (const path of ['/problems/', '/problems/no-price']) {
      expect((await get(path)).headers.get('content-security-policy')).to.equal(CSP);
    }
  });

  it('are asked about each time, and sent again only where they have changed', async () => {
    const first = await get('/problems/no-price');
    const tag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).to.equal('no-cache');
    const again = await get('/problems/no-price', { 'if-none-match': tag });
    expect([again.status, await again.text()]).to.deep.equal([304, '']);
    const other = await get('/problems/forbidden', { 'if-none-match': tag });
    expect(other.status).to.equal(200);
  });

  it('are not there for what is no problem', async () => {
    for (const path of [
      '/problems/nothing',
      '/problems/constructor',
      '/problems/no-price/',
      '/problems/%00',
    ]) {
      const answer = await get(path);
      expect(answer.status, path).to.equal(404);
      expect(await answer.json()).to.have.property('type', '/problems/no-such-route');
    }
    const posted = await fetch(`${app.url}/problems/no-price`, { method: 'POST' });
    expect([posted.status, posted.headers.get('allow')]).to.deep.equal([405, 'HEAD, GET']);
  });
});
