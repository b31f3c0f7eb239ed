import type { PriceBookEvent } from './events';

/**
 * All that a decision needs of a price book. The last event alone gives it, whatever came before: a command
 * costs the same on a book with a million prices as on a new one.
 */
export type PriceBookState =
  | { readonly _tag: 'Absent' }
  | ({ readonly _tag: 'Active' } & LastEvent)
  | ({ readonly _tag: 'Deleted' } & LastEvent);

export interface LastEvent {
  /** The revision of the book: that of its last event; the first is 0. */
  readonly revision: number;
  /** When the last event happened: ISO 8601, UTC. */
  readonly updatedAt: string;
}

export const absent: PriceBookState = { _tag: 'Absent' };

/** The state after an event. Only a restoration follows a deletion. */
export const evolve = (
  _state: PriceBookState,
  event: Pick<PriceBookEvent, 'type'>,
  last: LastEvent,
): PriceBookState => ({
  _tag: event.type === 'PriceBookDeleted' ? 'Deleted' : 'Active',
  revision: last.revision,
  updatedAt: last.updatedAt,
});
