/** A list as CSV: made while it is sent, however long it is. */
import * as E from 'fp-ts/Either';
import type { StreamedBody } from '../streams';

/** A piece of the answer has about so many characters. */
const PIECE = 64 * 1024;

const CONTENT_TYPE = 'text/csv; charset=utf-8; header=present';

interface CsvAnswer<Page> {
  /** The lines that come before those of the first page. */
  readonly head: string;
  readonly first: Page;
  /** The lines of a page, in parts of any length. */
  readonly linesOf: (page: Page) => Iterable<string>;
  /** Reads the page after another one; undefined after the last. What it throws breaks the answer off. */
  readonly next: (page: Page) => Promise<Page | undefined>;
}

export const csvAnswer = <Page>({ head, first, linesOf, next }: CsvAnswer<Page>): StreamedBody => ({
  contentType: CONTENT_TYPE,
  pieces: async function* (over) {
    let text = head;
    for (let page: Page | undefined = first; page !== undefined; page = await next(page)) {
      for (const lines of linesOf(page)) {
        text += lines;
        if (text.length < PIECE) continue;
        yield text;
        text = '';
      }
      if (over.aborted) return;
    }
    yield text;
  },
});

/** Reads on to the end, unless the request says how much. */
export const pagesAfter =
  <Place, Page extends { readonly next: Place | undefined }>(
    limit: number | undefined,
    read: (from: Place) => Promise<E.Either<{ readonly _tag: string }, Page>>,
  ) =>
  async ({ next }: Page): Promise<Page | undefined> => {
    if (limit !== undefined || next === undefined) return undefined;
    const another = await read(next);
    if (E.isRight(another)) return another.right;
    throw new Error(`the prices could not be read to their end: ${another.left._tag}`);
  };
