/** What List Price Books is asked with, and the headers of its answer. */
import type { BookOrder, BookPlace, PriceBooksPage } from '@pricebook/application';
import { inWords } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { cursorOf, limitOrAll, nextPageHeaders } from '../paging';
import {
  bookPlaceIn,
  flag,
  inFull,
  malformed,
  queriedBase,
  queriedKey,
  queriedName,
  type QueryParameter,
  single,
} from '../parameters';

const LIST = 'pricebooks';

/** A cursor holds the id of a book, as it is answered, and behind it what the book is sorted by. */
const placeIn = (text: string): BookPlace | undefined => {
  const [, id = '', value] = /^([^ ]*)(?: (.*))?$/s.exec(text) ?? [];
  const priceBookId = bookPlaceIn(id);
  if (priceBookId === undefined) return undefined;
  return value === undefined ? { priceBookId } : { priceBookId, value };
};

const textOf = ({ priceBookId, value }: BookPlace): string =>
  value === undefined ? priceBookId : `${priceBookId} ${value}`;

const ORDERS: ReadonlyMap<string, BookOrder> = new Map(
  (['createdAt', 'name', 'updatedAt'] as const).flatMap((by): readonly [string, BookOrder][] => [
    [by, { by, isDescending: false }],
    [`-${by}`, { by, isDescending: true }],
  ]),
);
const NAMES = [...ORDERS.keys()];

const sort: QueryParameter<BookOrder | undefined> = {
  in: 'query',
  name: 'sort',
  description:
    'What the list is sorted by, `createdAt` where it is absent; with `-` before it, from the end. Names are sorted in any letter case alike, by code points.',
  schema: { type: 'string', enum: NAMES, examples: ['-updatedAt'] },
  read: (query) => {
    const text = single(query, 'sort');
    if (E.isLeft(text)) return text;
    const order = text.right === undefined ? undefined : ORDERS.get(text.right);
    return text.right === undefined || order !== undefined
      ? E.right(order)
      : malformed('sort', `must be one of: ${NAMES.join(', ')}; not ${inWords(text.right)}`);
  },
};

const total = flag(
  'total',
  '`true` adds the header `X-Total-Count`: how many books there are on all pages together.',
);

const cursor = cursorOf(LIST, placeIn);

export const listParameters = [limitOrAll, cursor, queriedName, queriedBase, queriedKey, sort, total];

export const listQuestionIn = (query: URLSearchParams) =>
  inFull({
    limit: limitOrAll.read(query),
    from: cursor.read(query),
    name: queriedName.read(query),
    basePriceBookId: queriedBase.read(query),
    key: queriedKey.read(query),
    order: sort.read(query),
    withTotal: total.read(query),
  });

export const listHeaders = (
  query: URLSearchParams,
  { next, total: count }: PriceBooksPage,
): Readonly<Record<string, string>> => ({
  ...nextPageHeaders({ list: LIST, query, place: next && textOf(next) }),
  ...(count !== undefined && { 'X-Total-Count': String(count) }),
});
