/** Checks all events of a file, as they are at one moment. */
import type { DatabaseSync } from 'node:sqlite';
import type { RecordedEvent } from '@pricebook/application';
import { Damage } from './damage';
import { identityOf } from './event-file';
import { COLUMNS, type EventRow, toEvent } from './event-row';
import { asFileDamage } from './sqlite-failure';

export interface CheckedEvents {
  readonly id: string;
  readonly events: number;
  readonly bytes: number;
}

/** What SQLite's own check of pages and indexes finds. */
export const checkStructure = (
  database: DatabaseSync,
  file: string,
  check: 'integrity_check' | 'quick_check',
): void => {
  const found = database.prepare(`PRAGMA ${check}(1)`).get()?.[check];
  if (found !== 'ok') throw new Damage(file, String(found));
};

const bytesOf = (database: DatabaseSync): number =>
  Number(
    database
      .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size')
      .get()?.['bytes'],
  );

/** The first revision that a stream lacks, in words. */
const findGap = (database: DatabaseSync): string | undefined => {
  const found = database
    .prepare('SELECT stream FROM events GROUP BY stream HAVING count(*) <> max(revision) + 1 LIMIT 1')
    .get()?.['stream'];
  return found === undefined ? undefined : `the revisions of ${String(found)} have a gap`;
};

/**
 * Reads everything: pages and indexes, each event against its checksum, positions and revisions for gaps.
 *
 * @param visit given each event in order.
 * @throws Damage
 */
export const checkEvents = (
  database: DatabaseSync,
  file: string,
  visit: (event: RecordedEvent) => void = () => undefined,
): CheckedEvents => {
  // One transaction: other processes may be appending.
  database.exec('BEGIN');
  try {
    checkStructure(database, file, 'integrity_check');
    const gap = findGap(database);
    if (gap !== undefined) throw new Damage(file, gap);
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
  } catch (failure) {
    throw asFileDamage(file, failure);
  } finally {
    if (database.isTransaction) database.exec('ROLLBACK');
  }
};
