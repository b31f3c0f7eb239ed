/** What a book says itself: its products' own prices, and its percents for all products. */
import type { BookPercents, OwnPricesPage, PriceBooks, ProductOwnPrices } from '@pricebook/application';
import { listOf, type OwnPrices } from '@pricebook/domain';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import {
  bookPercentsCodec,
  bookPercentsBody,
  type ProductOwnPricesBody,
  productOwnPricesCodec,
} from '../answers/own-prices';
import type { ApiError } from '../api-error';
import { ownPricesAsCsv } from '../csv/own-prices-as-csv';
import { csvFormat } from '../csv/read-csv';
import { csvEntityTagOf, entityTagOf, ifNoneMatch } from '../entity-tag';
import { JSON_TYPE } from '../media-types';
import { json } from '../openapi/operation';
import { cursorOf, limitBesideCsv, limitOrAll, nextPageHeaders } from '../paging';
import {
  inFull,
  priceBookIdInPath,
  productPlaceIn,
  type QueryParameter,
  queriedCurrency,
  queriedPrefix,
} from '../parameters';
import { type ApiAnswer, type ApiRequest, type Route, route } from '../route';

const book = '/v1/pricebooks/:priceBookId';
const LIST = 'prices';

const cursor = cursorOf(LIST, productPlaceIn);
const asked = [limitBesideCsv, cursor, queriedCurrency, queriedPrefix];

const questionIn = <A>({ params, query }: ApiRequest<undefined>, limited: QueryParameter<A>) =>
  inFull({
    limit: limited.read(query),
    from: cursor.read(query),
    currency: queriedCurrency.read(query),
    productIdPrefix: queriedPrefix.read(query),
    priceBookId: priceBookIdInPath.read(params),
  });

const headersOf = (
  tag: string,
  query: URLSearchParams,
  next: OwnPricesPage['next'],
): Readonly<Record<string, string>> => ({
  ETag: tag,
  ...nextPageHeaders({ list: LIST, query, place: next }),
});

type Answering = (
  priceBooks: PriceBooks,
  request: ApiRequest<undefined>,
) => TE.TaskEither<ApiError, ApiAnswer>;

/** What is dated shows only where something is. */
export const ownPricesBody = ({ adjustments, percents, dated }: OwnPrices) => ({
  adjustments,
  percents,
  ...(Object.keys(dated).length > 0 && { dated }),
});

const bodyOf = ({ productId, ...own }: ProductOwnPrices): ProductOwnPricesBody => ({
  productId,
  ...ownPricesBody(own),
});

/** What of a page begins or ends by itself; undefined where nothing does. */
const datedIn = (products: OwnPricesPage['products']): unknown => {
  const dated = products.flatMap((product) =>
    Object.keys(product.dated).length > 0 ? [[product.productId, product.dated]] : [],
  );
  return dated.length > 0 ? dated : undefined;
};

const asJson: Answering = (priceBooks, request) =>
  pipe(
    TE.fromEither(questionIn(request, limitBesideCsv)),
    TE.chainW(priceBooks.ownPrices),
    TE.map((page) => ({
      status: 200,
      body: page.products.map(bodyOf),
      headers: headersOf(entityTagOf(page.revision, datedIn(page.products)), request.query, page.next),
    })),
  );

const asCsv: Answering = (priceBooks, request) =>
  pipe(
    TE.fromEither(questionIn(request, limitOrAll)),
    TE.chain((question) => ownPricesAsCsv(priceBooks, question)),
    TE.map(({ stream, revision, nextChange, next }) => ({
      status: 200,
      stream,
      headers: headersOf(csvEntityTagOf(revision, nextChange), request.query, next),
    })),
  );

const datedPercents = (percents: BookPercents['percents']): unknown => {
  const dated = Object.entries(percents).flatMap(([currency, percent]) =>
    percent?.dated === undefined ? [] : [[currency, percent.dated]],
  );
  return dated.length > 0 ? dated : undefined;
};

export const ownPriceRoutes: readonly Route[] = [
  route(
    {
      method: 'get',
      path: `${book}/prices`,
      scope: 'read',
      offers: [JSON_TYPE, csvFormat.mediaType],
      operationId: 'listProductPrices',
      summary: 'List Product Prices',
      description:
        'What the products of the book have of their own: what was set for them in this book, not their prices. Set into an ' +
        'empty book of the same base, first all `adjustments`, then all `percents` and then what is `dated`, it gives the same ' +
        'prices from then on. As `text/csv` the percents of the book are in it unless `productIdPrefix` is given, and all of ' +
        'it comes at once unless `limit` is given.',
      tag: 'Prices',
      parameters: [priceBookIdInPath, ...asked, ifNoneMatch],
      answers: {
        200: {
          description: 'A page of products, by their ids.',
          headers: ['ETag', 'Link'],
          content: {
            ...json(listOf(productOwnPricesCodec)),
            [csvFormat.mediaType]: csvFormat.schema,
          },
        },
        304: {
          description: 'The book is still at a revision that `If-None-Match` names.',
          headers: ['ETag', 'Link'],
        },
      },
    },
    (priceBooks, request) => (request.mediaType === JSON_TYPE ? asJson : asCsv)(priceBooks, request),
  ),

  route(
    {
      method: 'get',
      path: `${book}/percents`,
      scope: 'read',
      operationId: 'getPercents',
      summary: 'Get Percents',
      description:
        'What the book has for all its products, by currency: what holds, and what is going to begin or end.',
      tag: 'Prices',
      parameters: [priceBookIdInPath, ifNoneMatch],
      answers: {
        200: { description: 'The percents.', headers: ['ETag'], content: json(bookPercentsCodec) },
        304: {
          description: 'The book is still at a revision that `If-None-Match` names.',
          headers: ['ETag'],
        },
      },
    },
    (priceBooks, { params }) =>
      pipe(
        TE.fromEither(priceBookIdInPath.read(params)),
        TE.chainW(priceBooks.percents),
        TE.map(({ revision, percents }) => ({
          status: 200,
          body: bookPercentsBody(percents),
          headers: { ETag: entityTagOf(revision, datedPercents(percents)) },
        })),
      ),
  ),
];
