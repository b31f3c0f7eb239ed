/** The events of a folder as they are at one moment, while a service may be writing to them. */
import fs from 'node:fs';
import path from 'node:path';
import { Damage } from './damage';
import { openEnvironment } from './environment';
import { type CheckedEvents, checkSnapshot, damageOf } from './event-check';
import { type Header, readHeaders } from './file-header';
import { EVENTS_FILE } from './files';

/** A header may be read while it is written: then it is looked at again. */
const ATTEMPTS = 3;

const attempt = async <A>(
  file: string,
  use: (descriptor: number, header: Header) => Promise<A> | A,
): Promise<A> => {
  const opened = openEnvironment({ file, readOnly: true, isDurable: true }, () => undefined);
  // While it lasts, LMDB writes over no page that was in use when it began, or has been taken into use since.
  const reading = opened.environment.useReadTransaction();
  const descriptor = fs.openSync(file, 'r');
  try {
    const headers = readHeaders(descriptor);
    if (typeof headers === 'string') throw new Damage(file, headers);
    return await use(descriptor, headers.newest);
  } catch (failure) {
    throw damageOf(file, failure);
  } finally {
    fs.closeSync(descriptor);
    reading.done();
    await opened.close();
  }
};

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
  for (let n = 1; ; n += 1) {
    try {
      return await attempt(file, use);
    } catch (failure) {
      if (!(failure instanceof Damage) || n === ATTEMPTS) throw failure;
    }
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
