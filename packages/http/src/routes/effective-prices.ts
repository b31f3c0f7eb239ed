/** What the products of a book and of its bases cost. */
import type { Clock, EffectivePricesQuestion, PriceBooks } from '@pricebook/application';
import { listOf, type ProductId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { listedPriceCodec } from '../answers/listed-price';
import type { ApiError } from '../api-error';
import { effectivePricesAsCsv, effectivePricesCsv } from '../csv/effective-prices-as-csv';
import { csvFormat } from '../csv/read-csv';
import { knownAt, knownAtIn } from '../known-at';
import { JSON_TYPE } from '../media-types';
import { json } from '../openapi/operation';
import { cursorOf, limitBesideCsv, limitOrAll, nextPageHeaders } from '../paging';
import {
  at,
  explain,
  inFull,
  invalid,
  neededCurrency,
  priceBookIdInPath,
  priceParametersIn,
  productPlaceIn,
  queriedPrefix,
  type QueryParameter,
  tableParameters,
} from '../parameters';
import { type ApiRequest, type Route, route } from '../route';
import { listedPriceOf } from './product-price';
import { MAX_EXPLAINED } from './quote';

const LIST = 'effective-prices';

const cursor = cursorOf(LIST, productPlaceIn);
const explained: QueryParameter<boolean> = { ...explain, mediaType: JSON_TYPE };
const own = [neededCurrency, queriedPrefix, at, knownAt, explained, limitBesideCsv, cursor];
const asked = [...own, ...tableParameters];

/** Whether prices are explained, which is refused where the answer has no place for it, or would be too large. */
const explainedIn = (
  { query, mediaType }: ApiRequest<undefined>,
  limit: E.Either<ApiError, number | undefined>,
): E.Either<ApiError, boolean> =>
  pipe(
    explained.read(query),
    E.chain((isExplained) =>
      !isExplained || (mediaType === JSON_TYPE && (E.isLeft(limit) || (limit.right ?? 0) <= MAX_EXPLAINED))
        ? E.right(isExplained)
        : invalid(
            mediaType === JSON_TYPE
              ? `With explain=true a page has at most ${String(MAX_EXPLAINED)} products.`
              : 'CSV has no explanations: explain=true is for JSON.',
          ),
    ),
  );

const questionIn = <A extends number | undefined>(
  request: ApiRequest<undefined>,
  limited: QueryParameter<A>,
  clock: Clock,
) => {
  const { params, query } = request;
  const limit = limited.read(query);
  return inFull({
    currency: neededCurrency.read(query),
    productIdPrefix: queriedPrefix.read(query),
    at: at.read(query),
    knownAt: knownAtIn(query, clock),
    isExplained: explainedIn(request, limit),
    limit,
    from: cursor.read(query),
    priceBookId: priceBookIdInPath.read(params),
    parameters: priceParametersIn(query, own),
  });
};

const linkTo = (query: URLSearchParams, next: ProductId | undefined) =>
  nextPageHeaders({ list: LIST, query, place: next });

interface Question extends EffectivePricesQuestion {
  readonly isExplained: boolean;
}

const read = (priceBooks: PriceBooks, { isExplained, ...question }: Question) =>
  priceBooks.effectivePrices(question, (line, quoted) => listedPriceOf(line, quoted, isExplained));

export const effectivePriceRoutes: readonly Route[] = [
  route(
    {
      method: 'get',
      path: '/v1/pricebooks/:priceBookId/effective-prices',
      scope: 'read',
      offers: [JSON_TYPE, csvFormat.mediaType],
      operationId: 'listEffectivePrices',
      summary: 'List Effective Prices',
      description:
        'What every product of the book and of its bases costs in a currency: for each the price that Get Product Price ' +
        'answers. Products without a list price in the currency are left out. A product whose table has no row for the ' +
        'request, or needs a parameter that is missing, has a `problem` instead of a price. As `text/csv` all of it comes at ' +
        `once unless \`limit\` is given. With \`explain=true\` a page has at most ${String(MAX_EXPLAINED)} products.`,
      tag: 'Prices',
      parameters: [priceBookIdInPath, ...asked],
      answers: {
        200: {
          description: 'A page of prices, by product id.',
          headers: ['Link'],
          content: { ...json(listOf(listedPriceCodec)), ...effectivePricesCsv },
        },
      },
    },
    (priceBooks, request, { clock }) =>
      request.mediaType === JSON_TYPE
        ? pipe(
            TE.fromEither(questionIn(request, limitBesideCsv, clock)),
            TE.chainW((question) => read(priceBooks, question)),
            TE.map(({ prices, next }) => ({
              status: 200,
              body: prices,
              headers: linkTo(request.query, next),
            })),
          )
        : pipe(
            TE.fromEither(questionIn(request, limitOrAll, clock)),
            TE.chain((question) =>
              effectivePricesAsCsv(
                (limitOfPage, from) => read(priceBooks, { ...question, limit: limitOfPage, from }),
                question.limit,
                question.from,
              ),
            ),
            TE.map(({ stream, next }) => ({ status: 200, stream, headers: linkTo(request.query, next) })),
          ),
  ),
];
