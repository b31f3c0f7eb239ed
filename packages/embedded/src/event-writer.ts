/** Appends events to the file: what waits goes into one transaction, which is on disk when `write` returns. */
import type { DatabaseSync } from 'node:sqlite';
import type { Appended, ExpectedRevision } from '@pricebook/application';
import { inTransaction, lastPositionOf, WRITE_WAIT_MS } from './event-file';
import { COLUMNS, type EventText, toRow } from './event-row';
import { type LastEvent, openLastNote } from './last-note';

export interface Append {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly EventText[];
}

/** Where the events came to stand, or the revision that the stream has instead of the expected one. */
export type AppendOutcome = Appended | { readonly actual: ExpectedRevision };

export interface EventWriter {
  /** @throws what SQLite says; then nothing of it was appended. */
  readonly write: (appends: readonly Append[]) => readonly AppendOutcome[];
  /** Commits something that changes no event. */
  readonly touch: () => void;
  /**
   * Moves what the WAL holds into the file and empties it: bytes damaged in a WAL lose events that a file keeps.
   *
   * @returns whether it did; not while another process reads or writes.
   */
  readonly checkpoint: () => boolean;
  readonly close: () => void;
}

/** @param note the file of the note of the last event. */
export const createEventWriter = (database: DatabaseSync, note: string): EventWriter => {
  const lastOf = database.prepare('SELECT max(revision) AS last FROM events WHERE stream = ?');
  const stored = database.prepare(
    'SELECT position, id FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?',
  );
  const insert = database.prepare(`INSERT INTO events (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`);
  const lastNote = openLastNote(note);

  const lastRevisionOf = (stream: string): ExpectedRevision => {
    const last = lastOf.get(stream)?.['last'];
    return typeof last === 'number' ? last : 'noStream';
  };

  /** Where the same events are, if they were appended before. */
  const findResent = ({ stream, events }: Append, first: number): Appended | undefined => {
    const rows = stored.all(stream, first, events.length);
    const last = rows.at(-1)?.['position'];
    const isSame = rows.length === events.length && events.every(({ id }, n) => rows[n]?.['id'] === id);
    return isSame ? { lastRevision: first + events.length - 1, position: BigInt(Number(last)) } : undefined;
  };

  return {
    write: (appends) => {
      let last: LastEvent | undefined;
      const outcomes = inTransaction(database, () => {
        let position = lastPositionOf(database);
        return appends.map((append): AppendOutcome => {
          const { stream, expected, events } = append;
          const first = expected === 'noStream' ? 0 : expected + 1;
          const actual = lastRevisionOf(stream);
          if (actual !== expected) return findResent(append, first) ?? { actual };
          events.forEach((event, index) => {
            position += 1;
            insert.run(...toRow(position, stream, first + index, event));
            last = { position, id: event.id };
          });
          return { lastRevision: first + events.length - 1, position: BigInt(position) };
        });
      });
      if (last !== undefined) lastNote.write(last);
      return outcomes;
    },

    touch: () => {
      database
        .prepare("INSERT OR REPLACE INTO about (name, value) VALUES ('touched', ?)")
        .run(new Date().toISOString());
    },

    checkpoint: () => {
      // A checkpoint that waited for a reader would make the next append wait as well.
      database.exec('PRAGMA busy_timeout = 0');
      try {
        return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0;
      } finally {
        database.exec(`PRAGMA busy_timeout = ${String(WRITE_WAIT_MS)}`);
      }
    },

    close: () => {
      lastNote.close();
      database.close();
    },
  };
};
