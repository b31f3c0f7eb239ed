/** The story of docs/audit.md: its commands are run, and what they print is compared with what it shows. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { demo } from '@pricebook/service/testing';
import { type CodeBlock, codeBlocksBelow } from '../testing/markdown';
import { startTestService, TEST_KEY, type TestService } from '../testing/test-service';

const run = promisify(execFile);
const root = path.resolve(__dirname, '../../../..');
const SEPARATOR = '\n--- next ---\n';

const blocksBelow = (heading: string): readonly CodeBlock[] =>
  codeBlocksBelow(fs.readFileSync(path.join(root, 'docs/audit.md'), 'utf8'), heading);

/** What is different each time. */
const VARYING = ['priceBookId', 'occurredAt', 'effectiveDate', 'actor', 'from', 'to'];

const maskedJson = (text: string): unknown =>
  JSON.parse(text, (key, value: unknown) => (VARYING.includes(key) && value !== null ? typeof value : value));

const maskedText = (text: string): string =>
  text
    .trim()
    .replaceAll(/^[\d-]{10}T[\d:.]{12}Z( +\d+  )\S+ +/gm, 'then$1someone ')
    .replaceAll(/[\d,]+ (entries|books|events)/g, 'some $1')
    .replaceAll(/^(time +revision +who) +/gm, '$1 ');

/** What the sqlite3 shell prints: its columns are as wide as what is in them. */
const maskedColumns = (text: string): string =>
  text
    .trim()
    .replaceAll(/\d{4}-[\d-]+T[\d:.]{12}Z/g, 'time')
    .replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'book')
    .replaceAll(/^\S+(?= +\d+ +\d+ +time)|(?<=book +\d+ +)\S+/gm, 'someone')
    .replaceAll(/--+/g, '--')
    .replaceAll(/ +/g, ' ')
    .replaceAll(/ $/gm, '');

const isThere = (command: string): Promise<boolean> =>
  run('bash', ['-c', `command -v ${command}`]).then(
    () => true,
    () => false,
  );

describe('the story of docs/audit.md', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
    await demo({ url: service.url, key: TEST_KEY, print: () => undefined, isTerminal: false });
  });
  after(async () => {
    await service.stop();
    service.remove();
  });

  /** Runs the commands of a section, and compares what they print with what it shows. */
  const runAll = async (
    blocks: readonly CodeBlock[],
    masked: (text: string, language: string) => unknown,
  ): Promise<void> => {
    const commands = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
    const script = ['set -euo pipefail', ...commands]
      .join(`\nprintf '${SEPARATOR.replaceAll('\n', '\\n')}'\n`)
      .replaceAll('http://127.0.0.1:3000', service.url)
      .replaceAll('data/events.db', path.join(service.folder, 'events.db'))
      .replaceAll('node scripts/pricebook.mjs', 'node packages/service/dist/main.js');
    const { stdout, stderr } = await run('bash', ['--norc', '-c', `exec 2>&1\n${script}`], {
      cwd: root,
      env: {
        ...process.env,
        PATH: [path.dirname(process.execPath), process.env['PATH']].join(path.delimiter),
        NO_PROXY: '127.0.0.1',
        PRICEBOOK_KEY: TEST_KEY,
        PRICEBOOK_DATA_DIR: service.folder,
        EVENTSTOREDB_URL: '',
        MONGODB_URL: '',
      },
    });
    const [, ...printed] = stdout.split(SEPARATOR);
    expect(printed, stdout + stderr).to.have.length(commands.length);
    let step = -1;
    let compared = 0;
    for (const { language, text } of blocks) {
      if (language === 'sh') step += 1;
      else {
        expect(masked(printed[step] ?? '', language), printed[step]).to.deep.equal(masked(text, language));
        compared += 1;
      }
    }
    expect(compared).to.be.at.least(3);
  };

  const skipWithout = async (command: string, context: Mocha.Context): Promise<void> => {
    if (await isThere(command)) return;
    if (context.test !== undefined) context.test.title += ` (SKIPPED: bash or ${command} is missing)`;
    context.skip();
  };

  it('goes as it is told', async function () {
    await skipWithout('curl', this);
    await runAll(blocksBelow('## A story'), (text, language) =>
      language === 'json' ? maskedJson(text) : maskedText(text),
    );
  }).timeout(30_000);

  it('is told by the file of the events as well, beside the running service', async function () {
    await skipWithout('sqlite3', this);
    await runAll(blocksBelow('## With any SQLite tool'), maskedColumns);
  }).timeout(30_000);
});
