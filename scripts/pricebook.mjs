/** The command line of a checkout: does missing set-up, then runs the service's own, in this same process. */
import { createRequire } from 'node:module';
import { root, setUp } from './set-up.mjs';

await setUp();
createRequire(import.meta.url)(`${root}/packages/service/dist/main.js`);
