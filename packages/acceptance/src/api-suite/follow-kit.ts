/** Followers of a book's history, for the suites of the API. */
import { setTimeout as delay } from 'node:timers/promises';
import { type EventStream, openEventStream } from '../testing/event-stream';
import { TEST_KEY } from '../testing/test-service';
import { type Api, expectStatus } from './kit';

export const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, n) => from + n);

/** Asks again and again until it is so; what never is, ends with the time limit of the test. */
export const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await delay(5);
};

export const pathOf = (book: string): string => `/v1/pricebooks/${book}/events`;

export const idsOf = (stream: EventStream): readonly number[] => stream.events().map(({ id }) => Number(id));

interface FollowOptions {
  readonly query?: string;
  readonly lastId?: string;
  readonly url?: string;
  readonly key?: string;
  readonly cutAfter?: number;
}

/** For one block of tests: what it opens is closed after each. */
export const followers = (api: Api) => {
  const open: EventStream[] = [];
  afterEach(() => {
    for (const one of open.splice(0)) one.close();
  });
  return {
    follow: async (
      /** A book, or the path of another feed. */
      book: string,
      { query = '', lastId, url = api().url, key = TEST_KEY, cutAfter }: FollowOptions = {},
    ): Promise<EventStream> => {
      const stream = await openEventStream(url + (book.startsWith('/') ? book : pathOf(book)) + query, {
        headers: { 'x-api-key': key, ...(lastId !== undefined && { 'last-event-id': lastId }) },
        ...(cutAfter !== undefined && { cutAfter }),
      });
      open.push(stream);
      return stream;
    },
    listOf: async (book: string) =>
      expectStatus(await api().request('GET', `${pathOf(book)}?limit=1000`), 200).body as readonly {
        readonly revision: number;
        readonly type: string;
      }[],
  };
};
