/** Follows the events of all books live. */
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { EventStore, Position } from '../ports/event-store';
import type { StoreError } from '../ports/store-error';
import {
  type FeedEntry,
  type FeedPlaceUnknown,
  type FeedQuestion,
  type FeedRead,
  feedReadOf,
  findReached,
  type Reached,
} from '../queries/event-feed';
import type { UndecodableEvent } from '../recorded-event';
import { createEventPages } from './event-pages';
import { type Following, startFollowing, type Taken } from './follow';
import { ALL_STREAMS, type StreamNews } from './stream-news';

export type FollowFeed = (
  after: FeedQuestion['after'],
  beatMs: number,
) => TaskEither<StoreError | FeedPlaceUnknown, Following<FeedEntry, Reached>>;

interface FeedPageQuestion {
  readonly after: Position | undefined;
  readonly limit: number;
  readonly version: number;
}

const take = ({ entry }: FeedRead): E.Either<UndecodableEvent, Taken<FeedEntry>> => {
  if (entry === undefined) return E.right({});
  return E.isLeft(entry) ? entry : E.right({ entry: entry.right });
};

/** @param untilReadable see `readFeed`. */
export const createFollowFeed = (
  eventStore: Pick<EventStore, 'read' | 'readAll' | 'last'>,
  untilReadable: (position: Position) => Promise<unknown>,
  news: StreamNews,
): FollowFeed => {
  const readPage = createEventPages({
    nameOf: ({ after, limit, version }: FeedPageQuestion) => [after ?? '', limit, version].join(' '),
    read: ({ after, limit }) => eventStore.readAll(after, limit)(),
    entryOf: feedReadOf,
    untilReadable,
  });

  return (after, beatMs) => async () => {
    const start = await findReached(eventStore, after)();
    if (E.isLeft(start)) return start;
    return E.right(
      startFollowing<FeedRead, FeedEntry, Reached>(
        {
          watch: news.watch(ALL_STREAMS),
          readPage: (reached, limit, version) => readPage({ after: reached?.position, limit, version }),
          take,
          placeAfter: ({ position, place }) => ({ position, place }),
        },
        start.right,
        beatMs,
      ),
    );
  };
};
