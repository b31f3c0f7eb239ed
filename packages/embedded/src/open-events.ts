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

/** Up to this size a start checks pages and indexes; `verify` does for files of any size. */
const CHECKED_BYTES = 256 * 1024 * 1024;

const sizeOf = (file: string): number => fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Events that are gone while something made of them is not were not meant to go. */
const refuseMissing = (folder: string, file: string, note: LastEvent | undefined): void => {
  if (sizeOf(file) > 0) return;
  const readModel = path.join(folder, liveFile(folder));
  const [left] = [...(note === undefined ? [] : [LAST_FILE]), readModel].filter((one) =>
    fs.existsSync(path.resolve(folder, one)),
  );
  if (left === undefined) return;
  const state = fs.existsSync(file) ? 'is empty' : 'is missing';
  throw new Damage(
    file,
    `it ${state}, but ${path.join(folder, path.basename(left))} is there. Restore a backup; or, to start without any event, move all files of the folder away`,
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

const openChecked = (folder: string, file: string): DatabaseSync => {
  const note = readLastNote(path.join(folder, LAST_FILE));
  refuseMissing(folder, file, note);
  checkWal(file);
  const database = openToWrite(file, { isNew: note === undefined });
  try {
    if (sizeOf(file) <= CHECKED_BYTES) checkStructure(database, file, 'integrity_check');
    refuseLoss(database, file, note);
    return database;
  } catch (failure) {
    database.close();
    throw failure;
  }
};

/**
 * Opens the file of events for the reads of this process.
 *
 * @param mode see `openEmbeddedEventStore`.
 * @throws Damage
 */
export const openEvents = (
  folder: string,
  mode: 'serve' | 'read' | 'append',
  report: (message: string) => void,
): DatabaseSync => {
  const file = path.join(folder, EVENTS_FILE);
  const isOfVersionBefore = !fs.existsSync(file) && fs.existsSync(path.join(folder, LMDB_EVENTS_FILE));
  if (isOfVersionBefore && mode !== 'serve') {
    throw new Error(
      `${path.resolve(folder)} holds events of the version before: start the service once, which carries them over`,
    );
  }
  if (mode === 'read' && !fs.existsSync(file)) {
    throw new Error(`there is no event store in ${path.resolve(folder)}`);
  }
  try {
    if (mode === 'read') return openToRead(file);
    fs.mkdirSync(folder, { recursive: true });
    if (isOfVersionBefore) report(carryOver(folder));
    return openChecked(folder, file);
  } catch (failure) {
    const found = asFileDamage(file, failure);
    const known = sqliteFailureOf(found);
    throw known === undefined ? found : new Error(`${file} cannot be opened: ${known.message}`);
  }
};
