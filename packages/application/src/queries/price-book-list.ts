/** The list of price books: all of them, or a page at a time. */
import { setImmediate } from 'node:timers/promises';
import type { PriceBookId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import { caseless } from '../caseless';
import {
  type BookOrder,
  type BookPlace,
  OLDEST_FIRST,
  type PriceBookView,
  type ReadModel,
} from '../ports/read-model';
import type { StoreError } from '../ports/store-error';
import { placeOf } from '../projection/price-book-places';

/** What one page looks at, whatever it finds: a page of a few among very many comes in time. */
const MAX_BOOKS_SEEN = 10_000;
/** Books read at once. */
const MAX_READ = 500;

export interface PriceBooksQuestion {
  /** Part of the name, in any letter case; absent for all books. */
  readonly name?: string | undefined;
  /** Only books that have this one as their base. */
  readonly basePriceBookId?: PriceBookId | undefined;
  /** Only the book that has this key. */
  readonly key?: string | undefined;
  /** Oldest first where it is absent. */
  readonly order?: BookOrder | undefined;
  /** Where the page begins; absent for the first. */
  readonly from?: BookPlace | undefined;
  /** As many books as the page has at most; absent for all at once. */
  readonly limit?: number | undefined;
  /** Whether it is counted how many books there are on all pages together. */
  readonly withTotal?: boolean | undefined;
}

export interface PriceBooksPage {
  /** In the order that was asked for. */
  readonly priceBooks: readonly PriceBookView[];
  /** Where the next page begins; undefined at the end. */
  readonly next: BookPlace | undefined;
  /** As many as there are on all pages together, where that was asked. */
  readonly total?: number;
}

type Books = Pick<ReadModel, 'listPriceBooks' | 'countPriceBooks' | 'findByKey' | 'findPriceBook'>;

/** Whether a book is among those that are asked for; undefined where all are. */
const filterOf = ({
  name,
  basePriceBookId,
}: PriceBooksQuestion): ((priceBook: PriceBookView) => boolean) | undefined => {
  if (name === undefined && basePriceBookId === undefined) return undefined;
  const part = name === undefined ? '' : caseless(name);
  return (priceBook) =>
    (part === '' || caseless(priceBook.name).includes(part)) &&
    (basePriceBookId === undefined || priceBook.basePriceBookIds[0] === basePriceBookId);
};

/** A page may hold fewer than the limit, or none, and still not be the last. */
const readPage = async (
  readModel: Books,
  question: PriceBooksQuestion,
): Promise<E.Either<StoreError, PriceBooksPage>> => {
  const { from, limit = Infinity, order = OLDEST_FIRST } = question;
  const isAsked = filterOf(question);
  const priceBooks: PriceBookView[] = [];
  let place = from;
  let room = limit === Infinity ? Infinity : MAX_BOOKS_SEEN;
  // Without a filter it is known how many are missing; one more tells whether there is a next page.
  for (let read = isAsked === undefined ? limit + 1 : MAX_READ; ;) {
    const size = Math.min(read, MAX_READ, room);
    const found = await readModel.listPriceBooks(size, place, order)();
    if (E.isLeft(found)) return found;
    const { items, next } = found.right;
    for (const priceBook of items) {
      if (isAsked?.(priceBook) === false) continue;
      if (priceBooks.length === limit) return E.right({ priceBooks, next: placeOf(priceBook, order.by) });
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

/** Of one key there is one book at most. */
const readKeyed = async (
  readModel: Books,
  question: PriceBooksQuestion,
  key: string,
): Promise<E.Either<StoreError, PriceBooksPage>> => {
  const id = await readModel.findByKey(key)();
  if (E.isLeft(id)) return id;
  const book = id.right === undefined ? E.right(undefined) : await readModel.findPriceBook(id.right)();
  if (E.isLeft(book)) return book;
  const found = book.right;
  const isAsked = found !== undefined && filterOf(question)?.(found) !== false;
  return E.right({ priceBooks: isAsked ? [found] : [], next: undefined });
};

/** Without a filter it is known how many books there are; with one, all of them are looked at. */
const countAll = async (
  readModel: Books,
  question: PriceBooksQuestion,
): Promise<E.Either<StoreError, number>> => {
  if (filterOf(question) === undefined) return readModel.countPriceBooks()();
  const all = await readPage(readModel, { ...question, from: undefined, limit: undefined, order: undefined });
  return E.isLeft(all) ? all : E.right(all.right.priceBooks.length);
};

/** Books that are not deleted, with turns of the event loop in between. */
export const readPriceBooks =
  (readModel: Books, question: PriceBooksQuestion): TaskEither<StoreError, PriceBooksPage> =>
  async () => {
    const { key, withTotal = false } = question;
    if (key !== undefined) {
      const keyed = await readKeyed(readModel, question, key);
      if (E.isLeft(keyed) || !withTotal) return keyed;
      return E.right({ ...keyed.right, total: keyed.right.priceBooks.length });
    }
    const page = await readPage(readModel, question);
    if (E.isLeft(page) || !withTotal) return page;
    const total = await countAll(readModel, question);
    return E.isLeft(total) ? total : E.right({ ...page.right, total: total.right });
  };
