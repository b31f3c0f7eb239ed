/** Reads events from the file. Each is checked when it is read: nothing that was damaged is passed over. */
import type { DatabaseSync } from 'node:sqlite';
import type { ReadOptions, RecordedEvent } from '@pricebook/application';
import { Damage } from './damage';
import { lastPositionOf } from './event-file';
import { COLUMNS, type EventRow, toEvent } from './event-row';

export interface EventLog {
  /** The position of the last event; 0 where there is none. */
  readonly last: () => number;
  /** Events from a position on; at least one where there is one, and no more once they have so many bytes. */
  readonly from: (
    position: number,
    limits: { readonly events: number; readonly bytes: number },
  ) => readonly RecordedEvent[];
  readonly read: (stream: string, options: ReadOptions) => readonly RecordedEvent[];
}

/** SQLite's largest integer that a number holds exactly. */
const MAX_REVISION = Number.MAX_SAFE_INTEGER;

/** @param file its name for error messages. */
export const createEventLog = (database: DatabaseSync, file: string): EventLog => {
  const select = (rest: string) => {
    const statement = database.prepare(`SELECT ${COLUMNS} FROM events WHERE ${rest} LIMIT ?`);
    statement.setReturnArrays(true);
    return statement;
  };
  const all = select('position >= ? ORDER BY position');
  const forwards = select('stream = ? AND revision >= ? ORDER BY revision');
  const backwards = select('stream = ? AND revision <= ? ORDER BY revision DESC');

  return {
    last: () => lastPositionOf(database),

    from: (position, limits) => {
      const events: RecordedEvent[] = [];
      let bytes = 0;
      for (const found of all.iterate(position, limits.events)) {
        const row = found as unknown as EventRow;
        const [at, , , , , data, metadata] = row;
        if (at !== position + events.length) {
          throw new Damage(file, `the event at position ${String(position + events.length)} is missing`);
        }
        events.push(toEvent(file, row));
        bytes += data.length + metadata.length;
        if (bytes >= limits.bytes) break;
      }
      return events;
    },

    read: (stream, { direction, from, limit }) => {
      const isForwards = direction === 'forwards';
      const rows = (isForwards ? forwards : backwards).all(
        stream,
        from ?? (isForwards ? 0 : MAX_REVISION),
        limit,
      ) as unknown as readonly EventRow[];
      const first = isForwards ? (from ?? 0) : rows[0]?.[2];
      return rows.map((row, index) => {
        const expected = (first ?? 0) + (isForwards ? index : -index);
        const [, foundIn, revision] = row;
        if (foundIn !== stream || revision !== expected) {
          throw new Damage(file, `revision ${String(expected)} of ${stream} is missing`);
        }
        return toEvent(file, row);
      });
    },
  };
};
