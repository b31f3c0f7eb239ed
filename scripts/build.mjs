/** JavaScript and types of all packages, for users of packages/domain as a library. */
import { makeTypes } from './console.mjs';
import { inRoot, root } from './files.mjs';
import { run } from './npm.mjs';
import { setUp } from './set-up.mjs';

await setUp({ withDeveloperTools: true });
await makeTypes();
run(process.execPath, [inRoot('node_modules/typescript/bin/tsc'), '-b'], root);
