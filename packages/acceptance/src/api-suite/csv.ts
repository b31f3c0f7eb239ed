/** Prices as CSV: what Set Product Prices takes, and the list of own prices answers, beside JSON. */
import zlib from 'node:zlib';
import { SHEET_COLUMNS } from '@pricebook/domain';
import { expect } from 'chai';
import type { Answer } from '../testing/test-service';
import {
  type Api,
  bodyOf,
  createBook,
  expectProblem,
  expectStatus,
  nothing,
  override,
  percent,
  priceOf,
  setPrices,
  UNKNOWN_BOOK,
  usd,
} from './kit';

const CSV_TYPE = { 'content-type': 'text/csv' };

const tiers = {
  type: 'volume',
  tiers: [
    { firstUnit: 1, lastUnit: 9, unitPrice: 20 },
    { firstUnit: 10, lastUnit: null, unitPrice: 15 },
  ],
};
const colours = {
  type: 'enum',
  property: 'colour',
  values: [
    { value: 'red', unitPrice: 1 },
    { value: 'dark blue', unitPrice: 2 },
  ],
};

/** As it may be sent: without the dates. */
const sheet = (...lines: readonly string[]): string =>
  [SHEET_COLUMNS.slice(0, 9).join(','), ...lines, ''].join('\r\n');

/** As it is answered where nothing has dates. */
const answered = (...lines: readonly string[]): string =>
  [SHEET_COLUMNS.join(','), ...lines.map((line) => `${line},,,,`), ''].join('\r\n');

