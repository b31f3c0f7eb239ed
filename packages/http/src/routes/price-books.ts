import type { Caller, PriceBookOutcome, PriceBookView } from '@pricebook/application';
import {
  clonePriceBookCodec,
  createPriceBookCodec,
  listOf,
  restorePriceBookCodec,
  updatePriceBookCodec,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { type PriceBookBody, priceBookCodec } from '../answers/price-book';
import type { ApiError } from '../api-error';
import { hasBody } from '../body/read-body';
import { entityTagOf, ifMatch, ifNoneMatch } from '../entity-tag';
import { json } from '../openapi/operation';
import { inFull, invalid, priceBookIdInPath } from '../parameters';
import { type ApiAnswer, type ApiRequest, type Route, route, writeRoute, writeRouteWithBody } from '../route';
import { listHeaders, listParameters, listQuestionIn } from './price-book-list';
import { writeHeaders } from './write-headers';

const collection = '/v1/pricebooks';
const one = `${collection}/:priceBookId`;

/** A price book as JSON. */
const bodyOf = ({
  priceBookId,
  name,
  description,
  basePriceBookIds,
  clonedFrom,
  key,
  metadata,
  revision,
  createdAt,
  updatedAt,
}: PriceBookView): PriceBookBody => ({
  id: priceBookId,
  name,
  description,
  ...(basePriceBookIds[0] !== undefined && { basePriceBookId: basePriceBookIds[0] }),
  ...(clonedFrom !== undefined && {
    clonedFrom: { priceBookId: clonedFrom.priceBookId, revision: clonedFrom.revision },
  }),
  ...(key !== null && { key }),
  metadata,
  revision,
  createdAt,
  updatedAt,
});

const answerWithBook =
  (status: number, headers: Readonly<Record<string, string>> = {}) =>
  ({ priceBook, projectionBehind }: PriceBookOutcome): ApiAnswer => ({
    status,
    body: bodyOf(priceBook),
    headers: { ...headers, ...writeHeaders({ revision: priceBook.revision, projectionBehind }) },
  });

/** A new book has no revision that anyone could expect. */
const withoutExpectation = (caller: Caller): Caller => ({ ...caller, expectedRevisions: undefined });

/** Who sends one means prices, and would lose the book. A deletion that was done before is answered as it was then. */
const noBody = (request: ApiRequest<undefined>): E.Either<ApiError, void> =>
  hasBody(request) && request.caller.done === undefined
    ? invalid(
        'Delete Price Book takes no body. To delete prices, send it to the path of the book with /prices after it.',
      )
    : E.right(undefined);

export const priceBookRoutes: readonly Route[] = [
  writeRouteWithBody(
    {
      method: 'post',
      path: collection,
      scope: 'write',
      operationId: 'createPriceBook',
      summary: 'Create Price Book',
      description:
        'A book without a base has list prices of its own. One with a base takes the prices that the base answers; the base is ' +
        'never changed afterwards, and a chain has at most five books.',
      tag: 'Price books',
      answers: {
        201: {
          description: 'The new price book.',
          headers: ['Location', 'ETag', 'Projection'],
          content: json(priceBookCodec),
        },
      },
      problems: ['price-book-key-taken'],
    },
    createPriceBookCodec,
    (priceBooks, { body, caller }) =>
      pipe(
        priceBooks.create(body, withoutExpectation(caller)),
        TE.map((outcome) =>
          // Relative to the path of the request, so that it holds behind a proxy's prefix.
          answerWithBook(201, { Location: `pricebooks/${outcome.priceBook.priceBookId}` })(outcome),
        ),
      ),
  ),

  route(
    {
      method: 'get',
      path: collection,
      scope: 'read',
      operationId: 'listPriceBooks',
      summary: 'List Price Books',
      description:
        'The price books that are not deleted, oldest first unless `sort` says otherwise: all of them, or a page where `limit` ' +
        'is given. Of a list sorted by `updatedAt`, a book that is changed meanwhile may come on two pages or on none.',
      tag: 'Price books',
      parameters: listParameters,
      answers: {
        200: {
          description: 'The price books.',
          headers: ['Link', 'X-Total-Count'],
          content: json(listOf(priceBookCodec)),
        },
      },
    },
    (priceBooks, { query }) =>
      pipe(
        TE.fromEither(listQuestionIn(query)),
        TE.chainW(priceBooks.list),
        TE.map((page) => ({
          status: 200,
          body: page.priceBooks.map(bodyOf),
          headers: listHeaders(query, page),
        })),
      ),
  ),

  route(
    {
      method: 'get',
      path: one,
      scope: 'read',
      operationId: 'getPriceBook',
      summary: 'Get Price Book',
      description: 'What the book is called, and at which revision it is.',
      tag: 'Price books',
      parameters: [priceBookIdInPath, ifNoneMatch],
      answers: {
        200: { description: 'The price book.', headers: ['ETag'], content: json(priceBookCodec) },
        304: { description: 'It is still at a revision that `If-None-Match` names.', headers: ['ETag'] },
      },
    },
    (priceBooks, { params }) =>
      pipe(
        TE.fromEither(priceBookIdInPath.read(params)),
        TE.chainW(priceBooks.find),
        TE.map((book) => ({
          status: 200,
          body: bodyOf(book),
          headers: { ETag: entityTagOf(book.revision) },
        })),
      ),
  ),

  writeRouteWithBody(
    {
      method: 'patch',
      path: one,
      scope: 'write',
      operationId: 'updatePriceBook',
      summary: 'Update Price Book',
      description:
        'Changes the fields that are given: `metadata` as a whole, and a `key` of null takes the key away. What the service assigns, ' +
        'and the base, cannot be given.',
      tag: 'Price books',
      parameters: [priceBookIdInPath, ifMatch],
      answers: {
        200: {
          description: 'The price book as this update left it.',
          headers: ['ETag', 'Projection'],
          content: json(priceBookCodec),
        },
      },
      problems: ['price-book-key-taken'],
    },
    updatePriceBookCodec,
    (priceBooks, { params, body, caller }) =>
      pipe(
        TE.fromEither(priceBookIdInPath.read(params)),
        TE.chainW((id) => priceBooks.update(id, body, caller)),
        TE.map(answerWithBook(200)),
      ),
  ),

  writeRouteWithBody(
    {
      method: 'post',
      path: `${one}/clone`,
      scope: 'write',
      operationId: 'clonePriceBook',
      summary: 'Clone Price Book',
      description:
        'A new book that holds everything that this one does, what is planned included, and has the same base: later changes of ' +
        'one do not reach the other. With `flattenBase` it has no base, and each product has the price that this book answers as ' +
        'its own. Description and metadata are those of this book where they are not given; the key is not.',
      tag: 'Price books',
      parameters: [priceBookIdInPath, ifMatch],
      answers: {
        201: {
          description: 'The new price book.',
          headers: ['Location', 'ETag', 'Projection'],
          content: json(priceBookCodec),
        },
      },
      problems: ['price-book-key-taken', 'too-many-dated-adjustments'],
    },
    clonePriceBookCodec,
    (priceBooks, { params, body, caller }) =>
      pipe(
        TE.fromEither(priceBookIdInPath.read(params)),
        TE.chainW((id) => priceBooks.clone(id, body, caller)),
        TE.map((outcome) =>
          answerWithBook(201, { Location: `../${outcome.priceBook.priceBookId}` })(outcome),
        ),
      ),
  ),

  writeRoute(
    {
      method: 'delete',
      path: one,
      scope: 'write',
      operationId: 'deletePriceBook',
      summary: 'Delete Price Book',
      description:
        'The book and its prices are gone; its history, and prices at an earlier time, can still be read, and the book can ' +
        'be restored. A body is refused: prices are deleted under `/prices`.',
      tag: 'Price books',
      parameters: [priceBookIdInPath, ifMatch],
      answers: { 204: { description: 'The book is deleted.', headers: ['Projection'] } },
      problems: ['price-book-in-use'],
    },
    (priceBooks, request) =>
      pipe(
        TE.fromEither(inFull({ body: noBody(request), id: priceBookIdInPath.read(request.params) })),
        TE.chainW(({ id }) => priceBooks.delete(id, request.caller)),
        TE.map(({ projectionBehind }) => ({ status: 204, headers: writeHeaders({ projectionBehind }) })),
      ),
  ),

  writeRouteWithBody(
    {
      method: 'post',
      path: `${one}/restore`,
      scope: 'write',
      operationId: 'restorePriceBook',
      summary: 'Restore Price Book',
      description:
        'A deleted book is again as it was when it was deleted: its details, its key and its prices. Dated prices begin and end as ' +
        'planned in the meantime. Between its deletion and now it had no prices. If another book has taken its key, send another ' +
        '`key`, or null for none.',
      tag: 'Price books',
      parameters: [priceBookIdInPath, ifMatch],
      isBodyOptional: true,
      answers: {
        200: {
          description: 'The price book as this restoration left it.',
          headers: ['ETag', 'Projection'],
          content: json(priceBookCodec),
        },
      },
      problems: ['price-book-not-deleted', 'base-price-book-deleted', 'price-book-key-taken'],
    },
    restorePriceBookCodec,
    (priceBooks, { params, body, caller }) =>
      pipe(
        TE.fromEither(priceBookIdInPath.read(params)),
        TE.chainW((id) => priceBooks.restore(id, body, caller)),
        TE.map(answerWithBook(200)),
      ),
  ),
];
