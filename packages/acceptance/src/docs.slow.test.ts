/** Keeps the documents true: what they show is sent to the real service, what they list is compared with the code. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { adjustmentCodec, SHEET_COLUMNS } from '@pricebook/domain';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { readConfiguration } from '@pricebook/service/testing';
import { anchorsIn, codeBlocks, codeBlocksBelow, codeIn, linksIn, tableRows } from './testing/markdown';
import { runAsProcess } from './testing/command';
import { newFolder, startTestService, TEST_KEY, type TestService } from './testing/test-service';

const root = path.resolve(__dirname, '../../..');
const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');

/** README.md and all pages below docs, relative to the root. */
const pages = (): readonly string[] => [
  'README.md',
  ...fs
    .readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.join('docs', file)),
];

const createBook = async (service: TestService, book: object): Promise<string> => {
  const { status, body } = await service.request('POST', '/v1/pricebooks', { json: book });
  expect(status).to.equal(201);
  return (body as { readonly id: string }).id;
};

/** An adjustment in the words of the worked examples, such as "volume 1-9: 20, 10-: 15". */
const adjustmentOf = (words: string): object => {
  const [kind = '', rest = ''] = words.split(/ (.*)/);
  switch (kind) {
    case 'override':
    case 'percent':
      return { type: kind, amount: Number(rest.replace(/ again$/, '')) };
    case 'null':
      return { type: 'null', amount: null };
    case 'volume': {
      const tiers = [...rest.matchAll(/(\d+)-(\d*): (\d+)/g)].map(([, first, last, unitPrice]) => ({
        firstUnit: Number(first),
        lastUnit: last === '' ? null : Number(last),
        unitPrice: Number(unitPrice),
      }));
      return { type: 'volume', tiers };
    }
    default:
      throw new Error(`no worked example says ${words}`);
  }
};

/** A body of Set Product Prices in the words of the worked examples, such as "all percent 10". */
const bodyOf = (words: string): object => {
  const [who = '', what = ''] = words.split(/ (.*)/);
  if (who === 'all') {
    return { productId: 'all', adjustments: { USD: what === 'null' ? null : adjustmentOf(what) } };
  }
  return [{ productId: who, adjustments: { USD: adjustmentOf(what) } }];
};

/** A cell of the worked examples as the prices to be read: "21; `?quantity=10` 15.75" are two. */
const questionsIn = (cell: string): readonly { readonly query: string; readonly price: string }[] =>
  cell.split(';').map((part, index) => ({
    query: index === 0 ? '' : '?quantity=10',
    price: part.trim().split(' ').at(-1) ?? '',
  }));

/** The requests of the worked examples: none may get lost from the page. */
const WORKED_REQUESTS = [
  'R: P override 100',
  'R: all percent 10',
  'R: all percent 10 again',
  'D: all percent -50',
  'R: P percent -20',
  'R: all percent 5',
  'R: P override 200',
  'R: P percent 0',
  'D: P override 7',
  'D: all percent -60',
  'D: P percent 10',
  'D: P null',
  'D: all null',
  'R: P volume 1-9: 20, 10-: 15',
  'R: all percent 7.5',
  'D: all percent 10',
  'R: P null',
  'R: P override 0',
];

