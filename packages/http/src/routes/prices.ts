import {
  type AdjustAllProducts,
  deleteEntriesCodec,
  type SetProductPrices,
  setProductPricesReader,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { currencyIn, explainIn, priceBookIdIn, priceParametersIn, productIdIn, timeIn } from '../parameters';
import { type ApiRequest, type Route, route, routeWithBody } from '../route';
import { productPriceOf } from './product-price';
import { writeHeaders } from './write-headers';

const prices = '/v1/pricebooks/:priceBookId/prices';
const price = '/v1/pricebooks/:priceBookId/:productId/:currency';

/** The items that say something; null where a request is about all products. */
const productsSet = (command: SetProductPrices | AdjustAllProducts): number | null =>
  command._tag === 'SetProductPrices'
    ? command.items.filter(({ adjustments }) => Object.keys(adjustments).length > 0).length
    : null;

/** Everything that a price request says, or the first thing that is wrong with it: what the path says first. */
const questionIn = ({ params, query }: ApiRequest<undefined>) =>
  pipe(
    E.Do,
    E.apS('productId', productIdIn(params)),
    E.apS('currency', currencyIn(params)),
    E.apS('at', timeIn(query)),
    E.apS('explain', explainIn(query)),
    E.apS('priceBookId', priceBookIdIn(params)),
    E.let('parameters', () => priceParametersIn(query)),
  );

export const priceRoutes: readonly Route[] = [
  routeWithBody(
    { method: 'put', path: prices, scope: 'write' },
    setProductPricesReader,
    (priceBooks, { params, body, caller }) =>
      pipe(
        TE.fromEither(priceBookIdIn(params)),
        TE.chainW((id) => priceBooks.setPrices(id, body, caller)),
        TE.map(({ priceBookId, revision, updatedAt, projectionBehind }) => ({
          status: 200,
          body: { priceBookId, revision, updatedAt, productsSet: productsSet(body) },
          headers: writeHeaders({ revision, projectionBehind }),
        })),
      ),
  ),

  routeWithBody(
    { method: 'delete', path: prices, scope: 'write' },
    deleteEntriesCodec,
    (priceBooks, { params, body, caller }) =>
      pipe(
        TE.fromEither(priceBookIdIn(params)),
        TE.chainW((id) => priceBooks.deleteEntries(id, body, caller)),
        TE.map((outcome) => ({ status: 204, headers: writeHeaders(outcome) })),
      ),
  ),

  route({ method: 'get', path: price, scope: 'read' }, (priceBooks, request) =>
    pipe(
      TE.fromEither(questionIn(request)),
      TE.chainW((question) =>
        pipe(
          priceBooks.price(question),
          TE.map((resolved) => ({ status: 200, body: productPriceOf(question, resolved, question.explain) })),
        ),
      ),
    ),
  ),
];
