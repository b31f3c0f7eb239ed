/** `pricebook prices` against a service as its users run it; as a process where it is interrupted or killed. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SHEET_COLUMNS } from '@pricebook/domain';
import { expect } from 'chai';
import { type CommandRun, runCommand } from '@pricebook/service/testing';
import { runAsProcess, type RunningCommand, startCommand } from '../testing/command';
import { type ServiceProcess, startProcess } from '../testing/service-process';
import { newFolder, TEST_KEY } from '../testing/test-service';

const HEAD = SHEET_COLUMNS.join(',');
/** As a file may be: without the dates. */
const UNDATED_HEAD = SHEET_COLUMNS.slice(0, 9).join(',');
const ROWS = 200_000;

/**
 * A list of very many rows: prices, own percents beside some, tables, and percents of the book in the middle.
 * Product n is 1.1 times n in USD, but where it is a tenth: then it is a table, or has a percent of its own.
 */
const largeList = (): readonly string[] => {
  const rows: string[] = [];
  for (let n = 0; rows.length < ROWS; n += 1) {
    const id = `product-${String(n)}`;
    if (n % 10 === 0) {
      for (let tier = 0; tier < 5; tier += 1) {
        const last = tier === 4 ? '' : String(tier * 10 + 10);
        rows.push(`${id},USD,volume,,,,${String(tier * 10 + 1)},${last},${String(n)}`);
      }
    } else {
      rows.push(`${id},USD,override,${String(n)},,,,,`);
      if (n % 10 === 5) rows.push(`${id},USD,percent,0,,,,,`);
    }
    if (n === 70_000) rows.push('all,USD,percent,10,,,,,');
  }
  return rows;
};

const priceOfProduct = (n: number): number => (n % 10 === 5 ? n : Math.round(n * 110) / 100);

