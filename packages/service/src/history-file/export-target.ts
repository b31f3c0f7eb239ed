/** Where an export is written: a file that is there only when it is whole, or standard output. */
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Writable } from 'node:stream';

export interface ExportTarget {
  readonly write: (lines: string | Uint8Array) => Promise<void>;
  /** Called when everything is written. */
  readonly complete: () => Promise<void>;
  /** Leaves nothing behind of what was not completed. */
  readonly abandon: () => Promise<void>;
}

const isMissing = (failure: unknown): boolean =>
  failure instanceof Error && 'code' in failure && failure.code === 'ENOENT';

const refuseToReplace = async (file: string, force: boolean): Promise<void> => {
  const found = await fs.stat(file).catch((failure: unknown) => {
    if (isMissing(failure)) return undefined;
    throw failure;
  });
  if (found === undefined) return;
  if (!found.isFile()) throw new Error(`${file} is not a file that could be replaced.`);
  if (!force) throw new Error(`${file} is there already. Name another file, or add --force to replace it.`);
};

const syncFolder = async (folder: string): Promise<void> => {
  const handle = await fs.open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/**
 * Writes beside the file, and gives it its name at the end.
 *
 * @param force whether a file that is there is replaced.
 * @throws Error where the file cannot be written.
 */
export const openFileTarget = async (file: string, force: boolean): Promise<ExportTarget> => {
  await refuseToReplace(file, force);
  const part = `${file}.part`;
  // One that was left behind. Where another export is still writing it, that one will not find it again.
  await fs.rm(part, { force: true });
  const handle = await fs.open(part, 'wx').catch((failure: unknown) => {
    throw isMissing(failure) ? new Error(`There is no folder ${path.dirname(file)}.`) : failure;
  });
  const { ino } = await handle.stat();
  let isOpen = true;
  const close = async (): Promise<void> => {
    isOpen = false;
    await handle.close();
  };
  const isOurs = async (): Promise<boolean> => (await fs.stat(part).catch(() => undefined))?.ino === ino;

  return {
    write: (lines) => handle.appendFile(lines),
    complete: async () => {
      await handle.sync();
      if (!(await isOurs())) throw new Error(`${part} was taken by another export.`);
      await refuseToReplace(file, force);
      await fs.rename(part, file);
      await close();
      await syncFolder(path.dirname(file));
    },
    abandon: async () => {
      if (!isOpen) return;
      if (await isOurs()) await fs.rm(part, { force: true });
      await close();
    },
  };
};

/** Whoever read the output has gone: that is no failure of the export. */
export const isReaderGone = (failure: unknown): boolean =>
  failure instanceof Error && 'code' in failure && failure.code === 'EPIPE';

export const toStream = (stream: Writable): ExportTarget => {
  // The failure of a write is told to who wrote as well.
  stream.on('error', () => undefined);
  return {
    write: (lines) =>
      new Promise((resolve, reject) => {
        stream.write(lines, (failure) => {
          if (failure === null || failure === undefined) resolve();
          else reject(failure);
        });
      }),
    complete: () => Promise.resolve(),
    abandon: () => Promise.resolve(),
  };
};
