import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** An empty folder for one test, which removes it. */
export const newFolder = (): string => fs.mkdtempSync(path.join(os.tmpdir(), 'pricebook-test-'));
