import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'chai';

const ROOT = path.resolve(__dirname, '../../../..');

describe('The build of the console', function () {
  this.timeout(60_000);

  it('fails where its first load is larger than it may be', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pricebook-console-'));
    const build = (env: NodeJS.ProcessEnv) =>
      spawnSync(
        process.execPath,
        [
          path.join(ROOT, 'node_modules/vite/bin/vite.js'),
          'build',
          '--config',
          path.join(ROOT, 'packages/console/vite.config.mjs'),
          '--outDir',
          folder,
        ],
        { env: { ...process.env, ...env }, encoding: 'utf8' },
      );
    try {
      const { status, stderr } = build({ CONSOLE_MAX_FIRST_LOAD: '10000' });
      expect(status).not.to.equal(0);
      expect(stderr).to.match(/The first load of the console has \d+ bytes; at most 10000 are allowed/);
      expect(build({}).status).to.equal(0);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
  });
});
