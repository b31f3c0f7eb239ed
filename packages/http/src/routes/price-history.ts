import type { PricePeriod } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { cursorIn, limitIn, nextPageHeaders } from '../paging';
import { currencyIn, notQuery, priceBookIdIn, priceParametersIn, productIdIn } from '../parameters';
import { problemOf } from '../problem';
import { type ApiRequest, type Route, route } from '../route';

const LIST = 'history';
const DEFAULT_LIMIT = 100;
const PAGING = ['limit', 'cursor'];

/** A cursor holds the `from` of a period. */
const instantIn = (text: string): string | undefined =>
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(text) && !Number.isNaN(Date.parse(text))
    ? text
    : undefined;

const questionIn = ({ params, query }: ApiRequest<undefined>) =>
  pipe(
    E.Do,
    E.apS('productId', productIdIn(params)),
    E.apS('currency', currencyIn(params)),
    // No table can ask for these: a history has no use for them either.
    E.chainFirst(() => notQuery(query, ['at', 'explain'])),
    E.apS('limit', limitIn(query, DEFAULT_LIMIT)),
    E.apS('from', cursorIn(query, LIST, instantIn)),
    E.apS('priceBookId', priceBookIdIn(params)),
    E.let('parameters', () => priceParametersIn(query, PAGING)),
  );

const bodyOf = ({ from, to, answer, cause }: PricePeriod) => ({
  from,
  to,
  price: E.isRight(answer) ? answer.right.price : null,
  cause,
  ...(E.isLeft(answer) && { problem: problemOf(answer.left).problem.detail }),
});

export const priceHistoryRoutes: readonly Route[] = [
  route(
    { method: 'get', path: '/v1/pricebooks/:priceBookId/:productId/:currency/history', scope: 'read' },
    (priceBooks, request) =>
      pipe(
        TE.fromEither(questionIn(request)),
        TE.chainW(priceBooks.priceHistory),
        TE.map(({ periods, next }) => ({
          status: 200,
          body: periods.map(bodyOf),
          headers: nextPageHeaders({ path: 'history', query: request.query, list: LIST, place: next }),
        })),
      ),
  ),
];
