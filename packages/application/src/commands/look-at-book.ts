/** What a decision needs: where the book is, and which of the requests have been done before. */
import type { PriceBookId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { type Known, type KeyedRequest, knownOf, type Recall } from '../idempotency/request-memory';
import { withHash } from '../hash-chain';
import type { Clock } from '../ports/clock';
import type { EventStore } from '../ports/event-store';
import type { StoreError } from '../ports/store-error';
import { type CommandContext, streamOf, type UndecodableEvent } from '../recorded-event';
import { type BookState, readOn, readState } from './read-state';

/** A book as it was seen. */
export interface Seen {
  readonly book: BookState;
  /** What the requests had done by then; undefined where none of them has a key. */
  readonly done?: Known;
}

/**
 * Looks at a book.
 *
 * @param contexts of the requests that are to be decided.
 * @param carried the book as this process has left it, if that may be tried instead of reading.
 * @param before what an attempt saw that has met a conflict.
 */
export type LookAtBook = (
  priceBookId: PriceBookId,
  contexts: readonly CommandContext[],
  carried: BookState | undefined,
  before: Seen | undefined,
) => Promise<E.Either<StoreError | UndecodableEvent, Seen>>;

const nothingDone: Known = () => undefined;

const keyedAmong = (contexts: readonly CommandContext[]): readonly KeyedRequest[] =>
  contexts.flatMap(({ actor, idempotency }) => (idempotency === undefined ? [] : [{ actor, idempotency }]));

export const createLookAtBook =
  (eventStore: Pick<EventStore, 'read'>, recall: Recall, clock: Clock): LookAtBook =>
  async (priceBookId, contexts, carried, before) => {
    if (before?.done !== undefined) {
      // All that was before that has been asked. The stream tells what has come since, and the state along with it:
      // so a write with a key is as quick as others where many write to a book.
      const read = await readOn(eventStore)(priceBookId, before.book)();
      if (E.isLeft(read)) return read;
      return E.right({ book: read.right.book, done: knownOf(read.right.done, clock.now()) });
    }
    const loaded = carried === undefined ? await readState(eventStore)(priceBookId)() : E.right(carried);
    if (E.isLeft(loaded)) return loaded;
    const end = await withHash(eventStore)(streamOf(priceBookId), loaded.right.end)();
    if (E.isLeft(end)) return end;
    const book = { ...loaded.right, end: end.right };
    const keyed = keyedAmong(contexts);
    if (keyed.length === 0) return E.right({ book });
    // To a book that is not there nothing was done; to one that is, nothing after its last event.
    const { position } = book;
    return E.right({ book, done: position === undefined ? nothingDone : await recall(keyed, position) });
  };
