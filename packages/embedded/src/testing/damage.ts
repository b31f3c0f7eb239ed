/** What can happen to a file, and what has to come of it. */

/** The file of the events, or the WAL that a killed process left beside it. */
export type DamagedFile = 'events.db' | 'events.db-wal';

export type FileDamage =
  | { readonly file: DamagedFile; readonly kind: 'cut'; readonly at: number }
  | { readonly file: DamagedFile; readonly kind: 'flip'; readonly at: number; readonly mask: number };

export type DamageOutcome =
  /** It was refused; the message is to name the file. */
  | { readonly _tag: 'Refused'; readonly message: string }
  /** It was opened: the ids of the events in order, and whether all were still there after events were added. */
  | { readonly _tag: 'Opened'; readonly ids: readonly string[]; readonly isKept: boolean }
  /** The process ended with a signal, or did not answer. */
  | { readonly _tag: 'Crashed'; readonly how: string };
