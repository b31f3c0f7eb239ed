import fs from 'node:fs';
import path from 'node:path';

const manifest = JSON.parse(fs.readFileSync(path.join(__dirname, '..', 'package.json'), 'utf8')) as {
  readonly version: string;
};

/** The version of the service, its packages and its API: one number, such as 1.0.0. */
export const { version } = manifest;
