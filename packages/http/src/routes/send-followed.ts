/** Answers with a stream of events that does not end by itself. */
import type { Following } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { ApiError } from '../api-error';
import type { ApiAnswer, ApiRequest, Reception } from '../route';
import { EVENT_STREAM, type Sending, serverSentEvents } from '../server-sent-events';

/** 204 tells clients that come again by themselves not to: nothing will come any more. */
const NOTHING_MORE: ApiAnswer = { status: 204 };

/**
 * @param follow begins to follow, with a beat in milliseconds; what it gives is undefined where nothing will come.
 * @param known the id that the client names as its last; undefined where it names none.
 */
export const sendFollowed =
  <Entry extends object, Place>(
    follow: (beatMs: number) => TaskEither<ApiError, Following<Entry, Place> | undefined>,
    sending: Sending<Entry, Place>,
    known: string | undefined,
    { caller }: Pick<ApiRequest<undefined>, 'caller'>,
    { followers, isLetInStill }: Reception,
  ): TaskEither<ApiError, ApiAnswer> =>
  async () => {
    const place = followers.admit(caller.actor);
    if (E.isLeft(place)) return place;
    const { leave, until } = place.right;
    let isSeated = false;
    try {
      const following = await follow(followers.heartbeatMs)();
      if (E.isLeft(following)) return following;
      if (following.right === undefined) return E.right(NOTHING_MORE);
      const { start, next, end } = following.right;
      isSeated = true;
      return E.right({
        status: 200,
        // Without it some proxies would hold events back until there are more.
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
            return serverSentEvents({ start, next }, sending, known, isLetInStill);
          },
        },
      });
    } finally {
      if (!isSeated) leave();
    }
  };
