/** The benchmark runs, and knows all its figures. What they are is not tested: see docs/speed.md. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';

const root = path.resolve(__dirname, '../../..');

interface Row {
  readonly figure: string;
  readonly value: number;
}

describe('npm run bench', () => {
  it('measures every figure, and writes them to a file', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pricebook-bench-test-'));
    try {
      const file = path.join(folder, 'results.json');
      // All but `stream`, which writes 100,000 events one by one.
      const only = 'get,together,size,processes,chain,set,many,all,mixed,quote,start';
      const small = ['--rounds', '1', '--seconds', '0.2', '--large', '1000', '--events', '2000'];
      await promisify(execFile)(
        process.execPath,
        ['scripts/bench.mjs', ...small, '--only', only, '--json', file],
        { cwd: root, timeout: 170_000 },
      );
      const { rows } = JSON.parse(fs.readFileSync(file, 'utf8')) as { readonly rows: readonly Row[] };
      expect(rows).to.have.lengthOf(16);
      for (const { figure, value } of rows) expect(value, figure).to.be.greaterThan(0);
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  }).timeout(180_000);
});
