/** Follows the history of a book live, as a stream that does not end. */
import type { FollowQuestion, HistoryEntry, PriceBooks } from '@pricebook/application';
import { inWords } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { TaskEither } from 'fp-ts/TaskEither';
import { historyEntryBody } from '../answers/history-entry';
import type { ApiError } from '../api-error';
import type { Parameter } from '../openapi/operation';
import { inFull, invalid, priceBookIdInPath, queriedProduct, since, single } from '../parameters';
import type { ApiAnswer, ApiRequest, Reception } from '../route';
import { EVENT_STREAM, lastEventIdIn, type Sending } from '../server-sent-events';
import { sendFollowed } from './send-followed';
import { revisionIn } from './revision';

const lastSeen = {
  description: 'The stream goes on after this event: its `id`, which is the revision of the book.',
  schema: { type: 'string', pattern: '^[0-9]{1,14}$', examples: ['7'] },
} as const;

/** Clients send it by themselves when they come again. */
const lastEventIdHeader: Parameter = { in: 'header', name: 'Last-Event-ID', ...lastSeen };

/** For clients that cannot send the header; the header counts for more. */
const lastEventIdQuery: Parameter = {
  in: 'query',
  name: 'lastEventId',
  mediaType: EVENT_STREAM,
  ...lastSeen,
};

/** What a stream takes that the list does not. */
export const followParameters: readonly Parameter[] = [lastEventIdQuery, lastEventIdHeader];

const lastSeenIn = ({ headers, query }: ApiRequest<undefined>): E.Either<ApiError, number | undefined> => {
  const header = lastEventIdIn(headers);
  return pipe(
    header === undefined ? single(query, lastEventIdQuery.name) : E.right(header),
    E.chain((text) => {
      if (text === undefined) return E.right(undefined);
      const revision = revisionIn(text);
      const where =
        header === undefined ? `The query parameter "${lastEventIdQuery.name}"` : 'The header Last-Event-ID';
      return revision === undefined
        ? invalid(`${where} must be the id of an event of the book, such as 7, not ${inWords(text)}.`)
        : E.right(revision);
    }),
  );
};

const questionIn = (request: ApiRequest<undefined>): E.Either<ApiError, FollowQuestion> =>
  inFull({
    after: lastSeenIn(request),
    productId: queriedProduct.read(request.query),
    since: since.read(request.query),
    priceBookId: priceBookIdInPath.read(request.params),
  });

/** Its ids are revisions. */
export const historyAsSent: Sending<HistoryEntry, number> = {
  sentOf: (entry) => ({
    id: String(entry.revision),
    event: entry.event.type,
    data: historyEntryBody(entry),
  }),
  idOf: (revision) => (revision === 0 ? undefined : String(revision - 1)),
};

export const followHistory = (
  priceBooks: Pick<PriceBooks, 'follow'>,
  request: ApiRequest<undefined>,
  reception: Reception,
): TaskEither<ApiError, ApiAnswer> =>
  pipe(
    TE.fromEither(questionIn(request)),
    TE.chain((question) =>
      sendFollowed(
        (beatMs) => priceBooks.follow(question, beatMs),
        historyAsSent,
        question.after === undefined ? undefined : String(question.after),
        request,
        reception,
      ),
    ),
  );
