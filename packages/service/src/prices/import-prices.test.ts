import fs from 'node:fs';
import path from 'node:path';
import { SHEET_COLUMNS } from '@pricebook/domain';
import { expect } from 'chai';
import { newFolder } from '../testing/new-folder';
import { type Imported, type ImportOptions, importPrices } from './import-prices';
import { importedSentence } from './sentences';
import { openSheetFile } from './sheet-file';
import { createFakeService, type FakeService } from './testing/fake-service';

const BOOK = '01890000-0000-7000-8000-000000000000';
/** Without the dates. */
const HEAD = SHEET_COLUMNS.slice(0, 9).join(',');

const override = (product: string, amount: number | string): string =>
  `${product},USD,override,${String(amount)},,,,,`;
/** Of more products than one request takes. */
const manyRows = (count: number, amount = 1): readonly string[] =>
  Array.from({ length: count }, (_, n) => override(`P${String(n)}`, amount));

describe('the import of prices', () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(() => {
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const write = (rows: readonly string[], name = 'prices.csv'): string => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, [HEAD, ...rows, ''].join('\r\n'));
    return file;
  };

  const run = async (
    service: FakeService,
    path: string,
    options: Partial<ImportOptions> = {},
    signal = new AbortController().signal,
  ): Promise<Imported> => {
    const file = await openSheetFile(path);
    try {
      return await importPrices(service, BOOK, file, {
        patience: { ms: 1_000, signal },
        clock: { now: () => '2026-11-22T12:00:00.000Z' },
        onChecked: () => undefined,
        onSent: () => undefined,
        ...options,
      });
    } finally {
      await file.close();
    }
  };

  const productsOf = ({ done }: FakeService): readonly string[] =>
    done.flatMap(({ items }) => items.map(({ productId }) => productId));

  it('sends requests that the service takes, each product once, and the percents of the book last', async () => {
    const service = createFakeService();
    const imported = await run(service, write(['all,USD,percent,10,,,,,', ...manyRows(4_500)]));
    expect(service.done.map(({ items }) => items.length)).to.deep.equal([2_000, 2_000, 500]);
    expect(service.done.map(({ allProducts }) => Object.keys(allProducts).length)).to.deep.equal([0, 0, 1]);
    expect(imported).to.deep.include({
      _tag: 'Sent',
      done: { requests: 3, products: 4_500 },
      doneBefore: 0,
      revision: 4,
      hasOthers: false,
    });
    expect(importedSentence(imported, 'x')).to.equal(
      'Imported: 4,501 rows of 4,500 products, in 3 requests. The book is at revision 4.',
    );
  });

  it('keeps the rows of a product together wherever they stand', async () => {
    const service = createFakeService();
    const others = manyRows(5_000);
    await run(
      service,
      write(['Q,USD,volume,,,,10,,1', ...others, 'Q,USD,volume,,,,1,9,2', 'Q,USD,percent,5,,,,,']),
    );
    expect(new Set(productsOf(service)).size).to.equal(5_001);
    expect(productsOf(service)).to.have.length(5_001);
    const last = service.done.at(-1);
    expect(last?.items.at(-1)).to.deep.equal({
      productId: 'Q',
      adjustments: {
        USD: [
          {
            type: 'volume',
            tiers: [
              { firstUnit: 1, lastUnit: 9, unitPrice: 2 },
              { firstUnit: 10, lastUnit: null, unitPrice: 1 },
            ],
          },
          { type: 'percent', amount: 5 },
        ],
      },
    });
  });

  it('fills requests by bytes as well, and tears a large product apart by its currencies alone', async () => {
    const service = createFakeService();
    const long = 'x'.repeat(250);
    const rows = ['USD', 'EUR', 'GBP', 'JPY', 'CHF'].flatMap((currency) =>
      Array.from({ length: 400 }, (_, n) => `${long},${currency},enum,,${long},${long}${String(n)},,,1`),
    );
    const imported = await run(service, write([...rows, ...manyRows(1)]));
    expect(service.bodies.every((body) => body.length <= 1024 * 1024)).to.equal(true);
    expect(productsOf(service).filter((id) => id === long)).to.have.length(5);
    expect(imported).to.deep.include({ done: { requests: 6, products: 2 } });
  });

  it('says which table no request could hold', async () => {
    const long = '€'.repeat(250);
    const rows = Array.from({ length: 1_000 }, (_, n) => `P,USD,enum,,${long},${long}${String(n)},,,1`);
    const imported = await run(createFakeService(), write(rows));
    expect(importedSentence(imported, 'x')).to.match(
      /^line 2, column productId: has 1,\d\d\d,\d\d\d bytes of rows in USD; the service takes 1,048,/,
    );
  });

  it('tells every faulty line, the first 50 one by one, and sends nothing', async () => {
    const service = createFakeService();
    const file = write([
      ...manyRows(3_000),
      override('Q', '"1,5"'),
      '"R\nS",USD,override,1,,,,,',
      override('P7', 2),
      'T,USD,enum,,x,"a\r\nb",,,-1',
      'T,USD',
    ]);
    const imported = await run(service, file);
    expect(service.asked()).to.equal(0);
    expect(importedSentence(imported, 'x').split('\n')).to.deep.equal([
      'line 3002, column amount: must be a number from 0 to 1000000000000000, not "1,5"; numbers are written such as 1234.5',
      'line 3003, column productId: must not hold control characters',
      'line 3005: sets again what line 9 sets',
      'line 3006, column unitPrice: must be a number from 0 to 1000000000000000, not -1',
      'line 3008: has 2 cells; the first row names 9 columns',
      '5 faults in 3,004 rows. Nothing was imported.',
    ]);
    const many = await run(
      service,
      write(Array.from({ length: 30_000 }, (_, n) => override(`P${String(n)}`, 'x'))),
    );
    const said = importedSentence(many, 'x').split('\n');
    expect(said).to.have.length(52);
    expect(said[49]).to.match(/^line 51, /);
    expect(said.slice(50)).to.deep.equal([
      '... and 29,950 more faults',
      '30,000 faults in 30,000 rows. Nothing was imported.',
    ]);
    expect(service.asked()).to.equal(0);
  }).timeout(30_000);

  it('goes on where it ended, and does nothing twice', async () => {
    let isDown = true;
    const service = createFakeService((request) =>
      isDown && request === 2
        ? { _tag: 'Refused', status: 507, detail: 'It is full.', errors: [] }
        : undefined,
    );
    const file = write(manyRows(9_000));
    const first = await run(service, file);
    expect(importedSentence(first, 'http://x').split('\n')).to.deep.equal([
      'The service at http://x refuses this (status 507): It is full.',
      '2 requests of 5 done, with 4,000 products. Run the same command again with the same API key within 24 hours: it goes on where it ended.',
    ]);
    isDown = false;
    service.write();
    const second = await run(service, file);
    expect(productsOf(service)).to.have.length(9_000);
    expect(importedSentence(second, 'x')).to.equal(
      'Imported: 9,000 rows of 9,000 products, in 5 requests (of which 2 were done before). The book is at revision 6. ' +
        'Others have written to the book in between.',
    );
    expect(second._tag === 'Sent' && importedSentence({ ...second, doneBefore: 1 }, 'x')).to.include(
      'in 5 requests (of which 1 was done before). ',
    );
    const third = await run(service, file);
    expect(productsOf(service)).to.have.length(9_000);
    expect(importedSentence(third, 'x')).to.match(/^Nothing to do: the file, .* since revision 6\.$/);
  });

  it('imports a file once more where the book was changed after it, and resumes that, too', async () => {
    let failAt = Infinity;
    const service = createFakeService((request) =>
      request === failAt ? { _tag: 'Refused', status: 500, detail: '', errors: [] } : undefined,
    );
    const [one, other] = [write(manyRows(3_000, 1)), write(manyRows(3_000, 2), 'other.csv')];
    const amounts = () => {
      const last = new Map(
        service.done.flatMap(({ items }) =>
          items.map((item) => [item.productId, JSON.stringify(item)] as const),
        ),
      );
      return [...new Set([...last.values()].map((text) => /"amount":(\d)/.exec(text)?.[1]))];
    };
    await run(service, one);
    await run(service, other);
    expect(amounts()).to.deep.equal(['2']);
    // The first two are found done, one is sent again, and then it ends.
    failAt = service.asked() + 3;
    expect(await run(service, one)).to.have.property('stop');
    expect(amounts()).to.deep.equal(['1', '2']);
    expect(await run(service, one)).to.deep.include({ doneBefore: 1 });
    expect(amounts()).to.deep.equal(['1']);
    expect(service.done).to.have.length(6);
    await run(service, one);
    expect(service.done).to.have.length(6);
  });

  it('waits for a service that is busy, and ends when it is told to', async () => {
    const busy = { _tag: 'Busy', afterMs: 150, detail: 'Too many.' } as const;
    const service = createFakeService((request) => (request < 2 ? busy : undefined));
    const started = performance.now();
    await run(service, write(manyRows(10)));
    expect(performance.now() - started).to.be.greaterThan(300);
    expect(service.done).to.have.length(1);

    const always = createFakeService(() => busy);
    const given = await run(always, write(manyRows(10)));
    expect(importedSentence(given, 'http://x')).to.include('does not take more for now: Too many.');

    const stopping = new AbortController();
    const stopped = createFakeService((request) => {
      if (request === 1) stopping.abort();
      return undefined;
    });
    const interrupted = await run(stopped, write(manyRows(9_000)), {
      patience: { ms: 1_000, signal: stopping.signal },
    });
    expect(importedSentence(interrupted, 'x').split('\n')).to.deep.equal([
      'The import was interrupted.',
      '2 requests of 5 done, with 4,000 products. Run the same command again with the same API key within 24 hours: it goes on where it ended.',
    ]);
  });

  it('ends where the file is written to', async () => {
    const file = write(manyRows(9_000));
    const service = createFakeService((request) => {
      if (request === 1) fs.appendFileSync(file, 'more');
      return undefined;
    });
    const imported = await run(service, file);
    expect(imported).to.deep.include({ stop: { _tag: 'FileChanged' } });
    expect(service.done).to.have.length(2);
  });

  const writeJson = (text: string): string => {
    const file = path.join(folder, 'prices.txt');
    fs.writeFileSync(file, text);
    return file;
  };

  it('sends what a JSON file says as it would send the same rows of a CSV file', async () => {
    const tiers = [
      { firstUnit: 10, unitPrice: 15 },
      { firstUnit: 1, lastUnit: 9, unitPrice: 20 },
    ];
    const items = [
      {
        productId: 'a,"b"',
        adjustments: { usd: { type: 'volume', tiers }, EUR: { type: 'percent', amount: -5 } },
      },
      { productId: 'none', adjustments: {} },
      { productId: 'gone', adjustments: { USD: { type: 'null', amount: null } } },
      ...Array.from({ length: 3_000 }, (_, n) => ({
        productId: `P${String(n)}`,
        adjustments: { USD: { type: 'override', amount: 0.049999999999999996 } },
      })),
    ];
    const service = createFakeService();
    const imported = await run(service, writeJson(` \n${JSON.stringify(items)}`));
    expect(importedSentence(imported, '')).to.match(/^Imported: 3,004 rows of 3,002 products, in 2 requests/);
    const set = service.done.flatMap((done) => done.items);
    expect(set.slice(0, 2)).to.deep.equal([
      {
        productId: 'a,"b"',
        adjustments: {
          EUR: { type: 'percent', amount: -5 },
          USD: {
            type: 'volume',
            tiers: [
              { firstUnit: 1, lastUnit: 9, unitPrice: 20 },
              { firstUnit: 10, lastUnit: null, unitPrice: 15 },
            ],
          },
        },
      },
      { productId: 'gone', adjustments: { USD: { type: 'null', amount: null } } },
    ]);
    expect(set.at(-1)).to.deep.equal(items.at(-1));
    const again = await run(service, writeJson(` \n${JSON.stringify(items)}`));
    expect(importedSentence(again, '')).to.match(/^Nothing to do/);
  });

  const DATED_HEAD = 'productId,currency,type,amount,validFrom,validUntil';
  const writeDated = (...rows: readonly string[]): string => {
    const file = path.join(folder, 'dated.csv');
    fs.writeFileSync(file, [DATED_HEAD, ...rows, ''].join('\n'));
    return file;
  };

  it('sends what has dates, all of a product and currency together and in order', async () => {
    const service = createFakeService();
    const months = Array.from({ length: 300 }, (_, n) => String(2100 + n));
    const rows = months.map((year) => `P,USD,override,${year},${year}-01-01T00:00:00Z,`);
    await run(
      service,
      writeDated(...rows, 'Q,USD,override,1,,', 'P,USD,override,1,,', 'P,EUR,cancel,,,2020-01-01T00:00:00Z'),
    );
    const items = service.done.flatMap((done) => done.items);
    expect(items.map(({ productId }) => productId)).to.deep.equal(['Q', 'P']);
    expect(items[1]?.adjustments).to.deep.equal({
      USD: [
        { type: 'override', amount: 1 },
        ...months.map((year) => ({
          type: 'override',
          amount: Number(year),
          validFrom: `${year}-01-01T00:00:00.000Z`,
        })),
      ],
      EUR: { type: 'cancel', validUntil: '2020-01-01T00:00:00.000Z' },
    });
  });

  it('sends nothing of a file in which something has ended', async () => {
    const service = createFakeService();
    const file = writeDated(
      'P,USD,override,1,,2026-11-22T12:00:00.001Z',
      'Q,USD,override,1,,2026-11-22T13:00:00+01:00',
    );
    expect(importedSentence(await run(service, file), 'x').split('\n')).to.deep.equal([
      'line 3, column validUntil: must be after the time of the request, 2026-11-22T12:00:00.000Z',
      '1 fault in 2 rows. Nothing was imported.',
    ]);
    expect(service.asked()).to.equal(0);
  });

  it('sends arrays of a JSON file, and refuses an order that rows do not have', async () => {
    const service = createFakeService();
    const later = { type: 'override', amount: 2, validFrom: '2100-01-01T00:00:00.000Z' };
    const one = { type: 'override', amount: 1 };
    const less = { type: 'percent', amount: -5 };
    const nothing = { type: 'null', amount: null };
    const item = (...adjustments: readonly object[]) =>
      JSON.stringify([{ productId: 'P', adjustments: { USD: adjustments } }]);
    await run(service, writeJson(item(later, one, less)));
    expect(service.done[0]?.items[0]?.adjustments).to.deep.equal({ USD: [one, less, later] });
    for (const wrong of [item(less, one), item(later, nothing), item(nothing, one)]) {
      const failure = await run(service, writeJson(wrong)).catch(String);
      expect(failure)
        .to.include('The adjustments of "P" are not in the order of a sheet')
        .and.include('Nothing was');
    }
    expect(service.done).to.have.length(1);
  });

  it('reads the JSON object for all products', async () => {
    const service = createFakeService();
    const body = { productId: 'all', adjustments: { USD: { type: 'percent', amount: 10 }, EUR: null } };
    await run(service, writeJson(JSON.stringify(body)));
    expect(service.done.map(({ allProducts }) => allProducts)).to.deep.equal([
      { EUR: { type: 'null', amount: null }, USD: { type: 'percent', amount: 10 } },
    ]);
  });

  it('says what a file is that a spreadsheet has saved in another format', async () => {
    const failureOf = (bytes: Buffer): Promise<string> => {
      const file = path.join(folder, 'prices.csv');
      fs.writeFileSync(file, bytes);
      return run(createFakeService(), file).then(
        () => 'imported',
        (failure: unknown) => String(failure),
      );
    };
    expect(await failureOf(Buffer.from(`${HEAD}\r\n`, 'utf16le'))).to.match(
      /prices\.csv is UTF-16; save it as UTF-8, which spreadsheets call "CSV UTF-8"\.$/,
    );
    expect(await failureOf(Buffer.from('PK\x03\x04'))).to.match(/prices\.csv is a ZIP file, .*\(\.xlsx\);/);
  });

  it('names every fault of a JSON file by its place, and sends nothing', async () => {
    const service = createFakeService();
    const faultsOf = (text: string): Promise<string> =>
      run(service, writeJson(text)).then(
        () => 'imported',
        (failure: unknown) => String(failure),
      );
    const item = (productId: string, type: string) =>
      `{"productId":"${productId}","adjustments":{"USD":{"type":"${type}","amount":1}}}`;
    expect(
      await faultsOf(`[${item('P', 'overide')},${item('Q', 'override')},${item('Q', 'override')}]`),
    ).to.equal(
      [
        'Error: /0/adjustments/USD/type must be one of: null, override, enum, range, volume, graduated, percent, fixedAmount, cancel; not "overide"; did you mean "override"?',
        '/2/productId is the same as that of item 1.',
        'Nothing was imported.',
      ].join('\n'),
    );
    expect(await faultsOf(`{"productId":`)).to.match(/The file is not JSON: it goes wrong at line 1/);
    expect(service.asked()).to.equal(0);
  });

  it('has nothing to do where there are no rows, and says what is no sheet', async () => {
    expect(importedSentence(await run(createFakeService(), write([])), 'x')).to.equal(
      'The file has no rows. Nothing was imported.',
    );
    const empty = path.join(folder, 'empty.csv');
    fs.writeFileSync(empty, '');
    expect(importedSentence(await run(createFakeService(), empty), 'x')).to.include(
      'line 1: is missing: the first row names the columns',
    );
    const binary = path.join(folder, 'binary');
    fs.writeFileSync(binary, Buffer.alloc(6 * 1024 * 1024));
    const failure = await run(createFakeService(), binary).catch(String);
    expect(failure).to.include('a line of more than 4 MiB');
    expect(await run(createFakeService(), folder).catch(String)).to.include('is a folder, not a file');
  });

  it('reads a file alike wherever it is cut', async () => {
    const rows = Array.from({ length: 20_000 }, (_, n) =>
      n % 7 === 0
        ? `"P, ""${String(n)}""",USD,enum,,colour,"é\r\n${'x'.repeat(n % 50)}",,,${String(n)}`
        : override(`Produkt-ü-${String(n)}`, n),
    );
    const service = createFakeService();
    const imported = await run(service, write(rows));
    expect(imported).to.have.property('_tag', 'Sent');
    expect(productsOf(service)).to.have.length(20_000);
    const sent = service.bodies.join('').replaceAll(`${SHEET_COLUMNS.join(',')}\r\n`, '');
    expect(sent).to.equal(rows.map((row) => `${row},,,,\r\n`).join(''));
  });
});
