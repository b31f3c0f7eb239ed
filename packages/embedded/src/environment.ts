import fs from 'node:fs';
import path from 'node:path';
import { open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb';
import { betweenCommits, type CommitLock, createCommitLock } from './commit-lock';
import { asDamage, Damage } from './damage';

interface EnvironmentOptions {
  readonly file: string;
  readonly readOnly: boolean;
}

/** More than LMDB's table of readers takes. */
const LOCK_FILE_BYTES = 12 * 1024;

/**
 * LMDB makes its table of readers a file without content, and writes to that in memory: where the disk has no room for
 * it then, the system ends the process. So there is room before, or an error.
 */
const reserveLockFile = (file: string): void => {
  const lock = `${file}-lock`;
  if (fs.existsSync(lock)) return;
  fs.mkdirSync(path.dirname(file), { recursive: true });
  try {
    fs.writeFileSync(lock, Buffer.alloc(LOCK_FILE_BYTES), { flag: 'wx' });
  } catch (failure) {
    // Another process has made it meanwhile.
    if (failure instanceof Error && 'code' in failure && failure.code === 'EEXIST') return;
    fs.rmSync(lock, { force: true });
    throw failure;
  }
};

/** An environment, and what is used of it. */
export interface Opened<Held> {
  readonly environment: RootDatabase;
  readonly held: Held;
  /** To be held during each commit to a file that other processes may open. */
  readonly commits: CommitLock;
  readonly close: () => Promise<void>;
}

const openLmdb = ({ file, readOnly }: EnvironmentOptions): RootDatabase => {
  const options: RootDatabaseOptionsWithPath = {
    path: file,
    noSubdir: true,
    readOnly,
    // By default data can be read before it is safe on disk.
    overlappingSync: false,
    // What is here can be rebuilt from the events: a commit does not wait for the disk.
    noSync: true,
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

/** How much of a file LMDB has in use, in bytes. */
export const usedBytes = (environment: Pick<RootDatabase, 'getStats'>): number => {
  // lmdb's types do not say what this has.
  const { lastPageNumber, pageSize } = environment.getStats() as {
    readonly lastPageNumber: number;
    readonly pageSize: number;
  };
  return (lastPageNumber + 1) * pageSize;
};

/** LMDB ends the process where it reads beyond the end of a file. */
const refuseCut = (environment: RootDatabase, file: string): void => {
  const needed = usedBytes(environment);
  // Looked at after the last page: a process that writes the file lets it grow before it uses a page.
  const { size } = fs.statSync(file);
  if (size < needed) throw new Damage(file, `it has ${String(size)} bytes of at least ${String(needed)}`);
};

/**
 * Opens an LMDB file, creating it where it is missing and may be written.
 *
 * @param hold opens what is used of it, and may commit.
 * @throws Damage
 */
export const openEnvironment = <Held>(
  options: EnvironmentOptions,
  hold: (environment: RootDatabase) => Held,
): Opened<Held> => {
  const { file, readOnly } = options;
  const isNew = !fs.existsSync(file);
  return betweenCommits(file, !readOnly, () => {
    if (!readOnly) reserveLockFile(file);
    const environment = openLmdb(options);
    try {
      if (!isNew) refuseCut(environment, file);
      const held = hold(environment);
      const commits = createCommitLock(file);
      const close = async (): Promise<void> => {
        await environment.close();
        commits.close();
      };
      return { environment, held, commits, close };
    } catch (failure) {
      void environment.close();
      throw asDamage(file, failure);
    }
  });
};
