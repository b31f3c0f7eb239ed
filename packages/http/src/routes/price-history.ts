import type { PricePeriod } from '@pricebook/application';
import { listOf } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { type PricePeriodBody, pricePeriodCodec } from '../answers/price-period';
import { json } from '../openapi/operation';
import { cursorOf, limit, nextPageHeaders } from '../paging';
import {
  at,
  currencyInPath,
  explain,
  inFull,
  notQuery,
  priceBookIdInPath,
  priceParametersIn,
  productIdInPath,
  tableParameters,
  time,
} from '../parameters';
import { knownAt } from '../known-at';
import { problemOf } from '../problem';
import { type ApiRequest, type Route, route } from '../route';

const LIST = 'history';

/** A cursor holds the `from` of a period. */
const instantIn = (text: string): string | undefined =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text))
    ? text
    : undefined;

const cursor = cursorOf(LIST, instantIn);
const to = time(
  'to',
  'Only periods that begin before this instant. After now, those that are planned are shown, too.',
);
const own = [limit, cursor, to];
const asked = [...own, ...tableParameters];

const questionIn = ({ params, query }: ApiRequest<undefined>) =>
  inFull({
    productId: productIdInPath.read(params),
    currency: currencyInPath.read(params),
    // No table can ask for these: a history has no use for them either.
    names: notQuery(query, [at, knownAt, explain], asked),
    limit: limit.read(query),
    from: cursor.read(query),
    to: to.read(query),
    priceBookId: priceBookIdInPath.read(params),
    parameters: priceParametersIn(query, own),
  });

const bodyOf = ({ from, to: end, answer, cause }: PricePeriod, now: string): PricePeriodBody => ({
  from,
  to: end,
  price: E.isRight(answer) ? answer.right.price : null,
  cause,
  ...(from > now && { planned: true as const }),
  ...(E.isLeft(answer) && { problem: problemOf(answer.left).problem.detail }),
});

export const priceHistoryRoutes: readonly Route[] = [
  route(
    {
      method: 'get',
      path: '/v1/pricebooks/:priceBookId/:productId/:currency/history',
      scope: 'read',
      operationId: 'getPriceHistory',
      summary: 'Get Price History',
      description:
        'How the price of a product came to be what it is: the periods through which Get Product Price answers the same, ' +
        'oldest first; with `to` after now, also those that are planned. A deleted book still has its history, which ends with its ' +
        'deletion.',
      tag: 'History',
      parameters: [priceBookIdInPath, productIdInPath, currencyInPath, ...asked],
      answers: {
        200: {
          description: 'A page of periods.',
          headers: ['Link'],
          content: json(listOf(pricePeriodCodec)),
        },
      },
    },
    (priceBooks, request, { clock }) =>
      pipe(
        TE.fromEither(questionIn(request)),
        TE.chainW(priceBooks.priceHistory),
        TE.map(({ periods, next }) => {
          const now = clock.now();
          return {
            status: 200,
            body: periods.map((period) => bodyOf(period, now)),
            headers: nextPageHeaders({ list: LIST, query: request.query, place: next }),
          };
        }),
      ),
  ),
];
