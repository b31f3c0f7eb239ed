/**
 * Builds the console where its sources, or what they use, have changed since the last time. It takes some seconds, so
 * that only those do it who serve the page.
 *
 *   node scripts/console.mjs            builds it
 *   node scripts/console.mjs --types    makes the types of the API that its sources use, for `npm run check`
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { inRoot, readIfThere } from './files.mjs';
import { withLock } from './lock.mjs';
import { root, setUp } from './set-up.mjs';

const FOLDER = inRoot('packages/console');
const BUILT_FROM = path.join(FOLDER, 'dist/built-from.json');
const SCHEMA = path.join(FOLDER, 'src/api/schema.d.ts');

const filesIn = (folder) =>
  fs
    .readdirSync(inRoot(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((file) => inRoot(file) !== SCHEMA);

/** What the page is made of: files with their times and sizes. */
const state = () => {
  const files = [
    ...filesIn('packages/console/src'),
    ...filesIn('packages/domain/src'),
    ...filesIn('packages/service/sample'),
    'packages/console/index.html',
    'packages/console/vite.config.mjs',
    'package-lock.json',
  ];
  return JSON.stringify(
    files.sort().map((file) => {
      const { mtimeMs, size } = fs.statSync(inRoot(file));
      return [file, mtimeMs, size];
    }),
  );
};

/**
 * Where it cannot be built the service starts without it, and says so at /console. Two who want it at once take turns.
 *
 * @returns whether it is there and current.
 */
export const buildConsole = () => {
  if (readIfThere(BUILT_FROM) === state()) return true;
  return withLock(() => {
    // What changes while it is built is not part of it.
    const builtFrom = state();
    if (readIfThere(BUILT_FROM) === builtFrom) return true;
    console.error('Building the console ...');
    const vite = inRoot('node_modules/vite/bin/vite.js');
    const args = ['build', '--config', path.join(FOLDER, 'vite.config.mjs'), '--logLevel', 'warn'];
    // Its output goes to standard error: what is on standard output is the service's.
    const { status } = spawnSync(process.execPath, [vite, ...args], { cwd: root, stdio: ['ignore', 2, 2] });
    if (status === 0) fs.writeFileSync(BUILT_FROM, builtFrom);
    else console.error('The console could not be built.');
    return status === 0;
  });
};

/** Types of the API, out of the OpenAPI document of the service's own code. */
export const makeTypes = async () => {
  const require = createRequire(import.meta.url);
  const { apiDocument } = require(inRoot('packages/http/dist/index.js'));
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const types = astToString(await openapiTS(apiDocument()));
  if (readIfThere(SCHEMA) !== types) fs.writeFileSync(SCHEMA, types);
};

if (import.meta.filename === fs.realpathSync(process.argv[1])) {
  const isForTypes = process.argv.includes('--types');
  await setUp({ withDeveloperTools: isForTypes });
  if (isForTypes) await makeTypes();
  else if (!buildConsole()) process.exitCode = 1;
}
