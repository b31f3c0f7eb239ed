/** Does missing set-up, then runs the campaigns of faults; arguments go on to them. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { root, setUp } from './set-up.mjs';

await setUp({ withDeveloperTools: true });
const main = path.join(root, 'packages/faults/dist/main.js');
const run = spawn(process.execPath, [main, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
run.on('exit', (code, signal) => process.exit(signal === null ? code : 1));