describe('docs', () => {
  let service: TestService;

  before(async () => {
    service = await startTestService();
  });
  after(async () => {
    await service.stop();
    service.remove();
  });

  describe('the worked examples of docs/prices.md, over HTTP', () => {
    const workedRows = () =>
      tableRows(read('docs/prices.md'), ['request', 'price of P in R', 'price of P in D']);

    it('are all there, in order', () => {
      expect(workedRows().map(([request]) => request)).to.deep.equal(WORKED_REQUESTS);
    });

    WORKED_REQUESTS.forEach((request, place) => {
      it(`${String(place + 1)}. ${request}`, async () => {
        const rows = workedRows();
        const rootId = await createBook(service, { name: 'R' });
        const derivedId = await createBook(service, { name: 'D', basePriceBookId: rootId });
        const idOf = (book: string): string => (book === 'R' ? rootId : derivedId);

        for (const [words = ''] of rows.slice(0, place + 1)) {
          const [book = '', what = ''] = words.split(/: (.*)/);
          expect(book).to.be.oneOf(['R', 'D']);
          const answer = await service.request('PUT', `/v1/pricebooks/${idOf(book)}/prices`, {
            json: bodyOf(what),
          });
          expect(answer.status, words).to.equal(200);
        }

        const [, inRoot = '', inDerived = ''] = rows[place] ?? [];
        for (const [book, cell] of [
          ['R', inRoot],
          ['D', inDerived],
        ] as const) {
          for (const { query, price } of questionsIn(cell)) {
            const answer = await service.request('GET', `/v1/pricebooks/${idOf(book)}/P/USD${query}`);
            if (price === '404') {
              expect(answer.status, `${book}${query}`).to.equal(404);
              expect(answer.body).to.have.property('type', '/problems/no-price');
            } else {
              expect(answer.status, `${book}${query}`).to.equal(200);
              expect(answer.body, `${book}${query}`).to.have.property('price', Number(price));
            }
          }
        }
      });
    });
  });

  it('the price endings of docs/prices.md, over HTTP', async () => {
    const id = await createBook(service, { name: 'Endings' });
    const rows = tableRows(read('docs/prices.md'), ['adjustment', 'list price', 'price']);
    for (const [cell = '', list, price] of rows) {
      const adjustment = JSON.parse(codeIn(cell) ?? '') as unknown;
      const adjustments = { USD: [{ type: 'override', amount: Number(list) }, adjustment] };
      const put = { json: [{ productId: 'P', adjustments }] };
      expect((await service.request('PUT', `/v1/pricebooks/${id}/prices`, put)).status, cell).to.equal(200);
      const { body } = await service.request('GET', `/v1/pricebooks/${id}/P/USD`);
      expect(body, cell).to.have.property('price', Number(price));
    }
    expect(rows).to.have.length(6);
  });

  describe('the JSON of docs/prices.md', () => {
    /** What has dates is played by a test of its own, at the times that it names. */
    const undatedPart = (): string => read('docs/prices.md').replace(/^## Dated prices$.*?^## /msu, '');

    const examples = (): readonly unknown[] =>
      codeBlocks(undatedPart(), 'json').map((text) => JSON.parse(text) as unknown);

    const typeOf = (example: unknown): string | undefined =>
      typeof example === 'object' && example !== null && 'type' in example ? String(example.type) : undefined;

    it('is accepted by the service', async () => {
      const id = await createBook(service, { name: 'Examples' });
      for (const example of examples()) {
        const json =
          typeOf(example) === undefined ? example : [{ productId: 'P', adjustments: { USD: example } }];
        const answer = await service.request('PUT', `/v1/pricebooks/${id}/prices`, { json });
        expect(answer.status, JSON.stringify([example, answer.body])).to.equal(200);
      }
    });

    it('shows every kind of adjustment, and both forms of a request', () => {
      const types = examples().map(typeOf);
      const kinds = adjustmentCodec.schema.oneOf?.map(({ properties }) => properties?.['type']?.const);
      expect(types.filter((type) => type !== undefined)).to.have.members(kinds ?? []);
      const requests = examples().filter((_, index) => types[index] === undefined);
      expect(requests.map((request) => Array.isArray(request))).to.have.members([true, false]);
    });
  });

  describe('README.md', () => {
    it('shows a first price that comes out as it says', async function () {
      const run = promisify(execFile);
      const env = {
        ...process.env,
        NO_PROXY: '127.0.0.1',
        PATH: [path.dirname(process.execPath), process.env['PATH']].join(path.delimiter),
      };
      const isThere = await run('bash', ['-c', 'command -v curl'], { env }).then(
        () => true,
        () => false,
      );
      if (!isThere) {
        if (this.test !== undefined) this.test.title += ' (bash or curl is missing)';
        this.skip();
      }

      const address = 'http://127.0.0.1:3000';
      expect(readConfiguration({}))
        .to.have.deep.property('right')
        .that.includes({ host: '127.0.0.1', port: 3000 });
      const story = codeBlocks(read('README.md'), 'sh').filter((text) => /\b(curl|export)\b/.test(text));
      const script = ['set -euo pipefail', ...story].join("\nprintf '\\n---\\n'\n");
      expect(script)
        .to.match(/^export PRICEBOOK_KEY=\S+$/m)
        .and.to.include(address);
      const { stdout } = await run(
        'bash',
        [
          '-c',
          script
            .replace(/^export PRICEBOOK_KEY=\S+$/m, `export PRICEBOOK_KEY=${TEST_KEY}`)
            .replaceAll(address, service.url),
        ],
        { env },
      );

      /** Without what is different each time. */
      const masked = (text: string): unknown =>
        JSON.parse(text, (key, value: unknown) =>
          ['priceBookId', 'occurredAt', 'effectiveDate', 'actor'].includes(key) ? typeof value : value,
        );
      const [shown = '', ...others] = codeBlocks(read('README.md'), 'json');
      expect(others).to.deep.equal([]);
      expect(masked(stdout.split('\n---\n').at(-1) ?? '')).to.deep.equal(masked(shown));
      expect(masked(shown)).to.include({ productId: 'lamp', price: 54.99, currency: 'USD' });
    });

    it('names the variables that the configuration reads, with their defaults', () => {
      const rows = tableRows(read('README.md'), ['variable', 'default', 'meaning']);
      const source = read('packages/service/src/configuration.ts');
      const variables = [...source.matchAll(/\b(?:value|matching)\(\s*'(\w+)'/g)].map(([, name]) => name);
      expect(variables).to.not.be.empty;
      expect(rows.map(([name = '']) => codeIn(name))).to.have.members(variables);

      const defaults = Object.fromEntries(
        rows.map(([name = '', text = '']): [string, string | undefined] => [
          codeIn(name) ?? '',
          codeIn(text),
        ]),
      );
      expect(E.isRight(readConfiguration({}))).to.equal(true);
      expect(readConfiguration(defaults)).to.deep.equal(readConfiguration({}));
      const without = Object.keys(defaults).filter((name) => defaults[name] === undefined);
      expect(without).to.have.members([
        'EVENTSTOREDB_URL',
        'MONGODB_URL',
        'PRICEBOOK_BOOTSTRAP_KEY',
        'PRICEBOOK_ALLOWED_ORIGINS',
        'PRICEBOOK_WEBHOOK_KEY',
        'PRICEBOOK_WEBHOOK_ALLOWED_HOSTS',
      ]);
    });
  });

  describe('docs/api.md', () => {
    it('lists the types of problems that there are', () => {
      const source = read('packages/http/src/problem.ts');
      const types = [...source.matchAll(/\banswer\(\s*(\d{3}),\s*'([a-z-]+)'/g)].map(
        ([, status = '', slug = '']) => `${status} /problems/${slug}`,
      );
      expect(types).to.have.length(source.split(/\banswer\(/).length - 1);
      const rows = tableRows(read('docs/api.md'), ['type', 'status', 'when']);
      expect(rows.map(([type = '', status = '']) => `${status} ${codeIn(type) ?? ''}`)).to.have.members(
        types,
      );
    });

    it('shows a book that is followed live', async function () {
      const id = await createBook(service, { name: 'Retail' });
      await service.request('PUT', `/v1/pricebooks/${id}/prices`, { json: bodyOf('lamp override 49.99') });
      const [script, shown] = codeBlocksBelow(read('docs/api.md'), '#### Followed live');
      const run = promisify(execFile);
      const env = {
        NO_PROXY: '127.0.0.1',
        PATH: [path.dirname(process.execPath), process.env['PATH']].join(path.delimiter),
        PRICEBOOK_KEY: TEST_KEY,
      };
      const isThere = await run('bash', ['-c', 'command -v curl'], { env }).then(
        () => true,
        () => false,
      );
      if (!isThere) {
        if (this.test !== undefined) this.test.title += ' (SKIPPED: bash or curl is missing)';
        this.skip();
      }
      const commands = (script?.text ?? '')
        .replace('http://127.0.0.1:3000', service.url)
        .replace(/^BOOK=\S+$/m, `BOOK=${id}`);
      // curl says with its status that the time is over.
      const { stdout } = await run('bash', ['--norc', '-c', `${commands.trim()} || [ $? = 28 ]`], { env });
      /** Without heartbeats, and without what is different each time. */
      const masked = (text: string): string =>
        text
          .replace(/^:\n\n/gm, '')
          .replace(/(?<=^retry: )\d+$/m, '')
          .replace(/(?<="(occurredAt|actor|requestId)":")[^"]*/g, '')
          .trim();
      expect(masked(stdout)).to.equal(masked(shown?.text ?? ''));
    });

    it('lists the operations that there are', async () => {
      const rows = tableRows(read('docs/api.md'), ['operation', 'method and path', 'scope']);
      const operations = rows.map(([, cell = '']) => (codeIn(cell) ?? '').split(' '));
      expect(operations).not.to.deep.equal([]);
      for (const target of new Set(operations.map(([, to = '']) => to))) {
        const { status, headers } = await service.request('OPTIONS', `/v1${target.replaceAll(/[{}]/g, '')}`);
        expect(status, target).to.equal(200);
        const allowed = headers.get('allow')?.split(', ') ?? [];
        // A key could have the id "me", as far as its path says.
        const matches = (to: string) => new RegExp(`^${to.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(target);
        const listed = operations.filter(([, to = '']) => matches(to)).map(([method]) => method);
        expect(listed, target).to.have.members(allowed.filter((method) => method !== 'HEAD'));
      }
    });

    it('names them, and the scopes that they need, as the OpenAPI document does', async () => {
      const { body } = await service.request('GET', '/openapi.json');
      const { paths } = body as {
        readonly paths: Readonly<
          Record<
            string,
            Readonly<Record<string, { readonly summary: string; readonly security: readonly object[] }>>
          >
        >;
      };
      const documented = Object.entries(paths).flatMap(([path, operations]) =>
        Object.entries(operations)
          .filter(([, { security }]) => security.length > 0)
          .map(([method, { summary, security }]) => [
            summary,
            `${method.toUpperCase()} ${path.replace(/^\/v1/, '')}`,
            String(Object.values(security[0] ?? {})),
          ]),
      );
      const rows = tableRows(read('docs/api.md'), ['operation', 'method and path', 'scope']);
      const listed = rows.map(([name = '', target = '', scope = '']) => [
        /\[(.+)\]/.exec(name)?.[1],
        codeIn(target),
        codeIn(scope),
      ]);
      expect(listed).to.have.deep.members(documented);
    });
  });

  describe('what docs/api.md shows of the lists of a book', () => {
    const shownBelow = (heading: string): unknown =>
      JSON.parse(codeBlocksBelow(read('docs/api.md'), heading)[0]?.text ?? '');
    const put = async (id: string, json: unknown) =>
      service.request('PUT', `/v1/pricebooks/${id}/prices`, { json });

    it('is what is answered once it was set as it says', async () => {
      const id = await createBook(service, { name: 'Lists' });
      const shown = shownBelow('### List Product Prices') as readonly Readonly<Record<string, unknown>>[];
      for (const of of ['adjustments', 'percents']) {
        const { status } = await put(
          id,
          shown.map(({ productId, [of]: adjustments }) => ({ productId, adjustments })),
        );
        expect(status).to.equal(200);
      }
      const { body } = await service.request('GET', `/v1/pricebooks/${id}/prices`);
      expect(body).to.deep.equal(shown);
    });

    it('has the percents of a book as they are answered', async () => {
      const id = await createBook(service, { name: 'Lists' });
      await put(id, [{ productId: 'P', adjustments: { USD: { type: 'override', amount: 1 } } }]);
      const answer = await put(id, bodyOf('all percent 10'));
      const shown = shownBelow('### Get Percents') as { readonly USD: object };
      const { body } = await service.request('GET', `/v1/pricebooks/${id}/percents`);
      const since = (answer.body as { readonly updatedAt: string }).updatedAt;
      expect(body).to.deep.equal({ USD: { ...shown.USD, since } });
    });
  });

  describe('docs/csv.md', () => {
    const csvBlock = (): string => (codeBlocks(read('docs/csv.md'), 'csv')[0] ?? '').replaceAll('\n', '\r\n');
    const put = (id: string, raw: string) =>
      service.request('PUT', `/v1/pricebooks/${id}/prices`, { raw, headers: { 'content-type': 'text/csv' } });

    it('lists the columns that there are', () => {
      const rows = tableRows(read('docs/csv.md'), ['column', 'of', 'holds']);
      expect(rows.map(([column = '']) => codeIn(column))).to.deep.equal(SHEET_COLUMNS);
    });

    it('shows a book as it is answered once it was set', async () => {
      const id = await createBook(service, { name: 'CSV' });
      const { status, body } = await put(id, csvBlock());
      expect(status).to.equal(200);
      expect(body).to.include({ productsSet: 4, revision: 2 });
      const headers = { accept: 'text/csv' };
      const answer = await service.request('GET', `/v1/pricebooks/${id}/prices`, { headers });
      expect(answer.body).to.equal(csvBlock());
    });

    it('shows a fault as it is answered', async () => {
      const id = await createBook(service, { name: 'CSV' });
      const [head = ''] = csvBlock().split('\r\n');
      const { body } = await put(
        id,
        `${head}\r\nlamp,USD,override,1,,,,,,,,,\r\nseat,USD,override,"1,5",,,,,,,,,`,
      );
      const { errors } = body as { readonly errors: readonly unknown[] };
      expect(errors).to.deep.equal([JSON.parse(codeBlocks(read('docs/csv.md'), 'json')[0] ?? '')]);
    });

    it('carries a book in and out as it says', async function () {
      this.timeout(60_000);
      const [overHttp = '', commands = ''] = codeBlocks(read('docs/csv.md'), 'sh');
      const folder = newFolder();
      try {
        fs.writeFileSync(path.join(folder, 'prices.csv'), csvBlock());
        const main = path.join(root, 'packages/service/dist/main.js');
        const script = [
          'set -euo pipefail',
          overHttp,
          'mv prices.csv first.csv',
          commands,
          'cmp prices.csv first.csv',
        ]
          .join('\n')
          .replaceAll('http://127.0.0.1:3000', service.url)
          .replaceAll('node scripts/pricebook.mjs prices', `node '${main}' prices`)
          .replaceAll(/(prices (?:export|import) .*)/g, `$1 --url ${service.url}`);
        const env = {
          ...process.env,
          NO_PROXY: '127.0.0.1',
          PATH: [path.dirname(process.execPath), process.env['PATH']].join(path.delimiter),
          PRICEBOOK_KEY: TEST_KEY,
          BOOK: await createBook(service, { name: 'CSV' }),
        };
        const run = promisify(execFile);
        const isThere = await run('bash', ['-c', 'command -v curl'], { env }).then(
          () => true,
          () => false,
        );
        if (!isThere) {
          if (this.test !== undefined) this.test.title += ' (SKIPPED: bash or curl is missing)';
          this.skip();
        }
        const { stdout } = await run('bash', ['--norc', '-c', script], { cwd: folder, env });
        expect(stdout.slice(stdout.indexOf('productId,'))).to.equal(csvBlock());
      } finally {
        fs.rmSync(folder, { recursive: true, force: true });
      }
    });
  });

  describe('docs/keys.md', () => {
    it('creates, lists and replaces keys as it says', async function () {
      this.timeout(30_000);
      const blocks = codeBlocks(read('docs/keys.md'), 'sh');
      expect(blocks).to.have.length(2);
      const script = ['set -euo pipefail', ...blocks]
        .join('\n')
        .replaceAll('http://127.0.0.1:3000', service.url)
        .replaceAll('node scripts/pricebook.mjs', 'node packages/service/dist/main.js');
      const env = {
        ...process.env,
        NO_PROXY: '127.0.0.1',
        PATH: [path.dirname(process.execPath), process.env['PATH']].join(path.delimiter),
        PRICEBOOK_DATA_DIR: service.folder,
        EVENTSTOREDB_URL: '',
        MONGODB_URL: '',
      };
      const run = promisify(execFile);
      const isThere = await run('bash', ['-c', 'command -v curl'], { env }).then(
        () => true,
        () => false,
      );
      if (!isThere) {
        if (this.test !== undefined) this.test.title += ' (SKIPPED: bash or curl is missing)';
        this.skip();
      }
      const { stdout } = await run('bash', ['--norc', '-c', script], { cwd: root, env });
      const lines = stdout.trim().split('\n');
      expect(lines[0]).to.match(/^pbk_/);
      expect(lines[2])
        .to.include('2099-12-31T00:00Z')
        .and.to.match(/Web shop$/);
      const [, shown = ''] = /```\n(200\n401\n)```/.exec(read('docs/keys.md')) ?? [];
      expect(lines.slice(3).join('\n')).to.equal(shown.trim());
    });

    it('shows a key of the form that keys have', () => {
      const [shown = ''] = /pbk_\S{9,}/.exec(read('docs/keys.md')) ?? [];
      expect(shown).to.match(/^pbk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
    });
  });

  describe('docs/audit.md', () => {
    /** The service is in this process. */
    const outputOf = async (args: readonly string[]): Promise<string> => {
      const { status, output, said } = await runAsProcess(args, { PRICEBOOK_DATA_DIR: service.folder });
      expect(status, said).to.equal(0);
      return output;
    };

    it('shows a history as pricebook history does, and lists its options', async () => {
      const id = await createBook(service, { name: 'Retail' });
      for (const json of [bodyOf('lamp override 49.99'), bodyOf('all percent 10')]) {
        await service.request('PUT', `/v1/pricebooks/${id}/prices`, { json });
      }
      // When it was and who did it are different each time.
      const masked = (table: string) =>
        table.replaceAll(/^[\d-]{10}T[\d:.]{12}Z( +\d+  )[\w]{8,9} +/gm, 'then$1someone ');
      const [, shown] = codeBlocksBelow(read('docs/audit.md'), '## The history of a book');
      expect(masked(await outputOf(['history', id])).trim()).to.equal(masked(shown?.text ?? '').trim());

      const help = await outputOf(['history', '--help']);
      const options = [...help.matchAll(/^ +(--\w+(?: <\w+>)?)/gm)].map(([, option]) => option);
      const rows = tableRows(read('docs/audit.md'), ['option of history', 'meaning']);
      expect(rows.map(([option = '']) => codeIn(option))).to.have.members(options);
    });
  });

  describe('what is asked without a key', () => {
    /** Without what is different each time. */
    const shapeOf = (value: unknown): unknown =>
      typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]))
        : typeof value;

    it('/health/ready answers as docs/api.md shows', async () => {
      await createBook(service, { name: 'Ready' });
      const shown = codeBlocks(read('docs/api.md'), 'json')
        .map((text) => JSON.parse(text) as Readonly<Record<string, unknown>>)
        .filter((example) => 'projection' in example);
      expect(shown).to.have.length(1);
      const { status, body } = await service.request('GET', '/health/ready');
      expect(status).to.equal(200);
      expect(shapeOf(body)).to.deep.equal(shapeOf(shown[0]));
    });

    it('/metrics has the figures that docs/servers.md lists, and no other of ours', async () => {
      const rows = tableRows(read('docs/servers.md'), ['metric', 'meaning']);
      const listed = rows.flatMap(([names = '']) =>
        [...names.matchAll(/`(pricebook_\w+)`/g)].map(([, name]) => name),
      );
      const { body } = await service.request('GET', '/metrics');
      const names = [...String(body).matchAll(/^# TYPE (pricebook_\w+)/gm)].map(([, name]) => name);
      expect(names).to.not.be.empty;
      expect(listed).to.have.members(names);
    });
  });

  describe('every page', () => {
    it('links to what is there', () => {
      const broken = pages().flatMap((page) =>
        linksIn(read(page))
          .filter((link) => !/^[a-z]+:/.test(link))
          .filter((link) => {
            const [file = '', anchor] = link.split('#');
            const target = file === '' ? page : path.join(path.dirname(page), file);
            if (!fs.existsSync(path.join(root, target))) return true;
            return anchor !== undefined && !anchorsIn(read(target)).includes(anchor);
          })
          .map((link) => `${page}: ${link}`),
      );
      expect(broken).to.deep.equal([]);
    });

    it('names npm scripts that there are', () => {
      const { scripts } = JSON.parse(read('package.json')) as {
        readonly scripts: Readonly<Record<string, string>>;
      };
      const named = pages().flatMap((page) =>
        [...read(page).matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)].map(
          ([, script, short]) => script ?? short ?? '',
        ),
      );
      expect(named).to.include.members(['start', 'test', 'demo', 'check', 'bench']);
      expect(named.filter((script) => !Object.hasOwn(scripts, script))).to.deep.equal([]);
    });

    it('is in the index of decisions, if it is one', () => {
      const index = linksIn(read('docs/decisions/README.md'));
      const records = pages()
        .filter((page) => /^\d{4}-/.test(path.basename(page)))
        .map((page) => path.basename(page));
      expect(records).to.not.be.empty;
      expect(index).to.have.members(records);
    });
  });
});
