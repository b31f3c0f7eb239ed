/** What is going to begin or end in a book. */
import { ALL_PRODUCTS, type Holder, type UpcomingChange, type UpcomingPlace } from '@pricebook/application';
import { currencyCodec, listOf, productIdCodec } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { type UpcomingBody, upcomingCodec } from '../answers/upcoming';
import { instantCodec } from '../answers/values';
import { json } from '../openapi/operation';
import { cursorOf, limit, nextPageHeaders } from '../paging';
import { inFull, priceBookIdInPath, time } from '../parameters';
import { type ApiRequest, type Route, route } from '../route';

const LIST = 'upcoming';

/** A place as the text of a cursor: the product id comes last, since it may hold any text. */
const placeText = ({ at, holder, currency, skip = 0 }: UpcomingPlace): string =>
  [at, currency ?? '', String(skip), holder ?? ''].join(' ');

const holderIn = (text: string): Holder | undefined => {
  if (text === ALL_PRODUCTS) return ALL_PRODUCTS;
  const product = productIdCodec.decode(text);
  return E.isRight(product) ? product.right : undefined;
};

const placeIn = (text: string): UpcomingPlace | undefined => {
  const [, at, currencyText = '', skipText = '', holder = ''] =
    /^(\S+) (\S*) (\d{1,6}) (.*)$/su.exec(text) ?? [];
  const instant = instantCodec.decode(at);
  if (E.isLeft(instant) || Number.isNaN(Date.parse(instant.right))) return undefined;
  if (holder === '' && currencyText === '') return { at: instant.right };
  const currency = currencyCodec.decode(currencyText);
  const of = holderIn(holder);
  if (E.isLeft(currency) || of === undefined) return undefined;
  return { at: instant.right, holder: of, currency: currency.right, skip: Number(skipText) };
};

const cursor = cursorOf(LIST, placeIn);
const from = time('from', 'Only what happens then or later; now where it is absent or has passed.');
const to = time('to', 'Only what happens before this instant.');
const asked = [from, to, limit, cursor];

const questionIn = ({ params, query }: ApiRequest<undefined>) =>
  pipe(
    inFull({
      limit: limit.read(query),
      cursor: cursor.read(query),
      from: from.read(query),
      to: to.read(query),
      priceBookId: priceBookIdInPath.read(params),
    }),
    E.map(({ cursor: place, from: instant, ...question }) => ({
      ...question,
      from: place ?? (instant === undefined ? undefined : { at: instant }),
    })),
  );

const bodyOf = ({ at, holder, currency, change, adjustment }: UpcomingChange): UpcomingBody => ({
  at,
  productId: holder,
  currency,
  change,
  adjustment,
});

export const upcomingRoutes: readonly Route[] = [
  route(
    {
      method: 'get',
      path: '/v1/pricebooks/:priceBookId/upcoming',
      scope: 'read',
      operationId: 'listUpcomingChanges',
      summary: 'List Upcoming Changes',
      description:
        'What is going to begin or end in the book by itself, in the order in which it happens; at the same instant by product ' +
        'id and currency, and what ends comes first. What its bases plan is in their own lists. A page may hold fewer ' +
        'items than `limit`, or none, and still lead to another one.',
      tag: 'Prices',
      parameters: [priceBookIdInPath, ...asked],
      answers: {
        200: {
          description: 'A page of changes.',
          headers: ['Link'],
          content: json(listOf(upcomingCodec)),
        },
      },
    },
    (priceBooks, request) =>
      pipe(
        TE.fromEither(questionIn(request)),
        TE.chainW(priceBooks.upcoming),
        TE.map(({ changes, next }) => ({
          status: 200,
          body: changes.map(bodyOf),
          headers: nextPageHeaders({
            list: LIST,
            query: request.query,
            place: next && placeText(next),
          }),
        })),
      ),
  ),
];
