import type { QuotedLine } from '@pricebook/application';
import { type QuoteLine, quoteLinesCodec } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { ApiError } from '../api-error';
import { explainIn, onlyQuery, priceBookIdIn } from '../parameters';
import { problemOf } from '../problem';
import { type ApiRequest, type Route, routeWithBody } from '../route';
import { productPriceOf } from './product-price';

/** An explanation holds whole tables: of so many lines an answer is still of a size that clients read. */
const MAX_EXPLAINED = 100;

const questionIn = ({ params, query, body }: ApiRequest<readonly QuoteLine[]>) =>
  pipe(
    E.Do,
    E.chainFirst(() => onlyQuery(query, ['explain'])),
    E.apS('explain', explainIn(query)),
    E.filterOrElseW(
      ({ explain }) => !explain || body.length <= MAX_EXPLAINED,
      (): ApiError => ({
        _tag: 'InvalidParameter',
        detail: `With explain=true a quote has at most ${String(MAX_EXPLAINED)} lines.`,
      }),
    ),
    E.apSW('priceBookId', priceBookIdIn(params)),
  );

const bodyOf = (line: QuoteLine, quoted: QuotedLine, explain: boolean) =>
  E.isRight(quoted)
    ? productPriceOf(line, quoted.right, explain)
    : { productId: line.productId, currency: line.currency, problem: problemOf(quoted.left).problem };

export const quoteRoutes: readonly Route[] = [
  routeWithBody(
    { method: 'post', path: '/v1/pricebooks/:priceBookId/quote', scope: 'read' },
    quoteLinesCodec,
    (priceBooks, request) =>
      pipe(
        TE.fromEither(questionIn(request)),
        TE.chainW(({ priceBookId, explain }) =>
          priceBooks.quote(priceBookId, request.body, (line, quoted) => bodyOf(line, quoted, explain)),
        ),
        TE.map((body) => ({ status: 200, body })),
      ),
  ),
];
