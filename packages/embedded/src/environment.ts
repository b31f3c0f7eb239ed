import { open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb';
import { asDamage, Damage } from './damage';
import { checkFile } from './file-check';

interface EnvironmentOptions {
  readonly file: string;
  readonly readOnly: boolean;
  /** Whether a commit waits until it is on disk. */
  readonly isDurable: boolean;
}

/**
 * Opens an LMDB file, creating it where it is missing and may be written.
 *
 * @throws Damage
 */
export const openEnvironment = ({ file, readOnly, isDurable }: EnvironmentOptions): RootDatabase => {
  checkFile(file, readOnly);
  const options: RootDatabaseOptionsWithPath = {
    path: file,
    noSubdir: true,
    readOnly,
    // By default data can be read before it is safe on disk.
    overlappingSync: false,
    noSync: !isDurable,
    // A commit begins with the first write and takes along what comes while it is under way.
    eventTurnBatching: false,
  };
  try {
    return open(options);
  } catch (failure) {
    const found = asDamage(file, failure);
    if (found instanceof Damage || !(failure instanceof Error)) throw found;
    throw new Error(`${file} cannot be opened: ${failure.message}`, { cause: failure });
  }
};
