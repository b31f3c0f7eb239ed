/** All checks of the code that run without running it. One command, the same by hand and in CI. */
import { spawnSync } from 'node:child_process';
import { makeTypes } from './console.mjs';
import { root, setUp } from './set-up.mjs';

await setUp({ withDeveloperTools: true });
await makeTypes();

const checks = [
  ['types', 'tsc', ['-b']],
  ['eslint', 'eslint', ['packages', '--max-warnings', '0']],
  ['layers', 'depcruise', ['packages/*/src', '--config', '.dependency-cruiser.cjs', '--output-type', 'err']],
  ['format', 'prettier', ['--check', '--log-level', 'warn', '.']],
  ['unused', 'knip', []],
];

const failed = checks.filter(([name, command, args]) => {
  console.log(`check: ${name}`);
  return spawnSync('npx', ['--no-install', command, ...args], { cwd: root, stdio: 'inherit' }).status !== 0;
});
console.log(
  failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.map(([name]) => name).join(', ')}`,
);
process.exit(failed.length === 0 ? 0 : 1);