describe('pricebook prices', () => {
  let folder: string;
  let service: ServiceProcess;
  let url: string;
  before(async () => {
    folder = newFolder();
    service = startProcess(['serve'], {
      PORT: '0',
      PRICEBOOK_DATA_DIR: path.join(folder, 'data'),
      PRICEBOOK_BOOTSTRAP_KEY: TEST_KEY,
      LOG_LEVEL: 'silent',
    });
    url = await service.ready;
  });
  after(async () => {
    service.child.kill('SIGKILL');
    await service.ended;
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const request = async (method: string, target: string, json?: unknown): Promise<unknown> => {
    const answer = await fetch(url + target, {
      method,
      headers: { 'x-api-key': TEST_KEY, 'content-type': 'application/json' },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    expect(answer.status).to.be.lessThan(300);
    return answer.json();
  };
  const ask = (method: string, target: string, json?: unknown): Promise<unknown> =>
    request(method, `/v1/pricebooks${target}`, json);
  const createBook = async (): Promise<string> =>
    ((await ask('POST', '', { name: 'A book' })) as { readonly id: string }).id;

  const fileOf = (name: string, rows: readonly string[]): string => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, `${[UNDATED_HEAD, ...rows].join('\r\n')}\r\n`);
    return file;
  };

  const prices = (args: readonly string[], key = TEST_KEY, by = runCommand): Promise<CommandRun> =>
    by(['prices', ...args, '--url', url], { PRICEBOOK_KEY: key });

  /** What it says; it has to end with the status. */
  const run = async (args: readonly string[], status = 0): Promise<string> => {
    const ended = await prices(args);
    expect(ended.status, ended.said).to.equal(status);
    return ended.said.trim();
  };

  /** The revisions of a book, each with the products that it set. */
  const productsSet = async (book: string): Promise<readonly (readonly string[])[]> => {
    const sets: string[][] = [];
    for (let next = `/${book}/events?limit=100`; next !== '';) {
      const answer = await fetch(`${url}/v1/pricebooks${next}`, { headers: { 'x-api-key': TEST_KEY } });
      const events = (await answer.json()) as readonly {
        readonly type: string;
        readonly data: { readonly items?: readonly { readonly productId: string }[] };
      }[];
      for (const { data } of events) sets.push((data.items ?? []).map(({ productId }) => productId));
      const [, query] = /<events(.*)>/.exec(answer.headers.get('link') ?? '') ?? [];
      next = query === undefined ? '' : `/${book}/events${query}`;
    }
    return sets;
  };

  it('take a book by its name, and JSON as well as CSV', async () => {
    const { id } = (await ask('POST', '', { name: 'Price list of AI models' })) as { readonly id: string };
    const file = path.join(folder, 'prices.json');
    const items = [{ productId: 'lamp', adjustments: { USD: { type: 'override', amount: 49.99 } } }];
    fs.writeFileSync(file, JSON.stringify(items));
    expect(await run(['import', 'price list of ai models', file])).to.match(/^Imported: 1 row of 1 product,/);
    expect(await ask('GET', `/${id}/lamp/USD`)).to.include({ price: 49.99 });
    expect(await run(['export', id.slice(0, -1)])).to.match(/^Exported: 2 lines/);
    expect(await run(['export', 'no such book'], 1)).to.match(
      /^No price book has the name or the key "no such book"/,
    );
  });

  it('keep the reason of an import in the history, and refuse a bad one before anything is read', async () => {
    const book = await createBook();
    const file = fileOf('reasoned.csv', ['lamp,USD,override,49.99,,,,,']);
    expect(await run(['import', book, file, '--reason', 'für "Q4"'])).to.match(/^Imported: 1 row/);
    const events = (await ask('GET', `/${book}/events`)) as readonly { readonly reason?: string }[];
    expect(events.map(({ reason }) => reason)).to.deep.equal([undefined, 'für "Q4"']);
    const said = await run(['import', book, file, '--reason', 'x'.repeat(201)], 1);
    expect(said).to.include('The header Change-Reason must have 1 to 200 characters');
  });

  it('import 200,000 rows, resumed after it was interrupted and killed, each product once', async () => {
    const book = await createBook();
    const rows = largeList();
    const rowCount = rows.length.toLocaleString('en-US');
    const file = fileOf('large.csv', rows);

    /** Ends it in the middle, when so many requests are done. */
    const endAfter = async (revision: number, signal: NodeJS.Signals): Promise<RunningCommand> => {
      const command = startCommand(['prices', 'import', book, file, '--url', url], {
        PRICEBOOK_KEY: TEST_KEY,
      });
      for (;;) {
        const answer = await fetch(`${url}/v1/pricebooks/${book}`, { headers: { 'x-api-key': TEST_KEY } });
        await answer.arrayBuffer();
        if (Number(answer.headers.get('etag')?.replaceAll('"', '')) >= revision) break;
        await delay(5);
      }
      command.child.kill(signal);
      return command;
    };
    const interrupted = await endAfter(20, 'SIGINT');
    expect(await interrupted.ended).to.equal(1);
    expect(interrupted.said()).to.match(
      /^The import was interrupted\.\n\d+ requests? of \d+ done, .* Run the same command again with the same API key within 24 hours: it goes on where it ended\.\n$/,
    );
    expect(await (await endAfter(60, 'SIGKILL')).ended).to.equal(null);

    const said = await run(['import', book, file]);
    expect(said)
      .to.include(`Imported: ${rowCount} rows of `)
      .and.to.match(/\(of which \d+ (?:was|were) done before\)/);

    const ids = new Set(rows.map((row) => row.split(',')[0] ?? ''));
    ids.delete('all');
    const sets = await productsSet(book);
    expect(sets.flat()).to.have.length(ids.size);
    expect(new Set(sets.flat()).size).to.equal(ids.size);

    const lines = [...ids].map((productId) => ({ productId, currency: 'USD' }));
    for (let start = 0; start < lines.length; start += 10_000) {
      const part = lines.slice(start, start + 10_000);
      const quoted = (await ask('POST', `/${book}/quote`, part)) as readonly { readonly price: number }[];
      part.forEach(({ productId }, index) => {
        expect(quoted[index]?.price, productId).to.equal(priceOfProduct(Number(productId.slice(8))));
      });
    }
    expect(await run(['import', book, file])).to.include(`Nothing to do: the file, ${rowCount} rows`);

    // Out again, and into an empty book: the same.
    const out = path.join(folder, 'out.csv');
    expect(await run(['export', book, '--out', out])).to.match(
      /^Exported: 200,00\d lines to .*out\.csv\. The book is/,
    );
    const written = fs.readFileSync(out, 'utf8').split('\r\n');
    expect(written.slice(0, 2)).to.deep.equal([HEAD, 'all,USD,percent,10,,,,,,,,,']);
    expect(written.slice(1).sort()).to.deep.equal([...rows.map((row) => `${row},,,,`), ''].sort());
  }).timeout(300_000);

  it('import nothing of a file that is faulty, and say which lines are', async () => {
    const book = await createBook();
    const file = fileOf('faulty.csv', [
      ...Array.from({ length: 5_000 }, (_, n) => `P${String(n)},USD,override,1,,,,,`),
      'Q,USD,override,x,,,,,',
      'R,usd,gift\u001b[31m,,,,,,',
    ]);
    expect(await run(['import', book, file], 1)).to.equal(
      [
        'line 5002, column amount: must be a number from 0 to 1000000000000000, not "x"; numbers are written such as 1234.5',
        'line 5003, column type: must be one of: null, override, enum, range, volume, graduated, percent, fixedAmount, cancel; not "gift\\u001b[31m"',
        '2 faults in 5,002 rows. Nothing was imported.',
      ].join('\n'),
    );
    expect(await productsSet(book)).to.have.length(1);
  }).timeout(30_000);

  it('say what is wrong with the address, the key, the book or the file', async () => {
    const file = fileOf('one.csv', ['P,USD,override,1,,,,,']);
    const unknown = '01a1fced-c116-737b-90d3-d0ce7dc012dc';
    const keyless = await prices(['import', unknown, file], '');
    expect(keyless.status).to.equal(1);
    expect(keyless.said).to.include('PRICEBOOK_KEY');
    const stranger = await prices(['import', unknown, file], 'wrong');
    expect(stranger.status).to.equal(1);
    expect(stranger.said).to.include('status 401');
    expect(await run(['import', unknown, file], 1)).to.include('status 404');
    expect(await run(['export', unknown], 1)).to.include('status 404');
    const { key } = (await request('POST', '/v1/api-keys', { name: 'Reader', scopes: ['read'] })) as {
      readonly key: string;
    };
    const book = await createBook();
    // So faulty that it would be told if it were looked at.
    const faulty = fileOf('not-looked-at.csv', ['P,USD,gift,,,,,,']);
    const reader = await prices(['import', book, faulty], key);
    expect(reader.status).to.equal(1);
    expect(reader.said).to.equal(
      `The service at ${url} refuses this (status 403): This needs a key of the scope write.\nNothing was imported.\n`,
    );
    expect(await productsSet(book)).to.have.length(1);
    expect(await run(['import', unknown, path.join(folder, 'none.csv')], 1)).to.equal(
      `There is no file ${path.join(folder, 'none.csv')}.`,
    );
    expect(await run(['import', unknown, folder], 1)).to.equal(`${folder} is a folder, not a file.`);
    const unreachable = await runCommand(['prices', 'import', unknown, file, '--url', 'http://127.0.0.1:1'], {
      PRICEBOOK_KEY: TEST_KEY,
    });
    expect(unreachable.status).to.equal(1);
    expect(unreachable.said).to.include('No service answers at http://127.0.0.1:1 (');
  }).timeout(60_000);

  it('export to standard output, or to a file that is there only when it is whole', async () => {
    const book = await createBook();
    await ask('PUT', `/${book}/prices`, [
      { productId: 'lamp', adjustments: { USD: { type: 'override', amount: 49.99 } } },
    ]);
    const { status, output, said } = await prices(['export', book], TEST_KEY, runAsProcess);
    expect(status, said).to.equal(0);
    expect(output).to.equal(`${HEAD}\r\nlamp,USD,override,49.99,,,,,,,,,\r\n`);
    expect(said).to.equal('Exported: 2 lines to standard output. The book is at revision 1.\n');

    const out = fileOf('there.csv', []);
    expect(await run(['export', book, '--out', out], 1)).to.include('--force');
    await run(['export', book, '--out', out, '--force']);
    expect(fs.readFileSync(out, 'utf8')).to.equal(output);
    expect(fs.readdirSync(folder).filter((name) => name.endsWith('.part'))).to.deep.equal([]);
  }).timeout(30_000);
});
