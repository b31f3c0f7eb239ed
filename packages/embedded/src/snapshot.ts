/** The events of a folder as they are at one moment, while a service may be writing to them. */
import fs from 'node:fs';
import path from 'node:path';
import { Damage } from './damage';
import { openEnvironment } from './environment';
import { type CheckedEvents, checkSnapshot, damageOf } from './event-check';
import { type Header, readHeaders } from './file-header';
import { EVENTS_FILE } from './files';

/**
 * Runs something on the events of a folder, which stay as they are meanwhile, whoever writes.
 *
 * @throws Damage
 */
export const withSnapshot = async <A>(
  folder: string,
  use: (descriptor: number, header: Header) => Promise<A> | A,
): Promise<A> => {
  const file = path.join(folder, EVENTS_FILE);
  if (!fs.existsSync(file)) throw new Error(`there is no event store in ${path.resolve(folder)}`);
  const descriptor = fs.openSync(file, 'r');
  try {
    // Nobody commits while it is opened: the headers are whole, and of what the transaction reads. While that lasts, LMDB
    // writes over no page that was in use when it began, or has been taken into use since.
    const { held, close } = openEnvironment({ file, readOnly: true, isDurable: true }, (environment) => ({
      reading: environment.useReadTransaction(),
      headers: readHeaders(descriptor),
    }));
    try {
      if (typeof held.headers === 'string') throw new Damage(file, held.headers);
      return await use(descriptor, held.headers.newest);
    } finally {
      held.reading.done();
      await close();
    }
  } catch (failure) {
    throw damageOf(file, failure);
  } finally {
    fs.closeSync(descriptor);
  }
};

/**
 * Checks all events of a folder, also while a service uses it.
 *
 * @throws Damage
 */
export const checkLiveEvents = (folder: string): Promise<CheckedEvents> =>
  withSnapshot(folder, (descriptor, header) => ({
    ...checkSnapshot(descriptor, header),
    bytes: (header.lastPage + 1) * header.pageSize,
  }));
