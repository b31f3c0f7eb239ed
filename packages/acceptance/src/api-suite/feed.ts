/** The feed of all books. The service of the suite is shared, so tests begin at the end of the feed. */
import { expect } from 'chai';
import { followers, range, until } from './follow-kit';
import {
  type Api,
  bodyOf,
  createBook,
  expectProblem,
  expectStatus,
  override,
  percent,
  priceOf,
  setPrices,
  usd,
} from './kit';

const FEED = '/v1/events';

interface FeedEvent {
  readonly id: string;
  readonly priceBookId: string;
  readonly revision: number;
  readonly type: string;
}

interface FeedPage {
  readonly events: readonly FeedEvent[];
  readonly next?: string;
  readonly hasMore: boolean;
}

export const describeFeed = (api: Api): void => {
  describe('Get Events', () => {
    const { follow, listOf } = followers(api);
    const ask = (query: string) => api().request('GET', `${FEED}${query}`);
    const pageAfter = async (place: string, limit = 100): Promise<FeedPage> =>
      bodyOf(expectStatus(await ask(`?after=${place}&limit=${String(limit)}`), 200)) as unknown as FeedPage;
    const now = async (): Promise<string> => {
      const { events, next, hasMore } = await pageAfter('now');
      expect(events).to.deep.equal([]);
      expect(hasMore).to.equal(false);
      return String(next);
    };
    const allAfter = async (place: string, limit?: number): Promise<readonly FeedEvent[]> => {
      const found: FeedEvent[] = [];
      for (let after = place; ;) {
        const { events, next, hasMore } = await pageAfter(after, limit);
        found.push(...events);
        if (!hasMore) return found;
        after = String(next);
      }
    };
    const placed = (events: readonly FeedEvent[]) =>
      events.map(({ priceBookId, revision, type }) => [priceBookId, revision, type]);

    /** Some of everything that can happen to two books. */
    const makeHistory = async () => {
      // Not of a book, and not in the feed.
      await api().request('POST', '/v1/api-keys', { json: { name: 'A key', scopes: ['read'] } });
      const one = await createBook(api);
      const other = await createBook(api, { basePriceBookId: one });
      await setPrices(api, one, [usd('lamp', override(49.99))]);
      await setPrices(api, other, { productId: 'all', adjustments: { USD: percent(10) } });
      await api().request('PATCH', `/v1/pricebooks/${one}`, { json: { name: 'Renamed' } });
      await api().request('DELETE', `/v1/pricebooks/${other}`);
      const expected = [
        [one, 0, 'PriceBookCreated'],
        [other, 0, 'PriceBookCreated'],
        [one, 1, 'ProductPricesSet'],
        [other, 1, 'AllProductsAdjusted'],
        [one, 2, 'PriceBookUpdated'],
        [other, 2, 'PriceBookDeleted'],
      ];
      return { one, other, expected };
    };

    it('has the events of all books in order, each as in the history of its book', async () => {
      const start = await now();
      const { one, other, expected } = await makeHistory();
      const events = await allAfter(start);
      expect(placed(events)).to.deep.equal(expected);
      for (const book of [one, other]) {
        const entries = events.flatMap(({ id, priceBookId, ...entry }) =>
          priceBookId === book ? [entry] : [],
        );
        expect(entries).to.deep.equal(await listOf(book));
      }
      for (const limit of [1, 2, 5]) expect(await allAfter(start, limit)).to.deep.equal(events);
      for (const [n, { id }] of events.entries()) {
        expect(placed(await allAfter(id)), id).to.deep.equal(expected.slice(n + 1));
      }
    });

    it('begins with the first event of all', async () => {
      await createBook(api);
      const { events } = bodyOf(expectStatus(await ask('?limit=1'), 200)) as unknown as FeedPage;
      expect(placed(events)[0]?.slice(1)).to.deep.equal([0, 'PriceBookCreated']);
    });

    it('goes on after what is no event of a book', async () => {
      await now();
      await api().request('POST', '/v1/api-keys', { json: { name: 'A key', scopes: ['read'] } });
      const start = await now();
      const book = await createBook(api);
      expect(placed(await allAfter(start))).to.deep.equal([[book, 0, 'PriceBookCreated']]);
    });

    it('shows a price only when it can be read', async () => {
      const book = await createBook(api);
      const start = await now();
      for (const n of range(1, 20)) {
        const [, { events }] = await Promise.all([
          setPrices(api, book, [usd('P', override(n))]),
          pageAfter(start),
        ]);
        if (events.length === n) expect(await priceOf(api, book, 'P')).to.equal(n);
      }
    });

    it('is followed live, from any event on', async () => {
      const start = await now();
      const [early, late] = [
        await follow(FEED, { query: `?after=${start}` }),
        await follow(FEED, { query: '?after=now' }),
      ];
      const { expected } = await makeHistory();
      await until(() => early.events().length === 6 && late.events().length === 6);
      const events = await allAfter(start);
      const sent = events.map((event) => ({ id: event.id, type: event.type, data: event }));
      expect(early.events()).to.deep.equal(sent);
      expect(late.events()).to.deep.equal(sent);
      const again = await follow(FEED, { query: '?after=now', lastId: String(events[2]?.id) });
      await until(() => again.events().length === 3);
      expect(placed(again.events().map(({ data }) => data as FeedEvent))).to.deep.equal(expected.slice(3));
    });

    it('gives a place at once to who begins at the end', async () => {
      const start = await now();
      const stream = await follow(FEED, { query: '?after=now' });
      await until(() => stream.lastId() !== '');
      expect(stream.lastId()).to.equal(start);
      expect(stream.events()).to.deep.equal([]);
    });

    it('refuses places that are none, and those of events that are not there', async () => {
      const start = await now();
      for (const place of ['7', 'later', `${start}x`, Buffer.from('events:a:0:b').toString('base64url')]) {
        expectProblem(await ask(`?after=${place}`), { status: 400, type: 'invalid-request' });
        const headers = { accept: 'text/event-stream', 'last-event-id': place };
        expectProblem(await api().request('GET', FEED, { headers }), {
          status: 400,
          type: 'invalid-request',
        });
      }
      for (const query of ['?limit=0', '?after=now&after=now', '?since=2026-01-01T00:00:00Z']) {
        expectProblem(await ask(query), { status: 400, type: 'invalid-request' });
      }
    });
  });
};
