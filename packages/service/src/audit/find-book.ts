import { decodeRecorded, type EventStore, priceBookOf } from '@pricebook/application';
import type { PriceBookEvent, PriceBookId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { bookNamed, type NamedBook } from '../command-line/named-book';
import { patiently, type Patience } from '../command-line/patience';
import { storeSentence } from '../command-line/sentences';

const PAGE = 1_000;

interface FoundBook extends NamedBook {
  /** The key of a deleted book, which gets it back when it is restored. */
  readonly formerKey?: string | undefined;
}

/** What a book is named by after an event. Its key is free once it is deleted. */
const bookAfter = (book: FoundBook, { type, data }: PriceBookEvent): FoundBook => {
  switch (type) {
    case 'PriceBookCreated':
    case 'PriceBookCloned':
    case 'PriceBookUpdated': {
      const { name = book.name, key = book.key } = data;
      return { ...book, name, key: key ?? undefined };
    }
    case 'PriceBookDeleted':
      return { ...book, key: undefined, formerKey: book.key };
    case 'PriceBookRestored': {
      const { key = book.formerKey } = data;
      return { ...book, key: key ?? undefined };
    }
    case 'ProductPricesSet':
    case 'AllProductsAdjusted':
    case 'PriceBookEntriesDeleted':
      return book;
  }
};

/**
 * Looks through all events for the book that a person names. It finds deleted books too, which no read model lists,
 * and needs no read model.
 *
 * @returns on the left why there is none, for the person at the terminal.
 */
export const findBook = async (
  { readAll }: Pick<EventStore, 'readAll'>,
  words: string,
  patience: Patience,
): Promise<E.Either<string, PriceBookId>> => {
  const books = new Map<PriceBookId, FoundBook>();
  for (let after: bigint | undefined; ;) {
    const page = await patiently(readAll(after, PAGE), patience);
    if (E.isLeft(page)) return E.left(storeSentence(page.left));
    for (const recorded of page.right) {
      const id = priceBookOf(recorded.stream);
      const decoded = id === undefined ? undefined : decodeRecorded(recorded);
      if (id === undefined || decoded === undefined || E.isLeft(decoded)) continue;
      books.set(id, bookAfter(books.get(id) ?? { id, name: '' }, decoded.right.event));
    }
    const last = page.right.at(-1);
    if (last === undefined || patience.signal.aborted) break;
    after = last.position;
  }
  return bookNamed(words, books.values()) as E.Either<string, PriceBookId>;
};
