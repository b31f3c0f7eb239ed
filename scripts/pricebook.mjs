/** The command line of a checkout: does missing set-up, then runs the service's own, in this same process. */
import { createRequire } from 'node:module';
import { buildConsole } from './console.mjs';
import { root, setUp } from './set-up.mjs';

await setUp();
if (process.argv[2] === 'serve') buildConsole();
createRequire(import.meta.url)(`${root}/packages/service/dist/main.js`);
