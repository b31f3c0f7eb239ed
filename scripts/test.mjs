/** Does missing set-up, then runs all tests; arguments go on to mocha. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { root, setUp } from './set-up.mjs';

await setUp({ withDeveloperTools: true });
const mocha = path.join(root, 'node_modules/mocha/bin/mocha.js');
const given = process.argv.slice(2);
const files = given.some((argument) => argument.endsWith('.js')) ? [] : ['packages/*/dist/**/*.test.js'];
const tests = spawn(process.execPath, [mocha, ...given, ...files], { cwd: root, stdio: 'inherit' });
tests.on('exit', (code, signal) => process.exit(signal === null ? code : 1));
