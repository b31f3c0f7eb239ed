import type { Clock } from '@pricebook/application';
import {
  type AdjustAllProducts,
  deleteEntriesCodec,
  type SetPriceSheet,
  type SetProductPrices,
  setProductPricesReader,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { passedDatesIn } from '../body/passed-dates';
import { csvFormat } from '../csv/read-csv';
import { type PricesSetBody, pricesSetCodec } from '../answers/price-book';
import { entriesPreviewCodec } from '../answers/preview';
import { productPriceCodec } from '../answers/product-price';
import { ifMatch, ifNoneMatch } from '../entity-tag';
import { knownAt, knownAtIn } from '../known-at';
import { json } from '../openapi/operation';
import {
  at,
  currencyInPath,
  dryRun,
  explain,
  inFull,
  priceBookIdInPath,
  priceParametersIn,
  productIdInPath,
  tableParameters,
} from '../parameters';
import { cacheControlOf, priceTagOf, variesByKey } from '../price-cache';
import { type ApiAnswer, type ApiRequest, priceWriteRoute, type Route, route } from '../route';
import { previewBodyOf, previewHeaders } from './preview';
import { noPriceOf, productPriceOf } from './product-price';
import { writeHeaders } from './write-headers';

const prices = '/v1/pricebooks/:priceBookId/prices';
const price = '/v1/pricebooks/:priceBookId/:productId/:currency';

type PricesCommand = SetProductPrices | AdjustAllProducts | SetPriceSheet;

/** The items that say something; null where a request is about all products alone. */
const productsSet = (command: PricesCommand): number | null => {
  if (command._tag === 'AdjustAllProducts') return null;
  const count = command.items.filter(({ adjustments }) => Object.keys(adjustments).length > 0).length;
  const isForAll = command._tag === 'SetPriceSheet' && Object.keys(command.allProducts).length > 0;
  return count === 0 && isForAll ? null : count;
};

/** Which book a write is about, and whether it is only tried: not where it was done before, and is answered alike. */
const writeIn = ({ params, query, caller }: ApiRequest<unknown>) =>
  inFull({
    isDry: caller.done === undefined ? dryRun.read(query) : E.right(false),
    id: priceBookIdInPath.read(params),
  });

/** Everything that a price request says. */
const questionIn = ({ params, query }: ApiRequest<undefined>, clock: Clock) =>
  inFull({
    productId: productIdInPath.read(params),
    currency: currencyInPath.read(params),
    at: at.read(query),
    knownAt: knownAtIn(query, clock),
    explain: explain.read(query),
    priceBookId: priceBookIdInPath.read(params),
    parameters: priceParametersIn(query),
  });

export const priceRoutes: readonly Route[] = [
  priceWriteRoute<PricesCommand>(
    {
      method: 'put',
      path: prices,
      scope: 'write',
      operationId: 'setProductPrices',
      summary: 'Set Product Prices',
      description:
        'Sets prices of some products, or changes those of all by percents. All or nothing. An item without adjustments changes ' +
        'nothing. With `validFrom`, `validUntil` or both an adjustment begins or ends by itself, and `cancel` takes such a ' +
        'one away. As `text/csv` it can set both products and all products. With `dryRun=true` it is only checked, and answers ' +
        'which prices it would change.',
      tag: 'Prices',
      parameters: [priceBookIdInPath, dryRun, ifMatch],
      answers: {
        200: {
          description: 'The prices are set.',
          headers: ['ETag', 'Projection'],
          content: json(pricesSetCodec),
        },
      },
      problems: ['too-many-dated-adjustments'],
    },
    setProductPricesReader,
    (priceBooks, request) => async () => {
      const asked = writeIn(request);
      if (E.isLeft(asked)) return asked;
      const { id, isDry } = asked.right;
      const { body, caller } = request;
      if (isDry) {
        const previewed = await priceBooks.preview(id, body, caller)();
        if (E.isLeft(previewed)) return previewed;
        const shown: PricesSetBody = { ...previewBodyOf(previewed.right), productsSet: productsSet(body) };
        return E.right({ status: 200, body: shown, headers: previewHeaders(previewed.right) });
      }
      const written = await priceBooks.setPrices(id, body, caller)();
      if (E.isLeft(written)) return written;
      const { priceBookId, revision, updatedAt, projectionBehind } = written.right;
      const answer: PricesSetBody = { priceBookId, revision, updatedAt, productsSet: productsSet(body) };
      return E.right({
        status: 200,
        body: answer,
        headers: writeHeaders({ revision, projectionBehind }),
      });
    },
    [csvFormat],
    passedDatesIn,
  ),

  priceWriteRoute(
    {
      method: 'delete',
      path: prices,
      scope: 'write',
      operationId: 'deletePriceBookEntries',
      summary: 'Delete Price Book Entries',
      description:
        'Removes what each of these products has in the book, in every currency. Ids that the book does not know are passed ' +
        'over. A missing body is refused, and never means all. With `dryRun=true` nothing is removed, and the answer shows ' +
        'which prices it would change.',
      tag: 'Prices',
      parameters: [priceBookIdInPath, dryRun, ifMatch],
      answers: {
        200: {
          description: 'What a dry run would change.',
          headers: ['ETag'],
          content: json(entriesPreviewCodec),
        },
        204: { description: 'The entries are gone.', headers: ['ETag', 'Projection'] },
      },
    },
    deleteEntriesCodec,
    (priceBooks, request) =>
      pipe(
        TE.fromEither(writeIn(request)),
        TE.chainW(({ id, isDry }) => {
          const { body, caller } = request;
          return isDry
            ? pipe(
                priceBooks.preview(id, { _tag: 'DeletePriceBookEntries', productIds: body }, caller),
                TE.map((previewed): ApiAnswer => ({
                  status: 200,
                  body: previewBodyOf(previewed),
                  headers: previewHeaders(previewed),
                })),
              )
            : pipe(
                priceBooks.deleteEntries(id, body, caller),
                TE.map((outcome): ApiAnswer => ({ status: 204, headers: writeHeaders(outcome) })),
              );
        }),
      ),
  ),

  route(
    {
      method: 'get',
      path: price,
      scope: 'read',
      operationId: 'getProductPrice',
      summary: 'Get Product Price',
      description:
        'What the product costs in the currency: now, or at another time. A price in the future is as it is planned by now.',
      tag: 'Prices',
      parameters: [
        priceBookIdInPath,
        productIdInPath,
        currencyInPath,
        at,
        knownAt,
        explain,
        ...tableParameters,
        ifNoneMatch,
      ],
      answers: {
        200: { description: 'The price.', headers: ['ETag'], content: json(productPriceCodec) },
        304: { description: 'It is the answer that `If-None-Match` names.', headers: ['ETag'] },
      },
      problems: ['no-price'],
    },
    (priceBooks, request, { clock, priceCaching }) =>
      async () => {
        const question = questionIn(request, clock);
        if (E.isLeft(question)) return question;
        const resolved = await priceBooks.price(question.right)();
        if (E.isLeft(resolved)) return E.left(noPriceOf(resolved.left, question.right));
        const body = productPriceOf(question.right, resolved.right, question.right.explain);
        const validUntil = question.right.at === undefined ? body.validUntil : undefined;
        return E.right({
          status: 200,
          body,
          headers: { ETag: priceTagOf(body) },
          cacheControl: cacheControlOf(priceCaching, validUntil, clock.now),
          vary: variesByKey(priceCaching) ? 'x-api-key' : undefined,
        });
      },
  ),
];
