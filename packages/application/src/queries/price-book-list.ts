/** The list of price books: all of them, or a page at a time. */
import { setImmediate } from 'node:timers/promises';
import type { PriceBookId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { PriceBookView, ReadModel } from '../ports/read-model';
import type { StoreError } from '../ports/store-error';
import { caseless } from './caseless';

/** What one page looks at, whatever it finds: a page of a few among very many comes in time. */
const MAX_BOOKS_SEEN = 10_000;
/** Books read at once. */
const MAX_READ = 500;

export interface PriceBooksQuestion {
  /** Part of the name, in any letter case; absent for all books. */
  readonly name?: string | undefined;
  /** The id at which the page begins; absent for the first. */
  readonly from?: PriceBookId | undefined;
  /** As many books as the page has at most; absent for all at once. */
  readonly limit?: number | undefined;
}

export interface PriceBooksPage {
  /** Oldest first. */
  readonly priceBooks: readonly PriceBookView[];
  /** The id at which the next page begins; undefined at the end. */
  readonly next: PriceBookId | undefined;
}

/**
 * Books that are not deleted, with turns of the event loop in between. A page may hold fewer than the limit, or none,
 * and still not be the last.
 */
export const readPriceBooks =
  (
    readModel: Pick<ReadModel, 'listPriceBooks'>,
    { name, from, limit = Infinity }: PriceBooksQuestion,
  ): TaskEither<StoreError, PriceBooksPage> =>
  async () => {
    const part = name === undefined ? undefined : caseless(name);
    const priceBooks: PriceBookView[] = [];
    let place = from;
    let room = limit === Infinity ? Infinity : MAX_BOOKS_SEEN;
    // Without a filter it is known how many are missing; one more tells whether there is a next page.
    for (let read = part === undefined ? limit + 1 : MAX_READ; ;) {
      const size = Math.min(read, MAX_READ, room);
      const found = await readModel.listPriceBooks(size, place)();
      if (E.isLeft(found)) return found;
      const { items, next } = found.right;
      for (const priceBook of items) {
        if (part !== undefined && !caseless(priceBook.name).includes(part)) continue;
        if (priceBooks.length === limit) return E.right({ priceBooks, next: priceBook.priceBookId });
        priceBooks.push(priceBook);
      }
      room -= size;
      if (next === undefined || room === 0) return E.right({ priceBooks, next });
      place = next;
      // Few were missing, and those were deleted: many more may be.
      read = MAX_READ;
      await setImmediate();
    }
  };
