/** Opens the events of a folder after it has looked whether all that was acknowledged is there. */
import fs from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { carryOver } from './carry-over';
import { Damage } from './damage';
import { checkStructure } from './event-check';
import { lastPositionOf, openToRead, openToWrite } from './event-file';
import { EVENTS_FILE, LAST_FILE, LMDB_EVENTS_FILE } from './files';
import { type LastEvent, readLastNote } from './last-note';
import { liveFile } from './live-file';
import { asFileDamage, sqliteFailureOf } from './sqlite-failure';
import { checkWal } from './wal-check';
import type { Report } from './writing';

/** Up to this size a start checks pages and indexes; `verify` does for files of any size. */
const CHECKED_BYTES = 256 * 1024 * 1024;

const sizeOf = (file: string): number => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Refuses to begin with no events beside something that was made of events. */
const refuseMissing = (folder: string, file: string): void => {
  if (sizeOf(file) > 0) return;
  const left = [LAST_FILE, liveFile(folder)].find((name) => fs.existsSync(path.join(folder, name)));
  if (left === undefined) return;
  const state = fs.existsSync(file) ? 'is empty' : 'is missing';
  throw new Damage(
    file,
    `it ${state}, but ${path.join(folder, left)} is there. Restore a backup; or, to start without any event, move all files of the folder away`,
  );
};

/** The file is never behind the note, which is written after the event is on disk. */
const refuseLoss = (database: DatabaseSync, file: string, note: LastEvent | undefined): void => {
  if (note === undefined) return;
  const found = database.prepare('SELECT id FROM events WHERE position = ?').get(note.position)?.['id'];
  if (found === note.id) return;
  const position = String(note.position);
  const state =
    found === undefined
      ? `it ends at position ${String(lastPositionOf(database))}, but ${LAST_FILE} says that position ${position} was acknowledged: events are lost`
      : `it has another event at position ${position} than the one that ${LAST_FILE} says was acknowledged`;
  throw new Damage(
    file,
    `${state}. Restore a backup; or, to go on with the events that are there, delete ${LAST_FILE} and the read model`,
  );
};

/** Names the file in a failure to open it. */
const naming = <A>(file: string, open: () => A): A => {
  try {
    return open();
  } catch (failure) {
    const found = asFileDamage(file, failure);
    const known = sqliteFailureOf(found);
    throw known === undefined ? found : new Error(`${file} cannot be opened: ${known.message}`);
  }
};

/** Closes what a check refuses. */
const checking = (database: DatabaseSync, check: () => void): DatabaseSync => {
  try {
    check();
    return database;
  } catch (failure) {
    database.close();
    throw failure;
  }
};

export const isOfVersionBefore = (folder: string): boolean =>
  !fs.existsSync(path.join(folder, EVENTS_FILE)) && fs.existsSync(path.join(folder, LMDB_EVENTS_FILE));

const noteOf = (folder: string): LastEvent | undefined => readLastNote(path.join(folder, LAST_FILE));

/**
 * Opens the events of a folder to read them, also beside a service.
 *
 * @throws Damage
 */
export const openEventsToRead = (folder: string): DatabaseSync => {
  const file = path.join(folder, EVENTS_FILE);
  if (!fs.existsSync(file)) {
    const where = path.resolve(folder);
    throw new Error(
      isOfVersionBefore(folder)
        ? `${where} holds events of the version before: start the service once, which carries them over`
        : `there is no event store in ${where}`,
    );
  }
  return naming(file, () => {
    const note = noteOf(folder);
    checkWal(file);
    const database = openToRead(file);
    return checking(database, () => {
      refuseLoss(database, file, note);
    });
  });
};

/**
 * Opens the events of a folder to write them, and makes them where there are none.
 *
 * @param report told where events of the version before are carried over; only the process that holds the
 *   folder's lock may do that.
 * @throws Damage
 */
export const openEventsToWrite = (folder: string, isServing: boolean, report: Report): DatabaseSync => {
  const file = path.join(folder, EVENTS_FILE);
  fs.mkdirSync(folder, { recursive: true });
  return naming(file, () => {
    if (isOfVersionBefore(folder)) {
      if (!isServing) return openEventsToRead(folder);
      report(carryOver(folder), 'info');
    }
    const note = noteOf(folder);
    refuseMissing(folder, file);
    checkWal(file);
    const database = openToWrite(file, { isNew: note === undefined });
    return checking(database, () => {
      if (sizeOf(file) <= CHECKED_BYTES) checkStructure(database, file);
      refuseLoss(database, file, note);
    });
  });
};
