import { setTimeout as delay } from 'node:timers/promises';
import type { PriceBookId, ProductId } from '@pricebook/domain';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import { v4 } from 'uuid';
import { createInMemoryEventStore } from '../in-memory/event-store';
import type { EventStore, NewEvent, Position, RecordedEvent } from '../ports/event-store';
import {
  createFollowPriceBook,
  createHistoryPages,
  type FollowingPriceBook as Following,
  type FollowQuestion,
} from './follow-price-book';
import { createStreamNews } from './stream-news';

const BOOK = '01890000-0000-7000-8000-000000000001' as PriceBookId;
const OTHER = '01890000-0000-7000-8000-000000000002' as PriceBookId;
const BEAT_MS = 60_000;

const second = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString();

const event = (n: number, type: string, data: unknown, schemaVersion = 1): NewEvent => ({
  id: v4(),
  type,
  data,
  metadata: {
    schemaVersion,
    occurredAt: second(n),
    actor: 'key-1',
    $correlationId: 'r',
    $causationId: 'c',
    commandId: 'c',
  },
});
const renamed = (n: number, characters = 1): NewEvent =>
  event(n, 'PriceBookUpdated', { name: 'x'.repeat(characters) });
const priced = (n: number, productId: string): NewEvent =>
  event(n, 'ProductPricesSet', {
    items: [{ productId, adjustments: { USD: { type: 'override', amount: n } } }],
  });
const deleted = (n: number): NewEvent => event(n, 'PriceBookDeleted', {});
const restored = (n: number): NewEvent => event(n, 'PriceBookRestored', {});
const unreadable = (n: number): NewEvent => event(n, 'PriceBookUpdated', { name: 'x' }, 1_000);
const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, n) => from + n);

/** A store that is watched, and that can be taken away. */
const createWatchedStore = () => {
  const eventStore = createInMemoryEventStore();
  const revisions = new Map<string, number>();
  const seen = { reads: 0, atOnce: 0, mostAtOnce: 0, subscriptions: 0, open: 0, from: [] as unknown[] };
  const state = { isAway: false, isDeaf: false };
  const away = { _tag: 'StoreUnavailable', reason: 'away' } as const;
  const watched: EventStore = {
    ...eventStore,
    read: (stream, options) => async () => {
      seen.reads += 1;
      seen.atOnce += 1;
      seen.mostAtOnce = Math.max(seen.mostAtOnce, seen.atOnce);
      await new Promise(setImmediate);
      seen.atOnce -= 1;
      return state.isAway ? E.left(away) : eventStore.read(stream, options)();
    },
    subscribe: async function* (after, signal) {
      seen.subscriptions += 1;
      seen.open += 1;
      seen.from.push(after);
      try {
        for await (const batch of eventStore.subscribe(after, signal)) {
          if (!state.isDeaf) yield batch;
        }
      } finally {
        seen.open -= 1;
      }
    },
  };
  const append = async (events: readonly NewEvent[], book: PriceBookId = BOOK): Promise<void> => {
    const [first, ...others] = events;
    if (first === undefined) return;
    const last = revisions.get(book);
    await eventStore.append(`priceBook-${book}`, last ?? 'noStream', [first, ...others])();
    revisions.set(book, (last ?? -1) + events.length);
  };
  return { eventStore: watched, append, seen, state };
};

