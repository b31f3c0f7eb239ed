/** Checks all events of a file, as they are at one moment. */
import type { DatabaseSync } from 'node:sqlite';
import type { RecordedEvent } from '@pricebook/application';
import { Damage } from './damage';
import { identityOf } from './event-file';
import { COLUMNS, type EventRow, toEvent } from './event-row';

export interface CheckedEvents {
  readonly id: string;
  readonly events: number;
  readonly bytes: number;
}

/** What SQLite's own check of pages and indexes finds. */
export const checkStructure = (database: DatabaseSync, file: string): void => {
  const found = database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'];
  if (found !== 'ok') throw new Damage(file, String(found));
};

const bytesOf = (database: DatabaseSync): number =>
  Number(
    database
      .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size')
      .get()?.['bytes'],
  );

/** Checks that the revisions of every stream run without a gap. */
const checkRevisions = (database: DatabaseSync, file: string): void => {
  const found = database
    .prepare('SELECT stream FROM events GROUP BY stream HAVING count(*) <> max(revision) + 1 LIMIT 1')
    .get()?.['stream'];
  if (found !== undefined) throw new Damage(file, `the revisions of ${String(found)} have a gap`);
};

/**
 * Checks what a reader of all events does not: pages, indexes and the revisions of streams.
 *
 * @throws Damage
 */
export const checkLayout = (database: DatabaseSync, file: string): void => {
  checkStructure(database, file);
  checkRevisions(database, file);
};

/**
 * Reads everything: pages and indexes, each event against its checksum, positions and revisions for gaps.
 *
 * @param database to be closed afterwards: the check stays in one transaction, since other processes may be appending.
 * @param visit given each event in order.
 * @throws Damage
 */
export const checkEvents = (
  database: DatabaseSync,
  file: string,
  visit: (event: RecordedEvent) => void = () => undefined,
): CheckedEvents => {
  database.exec('BEGIN');
  checkLayout(database, file);
  let events = 0;
  const all = database.prepare(`SELECT ${COLUMNS} FROM events ORDER BY position`);
  all.setReturnArrays(true);
  for (const row of all.iterate()) {
    const event = toEvent(file, row as unknown as EventRow);
    events += 1;
    if (event.position !== BigInt(events)) {
      throw new Damage(file, `the event at position ${String(events)} is missing`);
    }
    visit(event);
  }
  return { id: identityOf(database, file), events, bytes: bytesOf(database) };
};
