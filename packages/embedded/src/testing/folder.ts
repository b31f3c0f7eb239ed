import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** An empty folder that is this test's alone. */
export const newFolder = (): string => fs.mkdtempSync(path.join(os.tmpdir(), 'pricebook-embedded-'));

export const removeFolder = (folder: string): void => {
  fs.rmSync(folder, { recursive: true, force: true });
};

/** Fails the test where the read model reports that it was made anew. */
export const noReport = (message: string): never => {
  throw new Error(`unexpected report: ${message}`);
};
