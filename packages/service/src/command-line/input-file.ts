import fs, { type FileHandle } from 'node:fs/promises';

const WORDS: Readonly<Record<string, (file: string) => string>> = {
  ENOENT: (file) => `There is no file ${file}.`,
  ENOTDIR: (file) => `There is no file ${file}: a part of its path is no folder.`,
  EACCES: (file) => `The file ${file} may not be read by this user.`,
};

const open = async (file: string): Promise<FileHandle> => {
  try {
    return await fs.open(file);
  } catch (failure) {
    const code = failure instanceof Error && 'code' in failure ? String(failure.code) : '';
    const words = WORDS[code];
    throw words === undefined ? failure : new Error(words(file));
  }
};

/**
 * Opens a file that a person has named.
 *
 * @throws Error with a message for the person at the terminal.
 */
export const openInputFile = async (file: string): Promise<FileHandle> => {
  const handle = await open(file);
  // A folder can be opened as well, but not read.
  if (!(await handle.stat()).isDirectory()) return handle;
  await handle.close();
  throw new Error(`${file} is a folder, not a file.`);
};
