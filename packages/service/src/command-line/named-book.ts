/** A price book as people name it on the command line: by its name, its key, its id, or a beginning of its id. */
import { priceBookIdCodec } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { printable } from './terminal';

export interface NamedBook {
  readonly id: string;
  readonly name: string;
  /** Absent where it has none. */
  readonly key?: string | undefined;
}

const LISTED_BOOKS = 20;

/** Whether it names a book without a look at the others. */
export const isWholeId = (words: string): boolean => E.isRight(priceBookIdCodec.decode(words));

/**
 * The id of the one book that the words name. Letter case counts in keys alone; `key=retail` is a key and no name.
 *
 * @returns on the left why there is none, for the person at the terminal.
 */
export const bookNamed = (words: string, books: Iterable<NamedBook>): E.Either<string, string> => {
  const wanted = words.toLowerCase();
  const found = [...books].filter(
    // An empty argument is a variable of a script that was not set.
    ({ id, name, key }) =>
      wanted !== '' &&
      (name.toLowerCase() === wanted ||
        id.startsWith(wanted) ||
        (key !== undefined && [key, `key=${key}`].includes(words))),
  );
  const [book, ...others] = found;
  if (book === undefined) {
    return E.left(
      printable(`No price book has the name or the key "${words}", or an id that begins with it.`),
    );
  }
  if (others.length === 0) return E.right(book.id);
  return E.left(
    [
      `"${words}" names ${String(found.length)} price books. Name one by its id:`,
      ...found.slice(0, LISTED_BOOKS).map(({ id, name }) => `  ${id}  ${name}`),
      ...(found.length > LISTED_BOOKS ? ['  ...'] : []),
    ]
      .map(printable)
      .join('\n'),
  );
};
