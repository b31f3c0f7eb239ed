/** Small files that nobody ever finds half written, or empty: also where the disk is full, or the process is killed. */
import fs from 'node:fs';

/** Where a file is before it is whole; a process that was killed may leave it behind. */
export const draftOf = (file: string): string => `${file}.new`;

export const isMissing = (failure: unknown): boolean =>
  failure instanceof Error && 'code' in failure && failure.code === 'ENOENT';

/** Has the disk keep what was written to a file, or the names in a folder. */
export const sync = (file: string): void => {
  const descriptor = fs.openSync(file, 'r');
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
};

/** Writes a file that is on disk before it has its name. */
export const writeWhole = (file: string, text: string): void => {
  const draft = draftOf(file);
  try {
    const descriptor = fs.openSync(draft, 'w');
    try {
      fs.writeSync(descriptor, text);
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
    fs.renameSync(draft, file);
  } catch (failure) {
    fs.rmSync(draft, { force: true });
    throw failure;
  }
};
