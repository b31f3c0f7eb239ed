/**
 * Tries the API with requests that Schemathesis makes of the OpenAPI document, sound ones and broken ones, for at most
 * three minutes. tools/schemathesis/schemathesis.toml says which findings are right as they are, and why.
 *
 *   npm run schemathesis [-- --seed 1 ...]
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bringPython, isThere, withService } from './brought.mjs';
import { inRoot } from './files.mjs';
import { setUp } from './set-up.mjs';

await setUp();

if (!isThere('python3')) {
  console.log('Schemathesis: skipped, since there is no python3.');
  process.exit(0);
}
const bin = bringPython('tools/schemathesis/requirements.txt');
// What it keeps of earlier runs is not to decide about this one.
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pricebook-schemathesis-'));
try {
  process.exitCode = await withService(({ address, key }) => {
    const config = ['--config-file', inRoot('tools/schemathesis/schemathesis.toml')];
    const args = [`${address}/openapi.json`, '--url', address, '--header', `x-api-key: ${key}`];
    const { status } = spawnSync(
      path.join(bin, 'st'),
      [...config, 'run', ...args, '--generation-database', 'none', ...process.argv.slice(2)],
      { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] },
    );
    return status ?? 1;
  });
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}
