/** Lists that are answered a page at a time: how many, from where on, and where the next page is. */
import { inWords } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import type { ApiError } from './api-error';
import { JSON_TYPE } from './media-types';
import { invalid, malformed, type QueryParameter, single } from './parameters';

const MAX_LIMIT = 1_000;
/** Of lists that are always paged (design section 2). */
const DEFAULT_LIMIT = 100;

const whole = /^[1-9]\d{0,3}$/;

/**
 * `limit`: as many items as the page has at most.
 *
 * What it is where it is absent is told in words: as a `default` in the schema, pages that call operations would send it
 * with every request, also with those for CSV or a stream, to which it means something else.
 *
 * @param otherwise where it is absent.
 * @param absent what documents say of that.
 */
const limitOf = <A>(otherwise: A, absent: string): QueryParameter<number | A> => ({
  in: 'query',
  name: 'limit',
  description: `As many items as the page has at most; ${absent}.`,
  schema: {
    type: 'integer',
    format: 'int64',
    minimum: 1,
    maximum: MAX_LIMIT,
    examples: [10],
  },
  read: (query) =>
    pipe(
      single(query, 'limit'),
      E.chain((text): E.Either<ApiError, number | A> => {
        if (text === undefined) return E.right(otherwise);
        return whole.test(text) && Number(text) <= MAX_LIMIT
          ? E.right(Number(text))
          : malformed('limit', `must be a whole number from 1 to ${String(MAX_LIMIT)}, not ${inWords(text)}`);
      }),
    ),
});

const byDefault = String(DEFAULT_LIMIT);

/** The limit of a list that is always paged. */
export const limit = limitOf(DEFAULT_LIMIT, `${byDefault} where it is absent`);

/** The limit of a list that is also offered as a stream. */
export const limitBesideStream: QueryParameter<number> = {
  ...limitOf(DEFAULT_LIMIT, `${byDefault} where it is absent. A stream takes none`),
  mediaType: JSON_TYPE,
};

/** The limit of a list that comes whole, as CSV, where the request does not say how much. */
export const limitBesideCsv = limitOf(
  DEFAULT_LIMIT,
  `where it is absent, ${byDefault} as JSON and all as CSV`,
);

/** The limit of a list that comes whole where the request does not say how much. */
export const limitOrAll = limitOf(undefined, 'all where it is absent');

/**
 * A text as a cursor, which means something to us alone.
 *
 * @param list the name of the list, so that a cursor of one is none of another.
 */
export const encodeCursor = (list: string, text: string): string =>
  Buffer.from(`${list}:${text}`, 'utf8').toString('base64url');

/** @returns undefined where the cursor is none of that list. */
export const decodeCursor = (list: string, cursor: string): string | undefined => {
  const text = Buffer.from(cursor, 'base64url')
    .toString('utf8')
    .slice(list.length + 1);
  // The reader of base64url passes over what is none.
  return encodeCursor(list, text) === cursor ? text : undefined;
};

/**
 * `cursor`: where the page begins; undefined for the first page.
 *
 * @param read the place that the text of a cursor stands for; undefined where it stands for none.
 */
export const cursorOf = <A>(
  list: string,
  read: (text: string) => A | undefined,
): QueryParameter<A | undefined> => ({
  in: 'query',
  name: 'cursor',
  description: 'The page that the `Link` of another answer leads to. It has no meaning to clients.',
  schema: { type: 'string' },
  read: (query) =>
    pipe(
      single(query, 'cursor'),
      E.chain((cursor) => {
        if (cursor === undefined) return E.right(undefined);
        const text = decodeCursor(list, cursor);
        const place = text === undefined ? undefined : read(text);
        return place === undefined
          ? invalid('The query parameter "cursor" is not one that this list has given.')
          : E.right(place);
      }),
    ),
});

/** What names the next page, as a list hands it out. */
interface NextPage {
  /** Its name, which is the last part of its path. */
  readonly list: string;
  /** That of this request: the next page is asked for alike. */
  readonly query: URLSearchParams;
  /** Where the next page begins, as text; undefined where this one is the last. */
  readonly place: string | undefined;
}

/** The header that leads to the next page, relative to the path of the request: it holds behind a proxy's prefix. */
export const nextPageHeaders = ({ list, query, place }: NextPage): Readonly<Record<string, string>> => {
  if (place === undefined) return {};
  const next = new URLSearchParams(query);
  next.set('cursor', encodeCursor(list, place));
  return { Link: `<${list}?${next.toString()}>; rel="next"` };
};
