/** The feed of all books: every change of every book, by pages or live. */
import type { FeedEntry, FeedPlace, FeedQuestion, PriceBooks, Reached } from '@pricebook/application';
import { inWords } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { TaskEither } from 'fp-ts/TaskEither';
import {
  eventIdCodec,
  eventIdOf,
  feedEventBody,
  feedPageBody,
  feedPageCodec,
  feedPlaceIn,
} from '../answers/feed-event';
import type { ApiError } from '../api-error';
import { JSON_TYPE } from '../media-types';
import { json, type Parameter } from '../openapi/operation';
import { limitBesideStream } from '../paging';
import { inFull, invalid, type QueryParameter, single } from '../parameters';
import { type ApiAnswer, type ApiRequest, type Reception, type Route, route } from '../route';
import { EVENT_STREAM, lastEventIdIn, type Sending } from '../server-sent-events';
import { sendFollowed } from './send-followed';

const NOW = 'now';

const placeIn = (where: string, text: string): E.Either<ApiError, FeedPlace> => {
  const place = feedPlaceIn(text);
  return place === undefined
    ? invalid(`${where} must be the id of an event of this feed, not ${inWords(text)}.`)
    : E.right(place);
};

const after: QueryParameter<FeedQuestion['after']> = {
  in: 'query',
  name: 'after',
  description:
    'The events after this one: its `id`, or the `next` of another page. `now` leaves out everything that has ' +
    'happened so far. The feed begins with the first event of all where it is absent.',
  schema: { type: 'string', examples: [NOW] },
  read: (query) =>
    pipe(
      single(query, 'after'),
      E.chain((text): E.Either<ApiError, FeedQuestion['after']> =>
        text === undefined || text === NOW ? E.right(text) : placeIn('The query parameter "after"', text),
      ),
    ),
};

const lastEventId: Parameter = {
  in: 'header',
  name: 'Last-Event-ID',
  description: 'For streams, the same as `after`; it takes precedence.',
  schema: eventIdCodec.schema,
};

const listEvents = (
  priceBooks: Pick<PriceBooks, 'feed'>,
  { query }: ApiRequest<undefined>,
): TaskEither<ApiError, ApiAnswer> =>
  pipe(
    TE.fromEither(inFull({ after: after.read(query), limit: limitBesideStream.read(query) })),
    TE.chainW(priceBooks.feed),
    TE.map((page) => ({ status: 200, body: feedPageBody(page) })),
  );

const sending: Sending<FeedEntry, Reached> = {
  sentOf: (entry) => {
    const data = feedEventBody(entry);
    return { id: data.id, event: data.type, data };
  },
  idOf: (reached) => (reached === undefined ? undefined : eventIdOf(reached.place)),
};

const followEvents = (
  priceBooks: Pick<PriceBooks, 'followFeed'>,
  request: ApiRequest<undefined>,
  reception: Reception,
): TaskEither<ApiError, ApiAnswer> => {
  const header = lastEventIdIn(request.headers);
  return pipe(
    TE.fromEither(
      header === undefined ? after.read(request.query) : placeIn('The header Last-Event-ID', header),
    ),
    TE.chain((from) =>
      sendFollowed(
        (beatMs) => priceBooks.followFeed(from, beatMs),
        sending,
        typeof from === 'object' ? eventIdOf(from) : undefined,
        request,
        reception,
      ),
    ),
  );
};

export const eventRoutes: readonly Route[] = [
  route(
    {
      method: 'get',
      path: '/v1/events',
      scope: 'read',
      operationId: 'getEvents',
      summary: 'Get Events',
      description:
        'The events of all books, in the order in which the store keeps them; those of one book are in the order of ' +
        'their revisions. Keep `next` with what you have made of the events, and go on after it. As ' +
        '`text/event-stream` events are sent one by one, first those that there are and then new ones. ' +
        'What an event says can be read when the event is sent, unless the read side is more than 2 s behind.',
      tag: 'History',
      parameters: [after, limitBesideStream, lastEventId],
      offers: [JSON_TYPE, EVENT_STREAM],
      answers: {
        200: {
          description: 'A page of events; or all of them and those to come, as server-sent events.',
          content: {
            ...json(feedPageCodec),
            [EVENT_STREAM]: {
              type: 'string',
              description:
                'One block an event: `id` is its place in the feed, `event` its type, `data` the event as in a page, ' +
                'on one line. Comments between them show that the connection lives.',
            },
          },
        },
      },
    },
    (priceBooks, request, reception) =>
      request.mediaType === EVENT_STREAM
        ? followEvents(priceBooks, request, reception)
        : listEvents(priceBooks, request),
  ),
];
