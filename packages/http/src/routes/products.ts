/** One product: the books that hold something of it, and what it has and costs in one of them. */
import type { ProductBook, ProductInBook } from '@pricebook/application';
import { listOf } from '@pricebook/domain';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { type ProductBody, type ProductBookBody, productBookCodec, productCodec } from '../answers/product';
import type { ListedPriceBody } from '../answers/listed-price';
import { knownAt } from '../known-at';
import { json } from '../openapi/operation';
import { cursorOf, limit, nextPageHeaders } from '../paging';
import {
  at,
  bookPlaceIn,
  explain,
  inFull,
  notQuery,
  priceBookIdInPath,
  priceParametersIn,
  productIdInPath,
  tableParameters,
} from '../parameters';
import { type ApiRequest, type Route, route } from '../route';
import { ownPricesBody } from './own-prices';
import { listedPriceOf } from './product-price';

const books = '/v1/products/:productId/pricebooks';
const LIST = 'pricebooks';

const cursor = cursorOf(LIST, bookPlaceIn);
const asked = [explain, ...tableParameters];

const bookOf = ({ priceBook: { priceBookId, name }, ...own }: ProductBook): ProductBookBody => ({
  priceBookId,
  name,
  ...ownPricesBody(own),
});

const questionIn = ({ params, query }: ApiRequest<undefined>) =>
  inFull({
    productId: productIdInPath.read(params),
    explain: explain.read(query),
    // What a product has of its own is that of now, and so are the prices beside it.
    names: notQuery(query, [at, knownAt], asked),
    priceBookId: priceBookIdInPath.read(params),
    parameters: priceParametersIn(query, [explain]),
  });

type Ids = Pick<ProductBody, 'productId' | 'priceBookId'>;

const productOf = (
  { productId, priceBookId }: Ids,
  { prices, ...own }: ProductInBook<ListedPriceBody>,
): ProductBody => ({ productId, priceBookId, ...ownPricesBody(own), prices });

export const productRoutes: readonly Route[] = [
  route(
    {
      method: 'get',
      path: books,
      scope: 'read',
      operationId: 'listProductBooks',
      summary: 'List Product Books',
      description:
        'The price books in which the product has something of its own, oldest first, with what it has. Books that only ' +
        'change its price by a percent for all products, or take it from a base, are not among them.',
      tag: 'Prices',
      parameters: [productIdInPath, limit, cursor],
      answers: {
        200: {
          description: 'A page of price books.',
          headers: ['Link'],
          content: json(listOf(productBookCodec)),
        },
      },
    },
    (priceBooks, { params, query }) =>
      pipe(
        inFull({
          productId: productIdInPath.read(params),
          limit: limit.read(query),
          from: cursor.read(query),
        }),
        TE.fromEither,
        TE.chainW(priceBooks.productBooks),
        TE.map((page) => ({
          status: 200,
          body: page.books.map(bookOf),
          headers: nextPageHeaders({ list: LIST, query, place: page.next }),
        })),
      ),
  ),

  route(
    {
      method: 'get',
      path: `${books}/:priceBookId`,
      scope: 'read',
      operationId: 'getProduct',
      summary: 'Get Product in Price Book',
      description:
        'What the product has of its own in the book, what is planned included, and its current price in every currency in ' +
        'which it has one there. A table that has no row for the request, or needs a parameter that is missing, gives a ' +
        '`problem` instead of a price.',
      tag: 'Prices',
      parameters: [productIdInPath, priceBookIdInPath, ...asked],
      answers: { 200: { description: 'The product.', content: json(productCodec) } },
    },
    (priceBooks, request) =>
      pipe(
        TE.fromEither(questionIn(request)),
        TE.chainW((question) =>
          pipe(
            priceBooks.product(question, (line, quoted) => listedPriceOf(line, quoted, question.explain)),
            TE.map((product) => ({ status: 200, body: productOf(question, product) })),
          ),
        ),
      ),
  ),
];
