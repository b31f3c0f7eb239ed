/** Events in the feed of all books. */
import type { FeedEntry, FeedPage, FeedPlace } from '@pricebook/application';
import { described, type JsonCodec, listOf, priceBookIdCodec, record, text } from '@pricebook/domain';
import { decodeCursor, encodeCursor } from '../paging';
import { entriesByType, historyEntryBody, type HistoryEntryBody } from './history-entry';
import { booleanCodec } from './values';

const FEED = 'events';

/** A place in the feed as a text, which means something to us alone. */
export const eventIdOf = ({ stream, revision, eventId }: FeedPlace): string =>
  encodeCursor(FEED, [stream, revision, eventId].join(':'));

/** @returns undefined where the text is none of ours. */
export const feedPlaceIn = (id: string): FeedPlace | undefined => {
  const [, stream, revision, eventId] =
    /^([^:]+):(\d{1,14}):([^:]+)$/.exec(decodeCursor(FEED, id) ?? '') ?? [];
  return stream === undefined || revision === undefined || eventId === undefined
    ? undefined
    : { stream, revision: Number(revision), eventId };
};

/** A place in the feed. */
export const eventIdCodec: JsonCodec<string> = described(text('EventId', { min: 1, max: Infinity }), {
  description: 'A place in the feed, for `after` and `Last-Event-ID`. It has no meaning to clients.',
  examples: [
    eventIdOf({
      stream: 'priceBook-01a1fcf9-f25b-75a0-80fb-5049634a2f84',
      revision: 1,
      eventId: '3d2f6a54-6f0f-5c0b-9d0b-5d1f0c9d7a10',
    }),
  ],
});

export interface FeedEventBody extends HistoryEntryBody {
  readonly id: string;
  readonly priceBookId: string;
}

const feedEventCodec = described(
  entriesByType<FeedEventBody>('Event', 'Event', { id: eventIdCodec, priceBookId: priceBookIdCodec }),
  { description: 'What one request changed in a book, when, and who asked for it.' },
);

const hasMoreCodec = booleanCodec(
  'HasMore',
  'Whether there may be more events already. If so, ask for them at once.',
);

export const feedPageCodec = described(
  record('EventPage', { events: listOf(feedEventCodec), hasMore: hasMoreCodec }, { next: eventIdCodec }),
  { description: '`next` is absent only while there are no events at all.' },
);

export const feedEventBody = (entry: FeedEntry): FeedEventBody => ({
  id: eventIdOf(entry.place),
  priceBookId: entry.priceBookId,
  ...historyEntryBody(entry),
});

export const feedPageBody = ({ entries, next, hasMore }: FeedPage) => ({
  events: entries.map(feedEventBody),
  ...(next !== undefined && { next: eventIdOf(next) }),
  hasMore,
});
