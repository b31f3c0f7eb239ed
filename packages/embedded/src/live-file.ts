/** Which file of a folder holds the live read model. A rebuild makes a new one beside it, with a number in its name. */
import fs from 'node:fs';
import path from 'node:path';
import { LIVE_FILE, NEXT_FILE, READ_MODEL_FILE } from './files';
import { stateFileOf } from './read-model-state';

const numbered = /^read-model-(\d+)\.mdb$/;

const isReadModel = (name: string): boolean => name === READ_MODEL_FILE || numbered.test(name);

/** The read model that a note names; undefined where there is no such note. */
const readNote = (folder: string, note: string): string | undefined => {
  try {
    const name = fs.readFileSync(path.join(folder, note), 'utf8').trim();
    return isReadModel(name) ? name : undefined;
  } catch (failure) {
    if (failure instanceof Error && 'code' in failure && failure.code === 'ENOENT') return undefined;
    throw failure;
  }
};

/** Nobody ever reads half of it. */
const writeNote = (folder: string, note: string, name: string): void => {
  const draft = path.join(folder, `${note}.new`);
  const descriptor = fs.openSync(draft, 'w');
  fs.writeSync(descriptor, `${name}\n`);
  fs.fsyncSync(descriptor);
  fs.closeSync(descriptor);
  fs.renameSync(draft, path.join(folder, note));
};

export const liveFile = (folder: string): string => readNote(folder, LIVE_FILE) ?? READ_MODEL_FILE;

/** What the serving process is asked to go over to. */
export const offeredFile = (folder: string): string | undefined => readNote(folder, NEXT_FILE);

export const offer = (folder: string, name: string): void => {
  writeNote(folder, NEXT_FILE, name);
};

export const withdraw = (folder: string): void => {
  fs.rmSync(path.join(folder, NEXT_FILE), { force: true });
};

/** Takes a read model away, and what lies beside it. */
export const removeReadModel = (file: string): void => {
  for (const one of [file, `${file}-lock`, stateFileOf(file)]) fs.rmSync(one, { force: true });
};

/** For the process that serves the folder: from now on this is the live one. */
export const makeLive = (folder: string, name: string): void => {
  if (liveFile(folder) !== name) writeNote(folder, LIVE_FILE, name);
  if (offeredFile(folder) === name) withdraw(folder);
};

const namesIn = (folder: string): readonly string[] => fs.readdirSync(folder).filter(isReadModel);

/** Takes away what is neither live nor about to be. */
export const removeOthers = (folder: string, kept: readonly string[]): void => {
  for (const name of namesIn(folder)) {
    if (!kept.includes(name)) removeReadModel(path.join(folder, name));
  }
};

/** A name that no read model of the folder has. */
export const newName = (folder: string): string => {
  const numbers = [...namesIn(folder), liveFile(folder)].map((name) => Number(numbered.exec(name)?.[1] ?? 1));
  return `read-model-${String(Math.max(1, ...numbers) + 1)}.mdb`;
};
