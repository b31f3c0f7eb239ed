/** Follows the history of a book live, as a stream that does not end. */
import type { FollowQuestion, PriceBooks } from '@pricebook/application';
import { inWords } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { ApiError } from '../api-error';
import type { Parameter } from '../openapi/operation';
import { inFull, invalid, priceBookIdInPath, queriedProduct, since, single } from '../parameters';
import type { ApiAnswer, ApiRequest, Reception } from '../route';
import { EVENT_STREAM, serverSentEvents } from '../server-sent-events';
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

const lastEventIdIn = ({ headers, query }: ApiRequest<undefined>): E.Either<ApiError, number | undefined> => {
  const header = headers['last-event-id'];
  const isInHeader = typeof header === 'string' && header !== '';
  return pipe(
    isInHeader ? E.right(header) : single(query, lastEventIdQuery.name),
    E.chain((text) => {
      if (text === undefined) return E.right(undefined);
      const revision = revisionIn(text);
      const where = isInHeader
        ? 'The header Last-Event-ID'
        : `The query parameter "${lastEventIdQuery.name}"`;
      return revision === undefined
        ? invalid(`${where} must be the id of an event of the book, such as 7, not ${inWords(text)}.`)
        : E.right(revision);
    }),
  );
};

const questionIn = (request: ApiRequest<undefined>): E.Either<ApiError, FollowQuestion> =>
  inFull({
    after: lastEventIdIn(request),
    productId: queriedProduct.read(request.query),
    since: since.read(request.query),
    priceBookId: priceBookIdInPath.read(request.params),
  });

/** 204 tells clients that come again by themselves not to: nothing will come any more. */
const NOTHING_MORE: ApiAnswer = { status: 204 };

export const followHistory =
  (
    priceBooks: Pick<PriceBooks, 'follow'>,
    request: ApiRequest<undefined>,
    { followers, isLetInStill }: Reception,
  ): TaskEither<ApiError, ApiAnswer> =>
  async () => {
    const question = questionIn(request);
    if (E.isLeft(question)) return question;
    const place = followers.admit(request.caller.actor);
    if (E.isLeft(place)) return place;
    const { leave, until } = place.right;
    let isSeated = false;
    try {
      const following = await priceBooks.follow(question.right, followers.heartbeatMs)();
      if (E.isLeft(following)) return following;
      if (following.right === undefined) return E.right(NOTHING_MORE);
      const { next, end } = following.right;
      isSeated = true;
      return E.right({
        status: 200,
        // Without it some proxies would keep back what has come until it is more.
        headers: { 'X-Accel-Buffering': 'no' },
        stream: {
          contentType: EVENT_STREAM,
          until,
          isResumable: true,
          pieces: (over) => {
            const giveBack = (): void => {
              end();
              leave();
            };
            over.addEventListener('abort', giveBack);
            if (over.aborted) giveBack();
            return serverSentEvents({ next }, question.right.after ?? -1, isLetInStill);
          },
        },
      });
    } finally {
      if (!isSeated) leave();
    }
  };
