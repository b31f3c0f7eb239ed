/** What SQLite fails with. */
import { Damage } from './damage';

/** A failure of SQLite, as it can be sent from a thread to another. */
export interface SqliteFailure {
  /** The result code; its lowest byte is the primary one. See https://sqlite.org/rescode.html */
  readonly errcode: number;
  readonly message: string;
}

const PRIMARY = 0xff;
export const SQLITE_BUSY = 5;
export const SQLITE_FULL = 13;
const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

/** Undefined where it is no failure of SQLite. */
export const sqliteFailureOf = (failure: unknown): SqliteFailure | undefined =>
  failure instanceof Error && 'errcode' in failure && typeof failure.errcode === 'number'
    ? { errcode: failure.errcode, message: failure.message }
    : undefined;

export const primaryCodeOf = ({ errcode }: SqliteFailure): number => errcode & PRIMARY;

export const isDamage = (failure: SqliteFailure): boolean =>
  [SQLITE_CORRUPT, SQLITE_NOTADB].includes(primaryCodeOf(failure));

/** What was thrown over a file, as damage to it where SQLite calls it that; as it is otherwise. */
export const asFileDamage = (file: string, failure: unknown): unknown => {
  const known = sqliteFailureOf(failure);
  return known !== undefined && isDamage(known) ? new Damage(file, known.message) : failure;
};
