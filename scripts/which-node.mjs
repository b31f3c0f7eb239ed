/** Prints the path of the Node to run on, for `exec "$(node scripts/which-node.mjs)" ...` in package.json. */
import { nodeToRun } from './node.mjs';

console.log(nodeToRun());
