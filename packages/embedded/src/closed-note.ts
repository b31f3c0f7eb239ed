/**
 * Says that the event store was closed in order, and what its file was then. A file that is large is read
 * whole at the start only where that is not said: after a crash, a power cut, or a damaged page that ended the process.
 */
import fs from 'node:fs';
import path from 'node:path';
import { readHeaders } from './file-header';
import { CLOSED_FILE } from './files';

/** Up to this size a file is always read whole: it takes some seconds at most. */
const LARGE_BYTES = 1024 ** 3;

/** Its last transaction, and what tells that the file is the same one and nothing else has written it. */
const stateOf = (file: string): string => {
  const descriptor = fs.openSync(file, 'r');
  try {
    const headers = readHeaders(descriptor);
    if (typeof headers === 'string') return headers;
    const { ino, size, mtimeMs } = fs.fstatSync(descriptor);
    return [headers.newest.transaction, ino, size, mtimeMs].join(' ');
  } finally {
    fs.closeSync(descriptor);
  }
};

/** Takes the note away, and says whether the file has to be read whole. */
export const takeClosedNote = (folder: string, file: string): boolean => {
  const note = path.join(folder, CLOSED_FILE);
  const isClosed = fs.existsSync(note) && fs.readFileSync(note, 'utf8').trim() === stateOf(file);
  fs.rmSync(note, { force: true });
  return !isClosed || fs.statSync(file).size < LARGE_BYTES;
};

/** For who has closed it. */
export const leaveClosedNote = (folder: string, file: string): void => {
  try {
    fs.writeFileSync(path.join(folder, CLOSED_FILE), `${stateOf(file)}\n`);
  } catch {
    // Where there is no room for it, the next start reads the file.
  }
};
