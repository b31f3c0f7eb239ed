import type { HistoryEntry } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { cursorIn, limitIn, nextPageHeaders } from '../paging';
import { onlyQuery, priceBookIdIn, queriedProductIn, timeIn } from '../parameters';
import { type ApiRequest, type Route, route } from '../route';

const events = '/v1/pricebooks/:priceBookId/events';
const LIST = 'events';
const DEFAULT_LIMIT = 100;

/** An event as JSON. */
export const historyEntryBody = ({
  revision,
  occurredAt,
  actor,
  requestId,
  event: { type, data },
}: HistoryEntry): Readonly<Record<string, unknown>> => ({
  revision,
  type,
  occurredAt,
  actor,
  requestId,
  data,
});

/** No store has a revision of more digits. */
const revisionIn = (text: string): number | undefined =>
  /^\d{1,14}$/.test(text) && String(Number(text)) === text ? Number(text) : undefined;

const questionIn = ({ params, query }: ApiRequest<undefined>) =>
  pipe(
    E.Do,
    E.chainFirst(() => onlyQuery(query, ['limit', 'cursor', 'productId', 'since'])),
    E.apS('limit', limitIn(query, DEFAULT_LIMIT)),
    E.apS('from', cursorIn(query, LIST, revisionIn)),
    E.apS('productId', queriedProductIn(query)),
    E.apS('since', timeIn(query, 'since')),
    E.apS('priceBookId', priceBookIdIn(params)),
  );

export const historyRoutes: readonly Route[] = [
  route({ method: 'get', path: events, scope: 'read' }, (priceBooks, request) =>
    pipe(
      TE.fromEither(questionIn(request)),
      TE.chainW(priceBooks.history),
      TE.map(({ entries, next }) => ({
        status: 200,
        body: entries.map(historyEntryBody),
        headers: nextPageHeaders({
          path: 'events',
          query: request.query,
          list: LIST,
          place: next === undefined ? undefined : String(next),
        }),
      })),
    ),
  ),
];
