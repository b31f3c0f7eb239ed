import fs from 'node:fs';
import path from 'node:path';

const { R_OK, W_OK, X_OK } = fs.constants;

const REASONS: Readonly<Record<string, (place: string) => string>> = {
  EEXIST: (place) => `${place} is a file, not a folder.`,
  ENOTDIR: (place) => `${place} cannot be created: a part of its path is a file.`,
  EACCES: (place) => `This user may not create ${place}, or not read and write it.`,
  EPERM: (place) => `This user may not create ${place}, or not read and write it.`,
  EROFS: (place) => `${place} is on a file system that is mounted read-only.`,
};

/**
 * Opens something in the folder of the embedded stores, which is created where it is missing.
 *
 * @throws Error with a message for the person at the terminal, where the folder cannot be created, read or written.
 */
export const inDataFolder = <A>(dataFolder: string, open: () => A): A => {
  try {
    fs.mkdirSync(dataFolder, { recursive: true });
    fs.accessSync(dataFolder, R_OK | W_OK | X_OK);
    return open();
  } catch (failure) {
    if (!(failure instanceof Error && 'code' in failure && 'path' in failure)) throw failure;
    const place = path.resolve(String(failure.path));
    const reason = REASONS[String(failure.code)]?.(place) ?? `${failure.message}.`;
    throw new Error(`${reason} Set PRICEBOOK_DATA_DIR to a folder that this user may read and write.`, {
      cause: failure,
    });
  }
};
