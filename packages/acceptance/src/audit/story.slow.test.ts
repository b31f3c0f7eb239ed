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

const blocks: readonly CodeBlock[] = codeBlocksBelow(
  fs.readFileSync(path.join(root, 'docs/audit.md'), 'utf8'),
  '## A story',
);

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

  it('goes as it is told', async function () {
    this.timeout(30_000);
    if (!(await isThere('curl'))) {
      if (this.test !== undefined) this.test.title += ' (SKIPPED: bash or curl is missing)';
      this.skip();
    }
    const commands = blocks.filter(({ language }) => language === 'sh').map(({ text }) => text);
    const script = ['set -euo pipefail', ...commands]
      .join(`\nprintf '${SEPARATOR.replaceAll('\n', '\\n')}'\n`)
      .replaceAll('http://127.0.0.1:3000', service.url)
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
        const masked = language === 'json' ? maskedJson : maskedText;
        expect(masked(printed[step] ?? ''), printed[step]).to.deep.equal(masked(text));
        compared += 1;
      }
    }
    expect(compared).to.be.greaterThan(3);
  });
});
