import type { Caller, PriceBookOutcome, PriceBookView } from '@pricebook/application';
import { createPriceBookCodec, updatePriceBookCodec } from '@pricebook/domain';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { entityTagOf } from '../entity-tag';
import { noQuery, priceBookIdIn } from '../parameters';
import { type ApiAnswer, type Route, route, routeWithBody } from '../route';
import { writeHeaders } from './write-headers';

const collection = '/v1/pricebooks';
const single = `${collection}/:priceBookId`;

/** A price book as JSON. */
const bodyOf = ({
  priceBookId,
  name,
  description,
  basePriceBookIds,
  createdAt,
  updatedAt,
}: PriceBookView) => ({
  id: priceBookId,
  name,
  description,
  ...(basePriceBookIds[0] !== undefined && { basePriceBookId: basePriceBookIds[0] }),
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
const withoutExpectation = ({ actor, requestId }: Caller): Caller => ({ actor, requestId });

export const priceBookRoutes: readonly Route[] = [
  routeWithBody(
    { method: 'post', path: collection, scope: 'write' },
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

  route({ method: 'get', path: collection, scope: 'read' }, (priceBooks, { query }) =>
    pipe(
      TE.fromEither(noQuery(query)),
      TE.chainW(priceBooks.list),
      TE.map((books) => ({ status: 200, body: books.map(bodyOf) })),
    ),
  ),

  route({ method: 'get', path: single, scope: 'read' }, (priceBooks, { params }) =>
    pipe(
      TE.fromEither(priceBookIdIn(params)),
      TE.chainW(priceBooks.find),
      TE.map((book) => ({
        status: 200,
        body: bodyOf(book),
        headers: { ETag: entityTagOf(book.revision) },
      })),
    ),
  ),

  routeWithBody(
    { method: 'patch', path: single, scope: 'write' },
    updatePriceBookCodec,
    (priceBooks, { params, body, caller }) =>
      pipe(
        TE.fromEither(priceBookIdIn(params)),
        TE.chainW((id) => priceBooks.update(id, body, caller)),
        TE.map(answerWithBook(200)),
      ),
  ),

  route({ method: 'delete', path: single, scope: 'write' }, (priceBooks, { params, caller }) =>
    pipe(
      TE.fromEither(priceBookIdIn(params)),
      TE.chainW((id) => priceBooks.delete(id, caller)),
      TE.map(({ projectionBehind }) => ({ status: 204, headers: writeHeaders({ projectionBehind }) })),
    ),
  ),
];
