/** When keys were last used, in a small file of the data folder: a JSON object, by the id of the key. */
import fs from 'node:fs/promises';
import path from 'node:path';
import {
  createOneAtATime,
  type KeyUses,
  type LastUses,
  latestOf,
  type StoreError,
} from '@pricebook/application';
import * as TE from 'fp-ts/TaskEither';
import { toStoreError } from './damage';
import { KEY_USES_FILE } from './files';
import { draftOf, isMissing } from './whole-file';

/** What the file says; undefined where it is not as it was written. */
const parse = (text: string): LastUses | undefined => {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== 'object' || read === null || Array.isArray(read)) return undefined;
    const uses = Object.entries(read).filter(
      (use): use is [string, string] => typeof use[1] === 'string' && !Number.isNaN(Date.parse(use[1])),
    );
    return new Map(uses);
  } catch {
    return undefined;
  }
};

/**
 * @param folder whoever records must hold its lock.
 * @param report told where the file cannot be read and is begun anew: nothing hangs on it but what is shown.
 */
export const openEmbeddedKeyUses = (folder: string, report: (message: string) => void): KeyUses => {
  const file = path.join(folder, KEY_USES_FILE);

  const read = async (): Promise<LastUses> => {
    const text = await fs.readFile(file, 'utf8').catch((failure: unknown) => {
      if (isMissing(failure)) return '{}';
      throw failure;
    });
    const uses = parse(text);
    if (uses === undefined)
      report(`${file} is damaged and is begun anew: when keys were last used is not known`);
    return uses ?? new Map<string, string>();
  };

  /** As `writeWhole`, but requests go on while the disk is waited for. */
  const write = async (uses: LastUses): Promise<void> => {
    const draft = draftOf(file);
    const handle = await fs.open(draft, 'w');
    try {
      await handle.writeFile(`${JSON.stringify(Object.fromEntries(uses))}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await fs.rename(draft, file);
  };

  const asTask = <A>(work: () => Promise<A>): TE.TaskEither<StoreError, A> =>
    TE.tryCatch(work, (failure) => toStoreError(file, failure));

  // One after the other: each adds to what the one before has left.
  const oneAtATime = createOneAtATime();
  return {
    record: (uses) =>
      asTask(() =>
        oneAtATime(async () => {
          await write(latestOf(await read(), uses));
        }),
      ),
    readAll: asTask(read),
  };
};
