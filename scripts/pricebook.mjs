/** The command line of a checkout: does missing set-up, then runs the service's own, in this same process. */
import { createRequire } from 'node:module';
import { root, setUp } from './set-up.mjs';

setUp();
const { run } = createRequire(`${root}/`)('./packages/service/dist/index.js');
await run(process.argv);
