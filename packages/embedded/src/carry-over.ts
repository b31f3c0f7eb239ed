/**
 * Carries the events of a folder of the version before over into SQLite. That version kept them on LMDB: `log` has each
 * by position as a CRC-32 and JSON, `about` the id of the store.
 */
import fs from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import type { RecordedEvent } from '@pricebook/application';
import { open, type RootDatabase } from 'lmdb';
import { Damage } from './damage';
import { checkEvents } from './event-check';
import { inTransaction, openToRead, openToWrite, withDatabase } from './event-file';
import { COLUMNS, toRow, toText } from './event-row';
import { EVENTS_FILE, LMDB_EVENTS_FILE } from './files';
import { sync } from './whole-file';

const CHECKSUM_BYTES = 4;
const BATCH = 10_000;

/** An event as the version before kept it; its checksum covers the position as well. */
const decode = (file: string, record: Buffer, position: number): Omit<RecordedEvent, 'position'> => {
  const body = record.subarray(CHECKSUM_BYTES);
  if (record.length < CHECKSUM_BYTES || record.readUInt32BE() !== crc32(body, position)) {
    throw new Damage(file, `the event at position ${String(position)} is not as it was written`);
  }
  return JSON.parse(body.toString('utf8')) as Omit<RecordedEvent, 'position'>;
};

function* eventsOf(environment: RootDatabase, file: string) {
  const log = environment.openDB<Buffer, number>('log', { keyEncoding: 'uint32', encoding: 'binary' });
  let expected = 1;
  for (const { key: position, value } of log.getRange({})) {
    if (position !== expected) {
      throw new Damage(file, `the event at position ${String(expected)} is missing`);
    }
    expected += 1;
    yield { position, ...decode(file, value, position) };
  }
}

/**
 * Writes the events of the version before into a new file.
 *
 * @throws Damage
 */
export const copyLmdbEvents = (from: string, to: string): void => {
  const environment = open({ path: from, noSubdir: true, readOnly: true });
  try {
    const id = environment.openDB<string, string>('about', { encoding: 'string' }).get('id');
    const database = openToWrite(to, { id });
    try {
      // Half a copy is thrown away; what is complete is synced before it gets its name. Only DELETE takes WAL off the file.
      database.exec('PRAGMA journal_mode = DELETE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF');
      const insert = database.prepare(`INSERT INTO events (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
      const events = eventsOf(environment, from);
      const copyBatch = (): boolean => {
        for (let n = 0; n < BATCH; n += 1) {
          const next = events.next();
          if (next.done === true) return false;
          const { position, stream, revision, ...event } = next.value;
          insert.run(...toRow(position, stream, revision, toText(event)));
        }
        return true;
      };
      while (inTransaction(database, copyBatch));
    } finally {
      database.close();
    }
  } finally {
    void environment.close();
  }
};

/**
 * Writes the events of a folder of the version before into a new file, checks each, and keeps the old file under another
 * name. A process that is killed meanwhile leaves the old file as it was.
 *
 * @returns what it did, in a sentence.
 * @throws Damage
 */
export const carryOver = (folder: string): string => {
  const from = path.join(folder, LMDB_EVENTS_FILE);
  const to = path.join(folder, EVENTS_FILE);
  const part = `${to}.part`;
  fs.rmSync(part, { force: true });
  copyLmdbEvents(from, part);
  const { events } = withDatabase(openToRead(part), part, (database) => checkEvents(database, part));
  sync(part);
  fs.renameSync(part, to);
  const kept = `${from}.carried-over`;
  fs.renameSync(from, kept);
  for (const left of [`${from}-lock`, path.join(folder, 'events.closed')]) fs.rmSync(left, { force: true });
  return `${String(events)} events were carried over from ${from} to ${to}; the old file is kept as ${kept}`;
};
