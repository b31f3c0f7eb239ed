/**
 * Which file of a folder holds the live read model. A rebuild makes a new one beside it, under a name that no other
 * ever has, and offers it: the note of the offer becomes that of the live one, unless it is withdrawn before. Both
 * are one step of the file system, so that never both come about.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { LIVE_FILE, NEXT_FILE, READ_MODEL_FILE } from './files';
import { stateFilesOf } from './read-model-state';
import { draftOf, isMissing, writeWhole } from './whole-file';

const isReadModel = (name: string): boolean =>
  name === READ_MODEL_FILE || /^read-model-[0-9a-f]{8}\.mdb$/.test(name);

/** The read model that a note names; undefined where there is no such note. */
const readNote = (folder: string, note: string): string | undefined => {
  try {
    const name = fs.readFileSync(path.join(folder, note), 'utf8').trim();
    return isReadModel(name) ? name : undefined;
  } catch (failure) {
    if (isMissing(failure)) return undefined;
    throw failure;
  }
};

const writeNote = (folder: string, note: string, name: string): void => {
  writeWhole(path.join(folder, note), `${name}\n`);
};

export const liveFile = (folder: string): string => readNote(folder, LIVE_FILE) ?? READ_MODEL_FILE;

/** What the serving process is asked to go over to. */
export const offeredFile = (folder: string): string | undefined => readNote(folder, NEXT_FILE);

export const offer = (folder: string, name: string): void => {
  writeNote(folder, NEXT_FILE, name);
};

/** For who holds the rebuild's lock. */
export const withdraw = (folder: string): void => {
  const note = path.join(folder, NEXT_FILE);
  for (const one of [note, draftOf(note)]) fs.rmSync(one, { force: true });
};

/** The files of a read model, itself included. */
const filesOf = (file: string): readonly string[] => [file, `${file}-lock`, ...stateFilesOf(file)];

/** Takes a read model away, and what lies beside it. */
export const removeReadModel = (file: string): void => {
  for (const one of filesOf(file)) fs.rmSync(one, { force: true });
};

/**
 * For the process that serves the folder: what it was offered is the live one from now on.
 *
 * @returns false where neither is so: it was withdrawn.
 */
export const accept = (folder: string, name: string): boolean => {
  if (offeredFile(folder) === name) {
    try {
      fs.renameSync(path.join(folder, NEXT_FILE), path.join(folder, LIVE_FILE));
    } catch (failure) {
      if (!isMissing(failure)) throw failure;
    }
  }
  return liveFile(folder) === name;
};

/** For who holds the folder's lock: this is the live one from now on. */
export const makeLive = (folder: string, name: string): void => {
  writeNote(folder, LIVE_FILE, name);
  withdraw(folder);
};

/** For who holds the folder's lock: one that was killed while it made another one live has left it. */
export const removeDraftOfLive = (folder: string): void => {
  fs.rmSync(draftOf(path.join(folder, LIVE_FILE)), { force: true });
};

/** All of which anything is there: a process that was killed may have left only what lies beside one. */
const namesIn = (folder: string): readonly string[] => {
  const files = new Set(fs.readdirSync(folder));
  const names = [...files].map((file) => file.replace(/\..*$/, '.mdb')).filter(isReadModel);
  return [...new Set(names)].filter((name) => filesOf(name).some((file) => files.has(file)));
};

/** Those that are not live. */
export const othersIn = (folder: string): readonly string[] => {
  const live = liveFile(folder);
  return namesIn(folder).filter((name) => name !== live);
};

/** Takes away what is not live; for who holds the rebuild's lock. */
export const removeOthers = (folder: string): void => {
  for (const name of othersIn(folder)) removeReadModel(path.join(folder, name));
};

export const newName = (): string => `read-model-${randomBytes(4).toString('hex')}.mdb`;
