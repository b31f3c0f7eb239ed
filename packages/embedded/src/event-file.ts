/** The SQLite file that holds the events of a folder: its tables, and connections to it. */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Damage } from './damage';
import { asFileDamage } from './sqlite-failure';

/** Of the tables below; a file of a later version is not opened. */
const VERSION = 1;

/** How long a write waits for another process that writes. */
export const WRITE_WAIT_MS = 5_000;
/** How long a read waits; only while another process recovers or closes the file is there anything to wait for. */
const READ_WAIT_MS = 1_000;

/**
 * Made for people too: any SQLite tool reads it, also beside a running service. Positions run from 1 up without gaps,
 * the revisions of a stream from 0 up. The triggers stop a slip of the hand; what proves the history is the hash chain.
 */
const SCHEMA = `
CREATE TABLE events (
  position INTEGER PRIMARY KEY,
  stream TEXT NOT NULL,
  revision INTEGER NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  occurred TEXT AS (metadata ->> '$.occurredAt'),
  data TEXT NOT NULL,
  metadata TEXT NOT NULL,
  checksum INTEGER NOT NULL,
  UNIQUE (stream, revision)
) STRICT;
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TRIGGER no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER no_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
PRAGMA user_version = ${String(VERSION)};
`;

const versionOf = (database: DatabaseSync): number =>
  Number(database.prepare('PRAGMA user_version').get()?.['user_version']);

/** Runs something in a transaction that writes; takes everything back where it throws. */
export const inTransaction = <A>(database: DatabaseSync, act: () => A): A => {
  database.exec('BEGIN IMMEDIATE');
  try {
    const done = act();
    database.exec('COMMIT');
    return done;
  } catch (failure) {
    // A failed commit may have taken everything back already.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw failure;
  }
};

/** Two processes may make the tables at the same time. */
const createTables = (database: DatabaseSync, id: string): void => {
  inTransaction(database, () => {
    if (versionOf(database) !== 0) return;
    database.exec(SCHEMA);
    database.prepare('INSERT INTO about (name, value) VALUES (?, ?)').run('id', id);
  });
};

/**
 * Opens the file to write it, and makes it where it is missing.
 *
 * @param options `isNew` false where it must be there; `id` is the identity of a store that is made.
 * @throws Damage, or what SQLite says to it.
 */
export const openToWrite = (
  file: string,
  { isNew = true, id = randomUUID() }: { readonly isNew?: boolean; readonly id?: string | undefined } = {},
): DatabaseSync => {
  const database = new DatabaseSync(file, { timeout: WRITE_WAIT_MS });
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cell_size_check = ON');
    if (isNew && versionOf(database) === 0) createTables(database, id);
    return checked(database, file);
  } catch (failure) {
    database.close();
    throw failure;
  }
};

/** A file on a disk that cannot be written is read without the files that SQLite keeps beside it. */
const connectToRead = (file: string): DatabaseSync => {
  const options = { readOnly: true, timeout: READ_WAIT_MS };
  const wal = `${file}-wal`;
  if (fs.existsSync(wal) && fs.statSync(wal).size > 0) return new DatabaseSync(file, options);
  try {
    fs.accessSync(path.dirname(file), fs.constants.W_OK);
    return new DatabaseSync(file, options);
  } catch {
    return new DatabaseSync(new URL(`${pathToFileURL(file).href}?immutable=1`), options);
  }
};

/**
 * Opens the file to read it, also beside a process that writes it.
 *
 * @throws Damage, or what SQLite says to it.
 */
export const openToRead = (file: string): DatabaseSync => {
  const database = connectToRead(file);
  try {
    database.exec('PRAGMA cell_size_check = ON');
    return checked(database, file);
  } catch (failure) {
    database.close();
    throw failure;
  }
};

const checked = (database: DatabaseSync, file: string): DatabaseSync => {
  const version = versionOf(database);
  if (version === VERSION) return database;
  throw new Damage(
    file,
    `its tables are of version ${String(version)}; this service reads version ${String(VERSION)}`,
  );
};

/**
 * Uses a connection and closes it.
 *
 * @throws Damage where SQLite says that the file is damaged.
 */
export const withDatabase = <A>(
  database: DatabaseSync,
  file: string,
  use: (database: DatabaseSync) => A,
): A => {
  try {
    return use(database);
  } catch (failure) {
    throw asFileDamage(file, failure);
  } finally {
    database.close();
  }
};

/** The identity of the store, made with it: a read model of other events is told by it. */
export const identityOf = (database: DatabaseSync, file: string): string => {
  const id = database.prepare("SELECT value FROM about WHERE name = 'id'").get()?.['value'];
  if (typeof id !== 'string') throw new Damage(file, 'its id is missing');
  return id;
};

/** The position of the last event; 0 where there is none. */
export const lastPositionOf = (database: DatabaseSync): number =>
  Number(database.prepare('SELECT coalesce(max(position), 0) AS last FROM events').get()?.['last']);
