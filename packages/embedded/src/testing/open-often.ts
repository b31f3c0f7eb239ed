/**
 * A program for tests: opens and closes a file of LMDB again and again until it is killed. Writes "ready" when it has begun.
 *
 * Arguments: the file, and `read` or `write`.
 */
import fs from 'node:fs';
import { openEnvironment } from '../environment';

const [file = '', how = 'read'] = process.argv.slice(2);

const run = async (): Promise<void> => {
  for (let n = 0; ; n += 1) {
    const options = { file, readOnly: how === 'read' };
    await openEnvironment(options, () => undefined).close();
    if (n === 0) fs.writeSync(1, 'ready\n');
  }
};

void run();
