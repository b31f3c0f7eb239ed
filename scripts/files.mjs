/** Files of the checkout. */
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

export const inRoot = (...parts) => path.join(root, ...parts);

export const readIfThere = (file) => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '');

/** When a file was last written; 0 where it is missing. */
export const timeOf = (file) => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
