/**
 * Does missing set-up, then runs tests, as many files at once as there are cores.
 *
 *   npm test                                    all but those of *.slow.test.ts
 *   npm run test:all                            those too
 *   npm test -w packages/domain                 those of one package; with -- --all its slow ones too
 *   node scripts/test.mjs packages/x/dist/y.test.js ...
 *
 * Other arguments go on to mocha. The last line is "N passed, N failed".
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inRoot, root } from './files.mjs';
import { setUp } from './set-up.mjs';

await setUp({ withDeveloperTools: true });

const given = process.argv.slice(2);
const isAll = given.includes('--all');
const named = given.filter((argument) => argument.endsWith('.js'));
const folders = given.filter((argument) => fs.existsSync(inRoot(argument, 'package.json')));
const options = given.filter((argument) => ![...named, ...folders, '--all'].includes(argument));

/** The console has a `dist` only where Vite has built it, and no tests in it. */
const testsIn = (folder) =>
  (fs.existsSync(inRoot(folder, 'dist')) ? fs.readdirSync(inRoot(folder, 'dist'), { recursive: true }) : [])
    .filter((file) => file.endsWith('.test.js'))
    .map((file) => inRoot(folder, 'dist', file));

const packages = fs.readdirSync(inRoot('packages')).map((name) => path.join('packages', name));
const found =
  named.length > 0
    ? named.map((file) => inRoot(file))
    : (folders.length > 0 ? folders : packages).flatMap(testsIn);
const isLeftOut = (file) => named.length === 0 && !isAll && file.endsWith('.slow.test.js');
/** What may take long begins first, so that no core waits for it at the end: campaigns, then other slow files. */
const begins = (file) =>
  file.endsWith('.slow.test.js') ? (file.includes(path.join('packages', 'faults')) ? 0 : 1) : 2;
const files = found.filter((file) => !isLeftOut(file)).sort((one, other) => begins(one) - begins(other));

const seed = process.env.FAST_CHECK_SEED ?? String(Math.floor(Math.random() * 2 ** 31));
const started = performance.now();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pricebook-tests-'));
const result = path.join(folder, 'result.json');
const jobs = ['--parallel', '--jobs', String(os.availableParallelism())];
const { status, signal } = spawnSync(
  process.execPath,
  [inRoot('node_modules/mocha/bin/mocha.js'), ...(files.length > 1 ? jobs : []), ...options, ...files],
  { cwd: root, stdio: 'inherit', env: { ...process.env, FAST_CHECK_SEED: seed, RESULT_FILE: result } },
);
const nothing = { passes: 0, failures: 0, pending: 0, files: [] };
const ran = fs.existsSync(result) ? JSON.parse(fs.readFileSync(result, 'utf8')) : nothing;
fs.rmSync(folder, { recursive: true });

const isPart = options.length > 0;
const missing = isPart ? [] : files.filter((file) => !ran.files.includes(file));
const failures = ran.failures + missing.length;
if (missing.length > 0) {
  console.log(`\nENDED EARLY (${signal ?? `status ${status}`}). No test ran to its end in:`);
  for (const file of missing) console.log(`  - ${path.relative(root, file)}`);
}
const leftOut = found.length - files.length;
if (leftOut > 0) console.log(`\n${leftOut} slow files were left out: \`npm run test:all\` runs them too.`);
console.log(`\nSeed ${seed}: FAST_CHECK_SEED=${seed} makes the same random choices again.`);
console.log(`${((performance.now() - started) / 1_000).toFixed(0)} s, ${ran.pending} skipped.`);
console.log(`\n${ran.passes} passed, ${failures} failed`);
process.exitCode = failures > 0 || status !== 0 ? 1 : 0;
