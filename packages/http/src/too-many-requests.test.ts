/** Who asks too often: with a key, and without a valid one. */
import type { PriceBooks } from '@pricebook/application';
import { expect } from 'chai';
import * as TE from 'fp-ts/TaskEither';
import type { HttpAppParts } from './app';
import { KEY, type ServedApp, serveApp } from './testing/serve-app';

const priceBooks = {
  list: () => TE.right({ priceBooks: [], next: undefined }),
} as unknown as PriceBooks;

const keyring: HttpAppParts['keyring'] = {
  authenticate: (secret) => (secret.startsWith('key-') ? { keyId: secret, scopes: ['read'] } : undefined),
};

describe('requests that come too fast', () => {
  let app: ServedApp;
  const start = async (parts: Partial<HttpAppParts> = {}) => {
    app = await serveApp({ priceBooks, ...parts });
  };
  afterEach(() => {
    app.close();
  });

  const ask = async (
    key: string,
    headers: Readonly<Record<string, string>> = {},
    path = '/v1/pricebooks',
  ) => {
    const answer = await fetch(app.url + path, { headers: { 'x-api-key': key, ...headers } });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const statuses = async (times: number, ...args: Parameters<typeof ask>): Promise<readonly number[]> => {
    const answers = await Promise.all(Array.from({ length: times }, () => ask(...args)));
    return answers.map(({ status }) => status);
  };
  const count = (found: readonly number[], status: number): number =>
    found.filter((one) => one === status).length;

  it('of a key are 429, say when to come again, and do not hold up other keys', async () => {
    await start({ keyring, rateLimit: 3 });
    const first = await ask('key-a');
    expect([
      first.status,
      first.headers.get('ratelimit-policy'),
      first.headers.get('ratelimit'),
    ]).to.deep.equal([200, '"key";q=3;w=1', '"key";r=2;t=1']);
    const found = await statuses(20, 'key-a');
    expect(count(found, 200)).to.be.within(2, 4);
    const refused = await ask('key-a');
    expect(refused.status).to.equal(429);
    expect(refused.headers.get('content-type')).to.include('application/problem+json');
    expect([refused.headers.get('retry-after'), refused.headers.get('ratelimit')]).to.deep.equal([
      '1',
      '"key";r=0;t=1',
    ]);
    expect(JSON.parse(refused.text)).to.include({ type: '/problems/too-many-requests', status: 429 });
    expect((await ask('key-b')).status).to.equal(200);
    // It comes back as it says.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await ask('key-a')).status).to.equal(200);
  });

  it('of a key are any number, and nothing is said of limits, where there is none', async () => {
    await start({ keyring });
    expect(count(await statuses(200, 'key-a'), 200)).to.equal(200);
    expect((await ask('key-a')).headers.get('ratelimit')).to.equal(null);
  });

  it('are not told by health, which needs no key', async () => {
    await start({ keyring, rateLimit: 1 });
    expect(count(await statuses(20, '', {}, '/health/live'), 200)).to.equal(20);
  });

  it('without a valid key are 429 past a bound, without a line in the log each, and hold up no valid key', async () => {
    await start();
    const found: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      const paths = ['/v1/pricebooks', '/v1/nothing', '/nothing'];
      found.push(...(await statuses(100, 'wrong', {}, paths[n % 3])));
      expect((await ask(KEY)).status).to.equal(200);
    }
    expect(count(found, 401) + count(found, 404)).to.be.within(1_000, 1_150);
    expect(count(found, 429)).to.be.at.least(50);
    const again = await Promise.all(Array.from({ length: 100 }, () => ask('wrong')));
    const refused = again.find(({ status }) => status === 429);
    expect(refused?.headers.get('retry-after')).to.equal('1');
    found.push(...again.map(({ status }) => status));
    const told = app.log().filter((line) => line.includes('"request"') && !line.includes('keyId'));
    expect(told).to.have.length(count(found, 401) + count(found, 404));
    expect(app.log().filter((line) => line.includes('come too fast'))).to.have.length(1);
    expect((await ask(KEY)).status).to.equal(200);
    expect((await ask('', {}, '/health/live')).status).to.equal(200);
  });

  it('are counted alike where paths do not take the method, which nobody needs a key to try', async () => {
    await start();
    const found: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, () => fetch(`${app.url}/health/live`, { method: 'POST' })),
      );
      found.push(...answers.map(({ status }) => status));
    }
    expect(count(found, 405)).to.be.within(1_000, 1_150);
    expect(count(found, 429)).to.equal(found.length - count(found, 405));
    expect(app.log().length).to.be.below(1_200);
    expect((await ask('', {}, '/health/live')).status).to.equal(200);
  });

  it('are told apart by what trusted proxies say of their address', async () => {
    await start({ trustedProxies: 1 });
    const via = (address: string) => ({ 'x-forwarded-for': `6.6.6.6, ${address}` });
    for (let n = 0; n < 12; n += 1) await statuses(100, 'wrong', via('192.0.2.1'));
    expect(await statuses(20, 'wrong', via('192.0.2.1'))).to.include(429);
    expect((await ask('wrong', via('192.0.2.2'))).status).to.equal(401);
  });
});
