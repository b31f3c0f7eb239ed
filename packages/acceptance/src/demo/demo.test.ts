import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect } from 'chai';
import { startTestService, TEST_KEY, type TestService } from '../testing/test-service';
import { demo, readSample } from '@pricebook/service/testing';

const run = async (url: string, key: string | undefined): Promise<readonly string[]> => {
  const printed: string[] = [];
  await demo({ url, key, print: (text) => printed.push(...text.split('\n')), isTerminal: false });
  return printed;
};

const failureOf = async (url: string, key: string | undefined): Promise<string> => {
  try {
    await run(url, key);
  } catch (failure) {
    if (failure instanceof Error) return failure.message;
  }
  throw new Error('the demo was expected to fail with an Error');
};

/** Runs something while a server answers everything alike. */
const withServer = async (
  answer: (response: http.ServerResponse) => void,
  use: (url: string) => Promise<void>,
): Promise<void> => {
  const server = http.createServer((_, response) => {
    answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await use(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
};

describe('the demo', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(async () => {
    await service.stop();
    service.remove();
  });

  it('loads the sample and shows prices of every kind with how they came about', async () => {
    const printed = await run(service.url, TEST_KEY);
    expect(printed[0]).to.equal('Loading a sample price list into new price books');
    const table = printed.slice(
      printed.findIndex((line) => line.startsWith('  override')),
      printed.indexOf('The price books are yours to try:') - 1,
    );
    expect(table).to.deep.equal([
      '  override        list     HW-MON-27-QHD, USD',
      '      249.00 USD = list price',
      '  enum            list     cloud/compute/general-4, EUR, region=eu-central',
      '      0.1671 EUR = list price for region eu-central',
      '  range           list     support/server/fleet-month, USD, devices=120',
      '      23.20 USD = list price for devices 120 (100 to 499)',
      '  volume          list     software/office/standard/seat-year, GBP, quantity=25',
      '      66.15 GBP = list price for quantity 25 (10 to 49)',
      '  own percent     list     HW-MON-27-4K, USD',
      '      311.20 USD = 389.00 USD list price - 20 % of the product',
      '  book percent    list     HW-KB-WIRELESS-JP, JPY',
      '      11,000 JPY = 10,000 JPY list price + 10 % of the book',
      '  3 minor units   list     HW-KB-WIRELESS-UK, BHD',
      '      26.198 BHD = 24.950 BHD list price + 5 % of the book, rounded from 26.1975 BHD',
      '  held by 0 %     list     HW-ACC-TOKEN-FIDO, JPY',
      '      4,400 JPY = 4,400 JPY list price + 0 % of the product',
      '  derived book    partner  HW-KB-WIRELESS-JP, JPY',
      '      9,350 JPY = 11,000 JPY in "Sample list prices" - 15 % of the book',
      '      11,000 JPY = 10,000 JPY list price + 10 % of the book',
      '  special price   partner  HW-MON-27-QHD, USD',
      '      199.00 USD = special price',
      '  chain of books  gold     HW-SRV-2U-32C-512G, USD',
      '      5,985.00 USD = 6,300.00 USD in "Sample partner prices" - 5 % of the book',
      '      6,300.00 USD = 8,400.00 USD in "Sample list prices" - 25 % of the product',
      '      8,400.00 USD = list price',
      '  below a cent    partner  cloud/ai/speech/second, USD',
      '      0.0002975 USD = 0.00035 USD in "Sample list prices" - 15 % of the book',
      '      0.00035 USD = list price',
      '  any language    gold     schulung/einführung-für-administratoren, EUR',
      '      1,010.18 EUR = 1,063.35 EUR in "Sample partner prices" - 5 % of the book, rounded from 1,010.1825 EUR',
      '      1,063.35 EUR = 1,251.00 EUR in "Sample list prices" - 15 % of the book',
      '      1,251.00 EUR = 1,390.00 EUR list price - 10 % of the product',
      '  no price        list     HW-MON-40-5K, EUR',
      '      no price (404): The product has no list price in this currency, in this book or in its bases.',
    ]);
  });

  it('runs again with books of its own, also when the address is given as the service prints it', async () => {
    const ids = (printed: readonly string[]): readonly string[] =>
      printed.flatMap((line) => /^ {2}(?:list|partner|gold) +([0-9a-f-]{36}) /.exec(line)?.[1] ?? []);
    const first = ids(await run(service.url, TEST_KEY));
    const second = ids(await run(`${service.url}/v1/`, TEST_KEY));
    expect(first).to.have.length(3);
    expect(new Set([...first, ...second]).size).to.equal(6);
  });

  it('ends with a request that works, and keeps the key out of what is no terminal', async () => {
    const curl = (await run(service.url, TEST_KEY)).at(-1) ?? '';
    const [, header, url = ''] = /^ {2}curl -H "([^"]+)" "([^"]+)"$/.exec(curl) ?? [];
    expect(header).to.equal('x-api-key: $PRICEBOOK_KEY');
    const answer = await fetch(url, { headers: { 'x-api-key': TEST_KEY } });
    expect(await answer.json()).to.include({ productId: 'HW-KB-WIRELESS-JP', currency: 'JPY', price: 9350 });
  });

  for (const file of ['sample-price-list.json', 'sample-own-percents.json']) {
    it(`has a sample of which the service takes every item, also in one request: ${file}`, async () => {
      const items = readSample(file);
      const book = await service.request('POST', '/v1/pricebooks', { json: { name: file } });
      const { id } = book.body as { readonly id: string };
      const answer = await service.request('PUT', `/v1/pricebooks/${id}/prices`, { json: items });
      expect(answer.body).to.include({ productsSet: items.length });
    });
  }

  it('says where a key comes from when there is none', async () => {
    for (const key of [undefined, '']) {
      const message = await failureOf(service.url, key);
      expect(message).to.match(/^The demo needs an API key\./);
      expect(message).to.contain('npm start').and.to.contain('PRICEBOOK_KEY=<the key> npm run demo');
    }
  });

  it('says so when the key is refused', async () => {
    for (const key of ['a-wrong-key-for-tests', 'ключ', 'not visible']) {
      const message = await failureOf(service.url, key);
      expect(message).to.contain(`The service at ${service.url} refuses this API key.`);
      expect(message).to.contain('PRICEBOOK_KEY=<the key> npm run demo');
      expect(message).not.to.contain(key);
    }
  });

  it('says how to start the service when none answers', async () => {
    let free = '';
    await withServer(
      (response) => response.end(),
      async (url) => {
        free = url;
        await Promise.resolve();
      },
    );
    const message = await failureOf(free, TEST_KEY);
    expect(message).to.contain(`No service answers at ${free} (ECONNREFUSED).`);
    expect(message).to.contain('npm start').and.to.contain('--url');
  });

  it('tells another server from the service', async () => {
    await withServer(
      (response) => response.end('<p>hello</p>'),
      async (url) => {
        expect(await failureOf(url, TEST_KEY)).to.contain(
          `What answers at ${url} is not the price book service (status 200).`,
        );
      },
    );
  });

  it('passes on why the service refuses a request', async () => {
    await withServer(
      (response) => {
        response.writeHead(403, { 'content-type': 'application/problem+json' });
        response.end(
          JSON.stringify({ type: '/problems/forbidden', status: 403, detail: 'It may only read.' }),
        );
      },
      async (url) => {
        expect(await failureOf(url, TEST_KEY)).to.contain('(status 403): It may only read.');
      },
    );
  });

  it('refuses what is no address', async () => {
    for (const url of ['localhost:3000', 'ftp://127.0.0.1', '', 'http://']) {
      expect(await failureOf(url, TEST_KEY)).to.contain('is not an address such as http://127.0.0.1:3000.');
    }
  });
});