export const describeCsv = (api: Api): void => {
  const put = (
    book: string,
    raw: string | Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> =>
    api().request('PUT', `/v1/pricebooks/${book}/prices`, { raw, headers: { ...CSV_TYPE, ...headers } });
  const csvOf = async (book: string, query = '', accept = 'text/csv'): Promise<Answer> =>
    api().request('GET', `/v1/pricebooks/${book}/prices${query}`, { headers: { accept } });
  const eventsOf = async (book: string): Promise<readonly { type: string; requestId: string }[]> =>
    expectStatus(await api().request('GET', `/v1/pricebooks/${book}/events`), 200).body as readonly {
      type: string;
      requestId: string;
    }[];

  describe('Set Product Prices as CSV', () => {
    it('sets prices, own percents and the percents of the book together', async () => {
      const book = await createBook(api);
      const answer = expectStatus(
        await put(
          book,
          sheet(
            'all,USD,percent,10,,,,,',
            'lamp,USD,percent,-20,,,,,',
            'lamp,USD,override,100,,,,,',
            'seat,usd,volume,,,,10,,15',
            'seat,usd,volume,,,,1,9,20',
            'cable,USD,percent,0,,,,,',
          ),
        ),
        200,
      );
      const { updatedAt, ...others } = bodyOf(answer);
      expect(others).to.deep.equal({ priceBookId: book, revision: 2, productsSet: 3 });
      expect(updatedAt).to.be.a('string');
      expect(answer.headers.get('etag')).to.equal('"2"');
      expect([
        await priceOf(api, book, 'lamp'),
        await priceOf(api, book, 'seat'),
        await priceOf(api, book, 'seat', '?quantity=10'),
        await priceOf(api, book, 'cable'),
      ]).to.deep.equal([80, 22, 16.5, undefined]);
      const events = await eventsOf(book);
      expect(events.map(({ type }) => type)).to.deep.equal([
        'PriceBookCreated',
        'ProductPricesSet',
        'AllProductsAdjusted',
      ]);
      expect(new Set(events.slice(1).map(({ requestId }) => requestId)).size).to.equal(1);
    });

    it('makes one event of what one event can say, and none of nothing', async () => {
      const book = await createBook(api);
      const answers = [
        await put(book, sheet('P,USD,override,1,,,,,', 'P,EUR,percent,5,,,,,', 'Q,USD,null,,,,,,')),
        await put(book, sheet('all,USD,percent,5,,,,,')),
        await put(book, sheet()),
      ];
      expect(
        answers.map((answer) => {
          const { revision, productsSet } = bodyOf(expectStatus(answer, 200));
          return [revision, productsSet];
        }),
      ).to.deep.equal([
        [1, 2],
        [2, null],
        [2, 0],
      ]);
    });

    it('acts once under an Idempotency-Key, however many events it makes', async () => {
      const book = await createBook(api);
      const rows = sheet('all,USD,percent,10,,,,,', 'P,USD,override,100,,,,,', 'P,USD,percent,-20,,,,,');
      const answers = await Promise.all(
        Array.from({ length: 4 }, () => put(book, rows, { 'idempotency-key': 'sheet' })),
      );
      const bodies = answers.map((answer) => bodyOf(expectStatus(answer, 200)));
      expect(new Set(bodies.map((body) => JSON.stringify(body))).size).to.equal(1);
      expect(bodies[0]).to.include({ revision: 2, productsSet: 1 });
      expect(await eventsOf(book)).to.have.length(3);
      const other = await put(book, sheet('P,USD,override,1,,,,,'), { 'idempotency-key': 'sheet' });
      expectProblem(other, { status: 422 });
    });

    it('removes what a null row names', async () => {
      const book = await createBook(api);
      await setPrices(api, book, [usd('P', override(100)), usd('Q', override(100))]);
      await setPrices(api, book, { productId: 'all', adjustments: { USD: percent(10) } });
      expectStatus(await put(book, sheet('P,USD,null,,,,,,', 'all,USD,null,,,,,,')), 200);
      expect([await priceOf(api, book, 'P'), await priceOf(api, book, 'Q')]).to.deep.equal([undefined, 100]);
    });

    it('lets the percent decide in a book with a base, where a product is given a price as well', async () => {
      const root = await createBook(api);
      await setPrices(api, root, [usd('P', override(100))]);
      const derived = await createBook(api, { basePriceBookId: root });
      expectStatus(await put(derived, sheet('P,USD,override,7,,,,,', 'P,USD,percent,50,,,,,')), 200);
      expect(await priceOf(api, derived, 'P')).to.equal(150);
    });

    it('sets all or nothing, and tells every fault with its line', async () => {
      const book = await createBook(api);
      const answer = await put(
        book,
        sheet(
          'P,USD,override,1,,,,,',
          'Q,USD,enum,,size,"a\r\nb",,,1',
          'R,USD,override,"1,5",,,,,',
          'S,XAU,null',
        ),
      );
      expectProblem(answer, { status: 400, type: 'invalid-request', pointers: ['', ''] });
      expect(bodyOf(answer)['errors']).to.deep.equal([
        {
          pointer: '',
          detail:
            'line 5, column amount: must be a number from 0 to 1000000000000000, not "1,5"; numbers are written such as 1234.5',
          line: 5,
          column: 'amount',
        },
        { pointer: '', detail: 'line 6: has 3 cells; the first row names 9 columns', line: 6 },
      ]);
      expect(await priceOf(api, book, 'P')).to.equal(undefined);
    });

    it('is UTF-8 under text/csv, with or without a byte order mark, compressed or not', async () => {
      const book = await createBook(api);
      const text = sheet('Grüße 🎈,USD,override,1,,,,,');
      for (const type of ['text/csv; charset=utf-8', 'Text/CSV;charset=UTF-8', 'text/csv; header=present']) {
        expectStatus(await put(book, `\ufeff${text}`, { 'content-type': type }), 200);
      }
      const gzip = new Uint8Array(zlib.gzipSync(text));
      expectStatus(await put(book, gzip, { 'content-encoding': 'gzip' }), 200);
      expect(await priceOf(api, book, 'Grüße 🎈')).to.equal(1);
      for (const type of ['text/csv; charset=windows-1252', 'text/plain', 'text/tab-separated-values']) {
        expectProblem(await put(book, text, { 'content-type': type }), { status: 415 });
      }
      expectProblem(await put(book, new Uint8Array(Buffer.from(text, 'latin1'))), {
        status: 400,
        says: 'line 2: is not UTF-8',
      });
      // Only the prices speak it.
      const answer = await api().request('POST', '/v1/pricebooks', { raw: 'name\r\nA', headers: CSV_TYPE });
      expectProblem(answer, { status: 415, says: 'application/json' });
    });

    it('has the limits of JSON', async () => {
      const book = await createBook(api);
      const rows = sheet('P,USD,override,1,,,,,');
      const padded = (bytes: number) => rows + '\r\n'.repeat((bytes - rows.length) / 2);
      const MIB = 1024 * 1024;
      expectStatus(await put(book, padded(MIB - (rows.length % 2))), 200);
      expectProblem(await put(book, padded(MIB + 2 - (rows.length % 2))), { status: 413 });
    }).timeout(30_000);

    it('is 404 where there is no such book, after its faults, and 412 where the book has moved on', async () => {
      const rows = sheet('P,USD,override,1,,,,,');
      expectProblem(await put(UNKNOWN_BOOK, rows), { status: 404, type: 'price-book-not-found' });
      expectProblem(await put(UNKNOWN_BOOK, sheet('P,USD,gift,1,,,,,')), { status: 400 });
      const book = await createBook(api);
      expectStatus(await put(book, rows, { 'if-match': '"0"' }), 200);
      expectProblem(await put(book, rows, { 'if-match': '"0"' }), { status: 412 });
    });
  });

  describe('The prices of a book as CSV', () => {
    /** A book that has something of everything. */
    const filled = async (): Promise<string> => {
      const book = await createBook(api);
      await setPrices(api, book, [
        usd('seat', tiers),
        usd('line', { ...colours, values: [{ value: 'a,"b"\r\nc', unitPrice: 1 }, ...colours.values] }),
        usd('cable', {
          type: 'range',
          property: 'n',
          values: [{ firstUnit: 0, lastUnit: 1.5, unitPrice: 1e-7 }],
        }),
        { productId: '=1+1', adjustments: { USD: override(0.1), EUR: percent(-5) } },
      ]);
      await setPrices(api, book, [usd('seat', percent(-10)), usd('gone', override(1))]);
      await setPrices(api, book, [usd('gone', nothing)]);
      await setPrices(api, book, { productId: 'all', adjustments: { USD: percent(10), EUR: percent(0) } });
      return book;
    };

    it('are the percents of the book and then the products by id, in rows that end in CR LF', async () => {
      const answer = expectStatus(await csvOf(await filled()), 200);
      expect(answer.headers.get('content-type')).to.equal('text/csv; charset=utf-8; header=present');
      expect(answer.headers.get('etag')).to.equal('"4-csv"');
      expect(answer.headers.get('vary')).to.equal('Accept, Accept-Encoding');
      expect(answer.headers.get('link')).to.equal(null);
      expect(answer.body).to.equal(
        answered(
          'all,EUR,percent,0,,,,,',
          'all,USD,percent,10,,,,,',
          '=1+1,EUR,percent,-5,,,,,',
          '=1+1,USD,override,0.1,,,,,',
          'cable,USD,range,,n,,0,1.5,1e-7',
          'line,USD,enum,,colour,"a,""b""\r\nc",,,1',
          'line,USD,enum,,colour,red,,,1',
          'line,USD,enum,,colour,dark blue,,,2',
          'seat,USD,volume,,,,1,9,20',
          'seat,USD,volume,,,,10,,15',
          'seat,USD,percent,-10,,,,,',
        ),
      );
    });

    it('come in pages where a limit is given, and in one currency where that is asked for', async () => {
      const book = await filled();
      const first = expectStatus(await csvOf(book, '?limit=2&currency=usd'), 200);
      expect(first.body).to.equal(
        answered('all,USD,percent,10,,,,,', '=1+1,USD,override,0.1,,,,,', 'cable,USD,range,,n,,0,1.5,1e-7'),
      );
      const [, next = ''] = /<prices(.*)>/.exec(first.headers.get('link') ?? '') ?? [];
      const rest = expectStatus(await csvOf(book, next.replace('limit=2&', '')), 200);
      expect(rest.headers.get('link')).to.equal(null);
      expect(String(rest.body).split('\r\n').slice(1, 3)).to.deep.equal([
        'line,USD,enum,,colour,"a,""b""',
        'c",,,1,,,,',
      ]);
      expect(expectStatus(await csvOf(book, '?currency=JPY'), 200).body).to.equal(answered());
    });

    it('are answered to who prefers them; JSON is what others get', async () => {
      const book = await createBook(api);
      for (const [accept, type] of [
        ['text/csv', 'text/csv'],
        ['text/csv;q=0.5, application/json;q=0.4', 'text/csv'],
        ['text/*', 'text/csv'],
        ['application/json;q=0.5, text/csv;q=0.4', 'application/json'],
        ['*/*', 'application/json'],
        ['text/html, */*;q=0.1', 'application/json'],
      ] as const) {
        const answer = expectStatus(await csvOf(book, '', accept), 200);
        expect(answer.headers.get('content-type'), accept).to.match(new RegExp(`^${type};`));
        expect(answer.headers.get('vary')).to.match(/^Accept\b/);
      }
      const refused = await csvOf(book, '', 'text/html');
      expectProblem(refused, { status: 406, says: 'application/json or text/csv' });
    });

    it('are 304 to who has them, 404 without the book, and 400 as the list is', async () => {
      const book = await createBook(api);
      const list = (accept: string, tag: string): Promise<Answer> =>
        api().request('GET', `/v1/pricebooks/${book}/prices`, { headers: { accept, 'if-none-match': tag } });
      expectStatus(await list('text/csv', '"0-csv"'), 304);
      expectStatus(await list('text/csv', 'W/"0-csv"'), 304);
      // Who has it as JSON does not have it as CSV, and the other way round.
      expectStatus(await list('text/csv', '"0"'), 200);
      expectStatus(await list('application/json', '"0-csv"'), 200);
      expectStatus(await list('application/json', '"0"'), 304);
      const head = await api().request('HEAD', `/v1/pricebooks/${book}/prices`, {
        headers: { accept: 'text/csv' },
      });
      expect([head.status, head.headers.get('etag'), head.body]).to.deep.equal([200, '"0-csv"', '']);
      expectProblem(await csvOf(UNKNOWN_BOOK), { status: 404, type: 'price-book-not-found' });
      expectProblem(await csvOf(book, '?limit=0'), { status: 400 });
      expectProblem(await csvOf(book, '?name=x'), { status: 400 });
    });

    it('have a tag with which a write can say what it has seen', async () => {
      const book = await createBook(api);
      const tag = (await csvOf(book)).headers.get('etag') ?? '';
      const write = (ifMatch: string): Promise<Answer> =>
        api().request('PUT', `/v1/pricebooks/${book}/prices`, {
          json: [usd('lamp', override(1))],
          headers: { 'if-match': ifMatch },
        });
      expectStatus(await write(tag), 200);
      expectProblem(await write(tag), { status: 412, says: 'revision 1' });
    });
  });
};