describe('following a price book', () => {
  const open: Following[] = [];
  afterEach(() => {
    for (const one of open.splice(0)) one.end();
  });

  type Question = Omit<FollowQuestion, 'priceBookId'>;
  const start = async (
    events: readonly NewEvent[],
    untilReadable: (position: Position) => Promise<unknown> = () => Promise.resolve(),
  ) => {
    const store = createWatchedStore();
    await store.append(events);
    const follow = createFollowPriceBook(store.eventStore, untilReadable, createStreamNews(store.eventStore));
    const ask = (question: Question = {}, beatMs = BEAT_MS, priceBookId = BOOK) =>
      follow({ ...question, priceBookId }, beatMs)();
    return {
      ...store,
      ask,
      follow: async (question: Question = {}, beatMs = BEAT_MS, book = BOOK): Promise<Following> => {
        const found = await ask(question, beatMs, book);
        if (E.isLeft(found) || found.right === undefined) throw new Error('there is nothing to follow');
        open.push(found.right);
        return found.right;
      },
    };
  };

  /** The revisions of what comes next, until there are so many. */
  const take = async (following: Following, count: number): Promise<readonly number[]> => {
    const got: number[] = [];
    while (got.length < count) {
      const page = await following.next();
      if (E.isLeft(page)) throw new Error(JSON.stringify(page.left));
      if (page.right === undefined) break;
      got.push(...page.right.entries.map(({ revision }) => revision));
    }
    return got;
  };
  const nextOf = async (following: Following) => {
    const page = await following.next();
    if (E.isLeft(page)) return page.left._tag;
    return page.right && [page.right.entries.map(({ revision }) => revision), page.right.next - 1];
  };

  it('says what there is, and then what comes', async () => {
    const { follow, append } = await start(range(0, 300).map((n) => renamed(n)));
    const following = await follow();
    expect(await take(following, 300)).to.deep.equal(range(0, 300));
    const more = take(following, 3);
    await append([renamed(300)]);
    await append([renamed(301), renamed(302)]);
    expect(await more).to.deep.equal([300, 301, 302]);
  });

  it('begins after the revision that is known', async () => {
    const { follow, ask, append } = await start(range(0, 5).map((n) => renamed(n)));
    expect(await take(await follow({ after: 2 }), 2)).to.deep.equal([3, 4]);
    const atTheEnd = await follow({ after: 4 });
    const more = take(atTheEnd, 1);
    await append([renamed(5)]);
    expect(await more).to.deep.equal([5]);
    expect(await ask({ after: 6 })).to.deep.equal(E.left({ _tag: 'RevisionAhead', after: 6, revision: 5 }));
    expect(await ask({}, BEAT_MS, OTHER)).to.deep.equal(E.left({ _tag: 'PriceBookNotFound' }));
  });

  it('says only what is asked for, and how far that is', async () => {
    const { follow, append } = await start([renamed(0), priced(1, 'P'), priced(2, 'Q'), priced(3, 'P')]);
    const productId = 'P' as ProductId;
    const ofProduct = await follow({ productId }, 40);
    expect(await nextOf(ofProduct)).to.deep.equal([[1, 3], 3]);
    await append([priced(4, 'Q')]);
    expect(await nextOf(ofProduct)).to.deep.equal([[], 4]);
    expect(await take(await follow({ since: second(2) }), 3)).to.deep.equal([2, 3, 4]);
    expect(await take(await follow({ since: second(2), productId }), 1)).to.deep.equal([3]);
    expect(await take(await follow({ since: second(2), after: 0 }), 3)).to.deep.equal([2, 3, 4]);
    const later = await follow({ since: second(6) });
    const more = take(later, 1);
    await append([renamed(5), renamed(6)]);
    expect(await more).to.deep.equal([6]);
  });

  it('says after a beat that nothing has come', async () => {
    const { follow } = await start([renamed(0)]);
    const following = await follow({}, 50);
    expect(await nextOf(following)).to.deep.equal([[0], 0]);
    const began = performance.now();
    expect(await nextOf(following)).to.deep.equal([[], 0]);
    expect(performance.now() - began).to.be.within(45, 1_000);
  });

  it('ends with the deletion, whatever was asked for; then there is nothing left to follow', async () => {
    const { follow, ask, append } = await start([renamed(0), priced(1, 'P')]);
    const all = await follow({ after: 1 });
    const ofProduct = await follow({ productId: 'Q' as ProductId });
    const said = [nextOf(all), nextOf(ofProduct)];
    await append([deleted(2)]);
    expect(await Promise.all(said)).to.deep.equal([
      [[2], 2],
      [[2], 2],
    ]);
    expect([await nextOf(all), await nextOf(ofProduct)]).to.deep.equal([undefined, undefined]);
    expect(await ask({ after: 2 })).to.deep.equal(E.right(undefined));
    expect(await ask({ since: second(3) })).to.deep.equal(E.right(undefined));
    expect(await take(await follow({ after: 0 }), 10)).to.deep.equal([1, 2]);
  });

  it('goes on after a deletion where the book was restored', async () => {
    const past = [...range(0, 20).map((n) => renamed(n)), deleted(20), restored(21), priced(22, 'P')];
    const { follow, ask, append } = await start(past);
    const all = await follow();
    expect(await take(all, 23)).to.deep.equal(range(0, 23));
    const productId = 'P' as ProductId;
    expect(await take(await follow({ productId }), 3)).to.deep.equal([20, 21, 22]);
    expect(await take(await follow({ productId, since: second(21) }), 2)).to.deep.equal([21, 22]);
    expect(await take(await follow({ after: 20 }), 2)).to.deep.equal([21, 22]);
    const gone = take(all, 10);
    await append([deleted(23)]);
    expect(await gone).to.deep.equal([23]);
    expect(await ask({ after: 23 })).to.deep.equal(E.right(undefined));
    await append([restored(24), priced(25, 'P')]);
    expect(await take(await follow({ after: 23 }), 2), 'resumed').to.deep.equal([24, 25]);
  });

  it('stops at an event that cannot be read, after all that stands before it', async () => {
    const { follow, ask } = await start([renamed(0), renamed(1), unreadable(2), renamed(3)]);
    const following = await follow();
    expect(await nextOf(following)).to.deep.equal([[0, 1], 1]);
    expect(await nextOf(following)).to.equal('UndecodableEvent');
    const again = await ask({ after: 1 });
    expect(E.isLeft(again) && again.left).to.include({ _tag: 'UndecodableEvent', revision: 2 });
    expect(await take(await follow({ after: 2 }), 1)).to.deep.equal([3]);
    expect(await take(await follow({ after: 1, since: second(3) }), 1)).to.deep.equal([3]);
  });

  it('says nothing before it can be read, as far as that is waited for', async () => {
    const waiting: (readonly [position: Position, go: () => void])[] = [];
    const { follow, append } = await start(
      [renamed(0)],
      (position) => new Promise<void>((resolve) => waiting.push([position, resolve])),
    );
    const following = await follow();
    let said: unknown;
    const saying = (async () => {
      said = await nextOf(following);
    })();
    await append([renamed(1)]);
    await delay(20);
    expect(said).to.equal(undefined);
    expect(waiting.map(([position]) => position)).to.deep.equal([2n]);
    waiting[0]?.[1]();
    await saying;
    expect(said).to.deep.equal([[0, 1], 1]);
  });

  it('waits for a store that does not answer, with a beat now and then, and goes on', async () => {
    const { follow, append, state } = await start([renamed(0)]);
    const following = await follow({ after: 0 }, 60);
    state.isAway = true;
    await append([renamed(1)]);
    expect(await nextOf(following)).to.deep.equal([[], 0]);
    expect(await nextOf(following)).to.deep.equal([[], 0]);
    const more = take(following, 1);
    state.isAway = false;
    expect(await more).to.deep.equal([1]);
  });

  it('has its beat also while a read takes long, and ends meanwhile', async () => {
    let go: () => void = () => undefined;
    const readable = new Promise<void>((resolve) => {
      go = resolve;
    });
    const { follow, seen } = await start([renamed(0)], () => readable);
    const following = await follow({}, 30);
    seen.reads = 0;
    expect(await nextOf(following)).to.deep.equal([[], -1]);
    expect(await nextOf(following)).to.deep.equal([[], -1]);
    expect(seen.reads).to.equal(1);
    const other = await follow();
    const waiting = nextOf(other);
    await delay(10);
    other.end();
    expect(await waiting).to.equal(undefined);
    go();
    expect(await nextOf(following)).to.deep.equal([[0], 0]);
  });

  it('misses nothing where the subscription says nothing', async () => {
    const { follow, append, state } = await start([renamed(0)]);
    state.isDeaf = true;
    const following = await follow({}, 30);
    expect(await take(following, 1)).to.deep.equal([0]);
    for (const n of range(1, 5)) {
      await append([renamed(n)]);
      expect(await take(following, 1)).to.deep.equal([n]);
    }
  });

  it('needs one subscription for all, from the head, as long as anyone follows', async () => {
    const { follow, append, seen } = await start(range(0, 10).map((n) => renamed(n)));
    await append([renamed(0)], OTHER);
    expect(seen.subscriptions).to.equal(0);
    const followers = [await follow(), await follow({ after: 9 }), await follow({}, BEAT_MS, OTHER)];
    await delay(20);
    expect([seen.subscriptions, seen.open, seen.from]).to.deep.equal([1, 1, [11n]]);
    for (const one of followers.slice(1)) one.end();
    await delay(20);
    expect(seen.open).to.equal(1);
    followers[0]?.end();
    followers[0]?.end();
    await delay(20);
    expect(seen.open).to.equal(0);
    await append([renamed(10)]);
    expect(await take(await follow({ after: 9 }), 1)).to.deep.equal([10]);
    expect([seen.subscriptions, seen.from.at(-1)]).to.deep.equal([2, 12n]);
  });

  it('ends while it waits', async () => {
    const { follow } = await start([renamed(0)]);
    const following = await follow({ after: 0 });
    const said = following.next();
    await delay(10);
    following.end();
    expect(await said).to.deep.equal(E.right(undefined));
  });

  it('reads once for many who follow the same book, and little at once for others', async () => {
    const { follow, append, seen } = await start([renamed(0)]);
    const followers: Following[] = [];
    for (let n = 0; n < 300; n += 1) followers.push(await follow({ after: 0 }));
    const all = Promise.all(followers.map((one) => take(one, 20)));
    await delay(50);
    seen.reads = 0;
    seen.mostAtOnce = 0;
    for (const n of range(1, 21)) {
      await append([renamed(n)]);
      await delay(5);
    }
    for (const got of await all) expect(got).to.deep.equal(range(1, 21));
    expect(seen.reads).to.be.within(20, 200);

    const others: Following[] = [];
    for (const after of range(0, 20)) others.push(await follow({ after }));
    seen.mostAtOnce = 0;
    await Promise.all(others.map((one, after) => take(one, 20 - after)));
    expect(seen.mostAtOnce).to.be.within(2, 8);
  });

  it('reads anew for one who comes when all others have left', async () => {
    const { eventStore, append } = createWatchedStore();
    await append([renamed(0), renamed(1)]);
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let isSlow = true;
    let held = 0;
    const slow: EventStore = {
      ...eventStore,
      read: (stream, options) => async () => {
        const page = await eventStore.read(stream, options)();
        if (isSlow && options.from === 2 && options.limit > 1) {
          held += 1;
          await released;
        }
        return page;
      },
      // Nobody is woken.
      subscribe: async function* (_after, signal) {
        await new Promise((resolve) => {
          signal.addEventListener('abort', resolve);
        });
        yield* [];
      },
      head: () => TE.left({ _tag: 'StoreUnavailable', reason: 'away' }),
    };
    const ask = createFollowPriceBook(slow, () => Promise.resolve(), createStreamNews(slow));
    const follow = async (): Promise<Following> => {
      const found = await ask({ priceBookId: BOOK, after: 1 }, BEAT_MS)();
      if (E.isLeft(found) || found.right === undefined) throw new Error('there is nothing to follow');
      open.push(found.right);
      return found.right;
    };
    const leaving = await follow();
    const left = leaving.next();
    while (held === 0) await delay(1);
    leaving.end();
    expect(await left).to.deep.equal(E.right(undefined));
    await append([renamed(2)]);
    isSlow = false;
    const next = take(await follow(), 1);
    await delay(1);
    release();
    expect(await next).to.deep.equal([2]);
  });

  it('has no more of large events in memory than a page', async () => {
    const { eventStore } = await start(range(0, 20).map((n) => renamed(n, 100_000)));
    const readPage = createHistoryPages(eventStore, () => Promise.resolve());
    const page = await readPage({ stream: `priceBook-${BOOK}`, from: 3, limit: 8, version: 0 });
    if (E.isLeft(page)) throw new Error('the store is there');
    expect(page.right.entries).to.have.length(2);
    expect(page.right.isCut).to.equal(true);
  });
});

describe('pages that followers want', () => {
  it('are not those that were asked for before something came', async () => {
    const given: ((events: readonly RecordedEvent[]) => void)[] = [];
    const read: EventStore['read'] = () => () =>
      new Promise((resolve) =>
        given.push((events) => {
          resolve(E.right(events));
        }),
      );
    const readPage = createHistoryPages({ read }, () => Promise.resolve());
    const question = { stream: `priceBook-${BOOK}`, from: 3, limit: 8 };
    const early = [readPage({ ...question, version: 1 }), readPage({ ...question, version: 1 })];
    const late = readPage({ ...question, version: 2 });
    expect(given).to.have.length(2);
    const recorded = { ...renamed(3), stream: question.stream, revision: 3, position: 3n };
    given[0]?.([]);
    given[1]?.([recorded]);
    const lengths = (await Promise.all([...early, late])).map((page) =>
      E.isRight(page) ? page.right.entries.length : -1,
    );
    expect(lengths).to.deep.equal([0, 0, 1]);
    // Nothing is kept.
    void readPage({ ...question, version: 2 });
    expect(given).to.have.length(3);
  });
});
