import type { PriceBooks } from '@pricebook/application';
import { listOf } from '@pricebook/domain';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { historyEntryBody, historyEntryCodec } from '../answers/history-entry';
import { JSON_TYPE } from '../media-types';
import { json } from '../openapi/operation';
import { cursorOf, limitBesideStream, nextPageHeaders } from '../paging';
import { inFull, priceBookIdInPath, queriedProduct, since } from '../parameters';
import { type ApiRequest, type Route, route } from '../route';
import { EVENT_STREAM } from '../server-sent-events';
import { followHistory, followParameters } from './follow-history';
import { revisionIn } from './revision';

const events = '/v1/pricebooks/:priceBookId/events';
const LIST = 'events';

const cursor = { ...cursorOf(LIST, revisionIn), mediaType: JSON_TYPE };
const asked = [queriedProduct, since, limitBesideStream, cursor];

const questionIn = ({ params, query }: ApiRequest<undefined>) =>
  inFull({
    limit: limitBesideStream.read(query),
    from: cursor.read(query),
    productId: queriedProduct.read(query),
    since: since.read(query),
    priceBookId: priceBookIdInPath.read(params),
  });

const listHistory = (priceBooks: Pick<PriceBooks, 'history'>, request: ApiRequest<undefined>) =>
  pipe(
    TE.fromEither(questionIn(request)),
    TE.chainW(priceBooks.history),
    TE.map(({ entries, next }) => ({
      status: 200,
      body: entries.map(historyEntryBody),
      headers: nextPageHeaders({
        list: LIST,
        query: request.query,
        place: next === undefined ? undefined : String(next),
      }),
    })),
  );

export const historyRoutes: readonly Route[] = [
  route(
    {
      method: 'get',
      path: events,
      scope: 'read',
      operationId: 'getPriceBookHistory',
      summary: 'Get Price Book History',
      description:
        'The events of the book, oldest first, also of a deleted book. A request that changed the book made one, ' +
        'with everything that it set; one with CSV made up to three, which have the same `requestId`. As `text/event-stream` they come one by one, and those that are still to happen as well: ' +
        'the stream ends with the deletion of the book. It knows no `limit` and no `cursor`; the list knows no `lastEventId`. The ' +
        'page `/docs` shows what comes of a stream in 3 seconds.',
      tag: 'History',
      parameters: [priceBookIdInPath, ...asked, ...followParameters],
      offers: [JSON_TYPE, EVENT_STREAM],
      answers: {
        200: {
          description: 'A page of events; or all of them and those to come, as server-sent events.',
          headers: ['Link'],
          content: {
            ...json(listOf(historyEntryCodec)),
            [EVENT_STREAM]: {
              type: 'string',
              description:
                'An event each: `id` is its revision, `event` its type, `data` the entry as in the list, on one line. ' +
                'Comments come in between, so that it is seen that the connection lives.',
              examples: [
                'id: 7\nevent: PriceBookDeleted\ndata: {"revision":7,"type":"PriceBookDeleted","occurredAt":' +
                  '"2026-11-21T07:20:01.471Z","actor":"4qFy2KdM","requestId":"order-17","data":{}}\n\n',
              ],
            },
          },
        },
        204: { description: 'To followers who have seen the deletion: nothing will come any more.' },
      },
    },
    (priceBooks, request, reception) =>
      request.mediaType === EVENT_STREAM
        ? followHistory(priceBooks, request, reception)
        : listHistory(priceBooks, request),
  ),
];
