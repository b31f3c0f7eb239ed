/**
 * Which file of a folder holds the live read model. A rebuild builds another one beside it, under a name that is never
 * used again, and then writes its name into a note, in one step of the file system.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { LIVE_FILE, READ_MODEL_FILE } from './files';
import { stateFilesOf } from './read-model-state';
import { draftOf, isMissing, writeWhole } from './whole-file';

const isReadModel = (name: string): boolean =>
  name === READ_MODEL_FILE || /^read-model-[0-9a-f]{8}\.mdb$/.test(name);

export const liveFile = (folder: string): string => {
  try {
    const name = fs.readFileSync(path.join(folder, LIVE_FILE), 'utf8').trim();
    return isReadModel(name) ? name : READ_MODEL_FILE;
  } catch (failure) {
    if (isMissing(failure)) return READ_MODEL_FILE;
    throw failure;
  }
};

/** For the process that holds the rebuild's lock: this is the live one from now on. */
export const makeLive = (folder: string, name: string): void => {
  writeWhole(path.join(folder, LIVE_FILE), `${name}\n`);
};

/** The files of a read model, itself included. */
const filesOf = (file: string): readonly string[] => [file, `${file}-lock`, ...stateFilesOf(file)];

/** Removes a read model, and what lies beside it. */
export const removeReadModel = (file: string): void => {
  for (const one of filesOf(file)) fs.rmSync(one, { force: true });
};

/** For the process that holds both locks: removes all read models but one, and what killed processes have left. */
export const removeOthers = (folder: string, kept: string): void => {
  const names = fs.readdirSync(folder).map((file) => file.replace(/\..*$/, '.mdb'));
  for (const name of new Set(names)) {
    if (isReadModel(name) && name !== kept) removeReadModel(path.join(folder, name));
  }
  fs.rmSync(draftOf(path.join(folder, LIVE_FILE)), { force: true });
};

export const newName = (): string => `read-model-${randomBytes(4).toString('hex')}.mdb`;
