/** A book that is followed over real sockets; what happens in it is given. */
import { setTimeout as delay } from 'node:timers/promises';
import type {
  FollowedPage as PageOf,
  FollowingPriceBook as Following,
  FollowQuestion,
  HistoryEntry,
  PriceBooks,
} from '@pricebook/application';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import type { HttpAppParts } from '../app';
import type { FollowerLimits } from '../limits/followers';
import type { ServerLimits } from '../server';
import { serverSentEvents } from '../server-sent-events';
import { type Client, connect, head, KEY, type ServedApp, serveApp, until } from '../testing/serve-app';
import { historyAsSent } from './follow-history';

type FollowedPage = PageOf<HistoryEntry, number>;

const PATH = '/v1/pricebooks/01a1fced-c116-737b-90d3-d0ce7dc012dc/events';
const quick: ServerLimits = {
  headersMs: 60_000,
  requestMs: 60_000,
  stalledMs: 700,
  keepAliveMs: 60_000,
  checkMs: 50,
  connections: 10_000,
  unreadBytes: 128 * 1024 * 1024,
};
const limits: FollowerLimits = { all: 5, ofKey: 3, heartbeatMs: 40 };

const renamed = (revision: number, name = `N${String(revision)}`): HistoryEntry => ({
  revision,
  occurredAt: '2026-01-01T00:00:00.000Z',
  actor: 'key-1',
  requestId: 'r',
  event: { type: 'PriceBookUpdated', data: { name } },
});
const block = (revision: number): string =>
  `id: ${String(revision)}\nevent: PriceBookUpdated\n` +
  `data: {"revision":${String(revision)},"type":"PriceBookUpdated","occurredAt":"2026-01-01T00:00:00.000Z",` +
  `"actor":"key-1","requestId":"r","data":{"name":"N${String(revision)}"}}\n\n`;
const page = (...entries: readonly HistoryEntry[]): FollowedPage => ({
  entries,
  next: (entries.at(-1)?.revision ?? -1) + 1,
});

/** The chunks of an answer, one after the other. */
const chunksOf = (received: string): readonly string[] =>
  [...received.slice(received.indexOf('\r\n\r\n') + 4).matchAll(/([0-9a-f]+)\r\n([^\r]*)\r\n/g)].map(
    ([, , chunk = '']) => chunk,
  );

describe('a followed price book', () => {
  let app: ServedApp;
  const clients: Client[] = [];
  afterEach(() => {
    for (const { socket } of clients.splice(0)) socket.destroy();
    app.close();
  });

  /** A book in which things happen when they are told; each follower sees all of them. */
  const createBook = () => {
    const said: E.Either<never, FollowedPage | undefined>[] = [];
    const waiting = new Set<() => void>();
    const seen = { asked: 0, open: 0, questions: [] as FollowQuestion[] };
    const follow: PriceBooks['follow'] = (question) => {
      seen.questions.push(question);
      return TE.fromIO((): Following => {
        let place = 0;
        let hasEnded = false as boolean;
        let wake: () => void = () => undefined;
        seen.open += 1;
        return {
          start: 0,
          next: async () => {
            seen.asked += 1;
            while (said.length === place && !hasEnded) {
              await new Promise<void>((resolve) => {
                wake = resolve;
                waiting.add(resolve);
              });
            }
            place += 1;
            return said[place - 1] ?? E.right(undefined);
          },
          end: () => {
            if (!hasEnded) seen.open -= 1;
            hasEnded = true;
            wake();
          },
        };
      });
    };
    return {
      follow,
      seen,
      say: (next: FollowedPage | undefined): void => {
        said.push(E.right(next));
        for (const wake of waiting) wake();
      },
      fail: (error: unknown): void => {
        said.push(E.left(error as never));
        for (const wake of waiting) wake();
      },
    };
  };

  const start = async (
    follow: PriceBooks['follow'],
    parts: Partial<HttpAppParts> = {},
    serverLimits: Partial<ServerLimits> = {},
  ): Promise<void> => {
    app = await serveApp(
      {
        priceBooks: {
          history: () => TE.right({ entries: [], next: undefined }),
          follow,
        } as unknown as PriceBooks,
        followerLimits: limits,
        ...parts,
      },
      { ...quick, ...serverLimits },
    );
  };
  const client = async (request = head('GET', PATH, 'Accept: text/event-stream')): Promise<Client> => {
    const one = await connect(app.port, request);
    clients.push(one);
    return one;
  };
  const following = async (request?: string): Promise<Client> => {
    const one = await client(request);
    await until(() => one.received().includes(': following') || one.socket.destroyed);
    return one;
  };
  const ask = async (query = '', headers: Readonly<Record<string, string>> = {}, method = 'GET') => {
    const answer = await fetch(app.url + PATH + query, {
      method,
      headers: { 'x-api-key': KEY, accept: 'text/event-stream', ...headers },
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  };
  const isOpen = ({ socket }: Client): boolean => !socket.destroyed;
  const END = '\r\n0\r\n\r\n';

  it('is told at once that it is open, then event by event, with a heartbeat in between', async () => {
    const book = createBook();
    await start(book.follow);
    const one = await following();
    expect(one.received()).to.match(/^HTTP\/1\.1 200 OK\r\n/);
    for (const header of [
      'Content-Type: text/event-stream',
      'Cache-Control: no-store',
      'X-Accel-Buffering: no',
      'X-Content-Type-Options: nosniff',
      'Vary: Accept',
      'Transfer-Encoding: chunked',
    ]) {
      expect(one.received()).to.include(`\r\n${header}\r\n`);
    }
    book.say(page(renamed(0), renamed(1)));
    book.say({ entries: [], next: 2 });
    book.say({ entries: [], next: 5 });
    book.say({ entries: [], next: 5 });
    book.say({ entries: [renamed(5)], next: 8 });
    book.say(undefined);
    await until(() => one.received().endsWith(END));
    const [greeting = '', ...chunks] = chunksOf(one.received());
    expect(greeting).to.match(/^: following\nretry: [123]\d{3}\n\n$/);
    expect(chunks).to.deep.equal([block(0) + block(1), ':\n\n', 'id: 4\n\n', ':\n\n', block(5), '']);
    await until(() => book.seen.open === 0);
    // The connection can be used for something else.
    one.socket.write(head('GET', '/health/live'));
    await until(() => one.received().includes('"live"'));
  });

  it('takes up after the id that the client says: its header, or else the query', async () => {
    const book = createBook();
    book.say(undefined);
    await start(book.follow);
    const afterOf = async (query: string, headers: Readonly<Record<string, string>> = {}) => {
      expect((await ask(query, headers)).status).to.equal(200);
      return book.seen.questions.at(-1)?.after;
    };
    expect(await afterOf('')).to.equal(undefined);
    expect(await afterOf('', { 'last-event-id': '7' })).to.equal(7);
    expect(await afterOf('?lastEventId=8')).to.equal(8);
    expect(await afterOf('?lastEventId=8', { 'last-event-id': '9' })).to.equal(9);
    expect(await afterOf('?lastEventId=8', { 'last-event-id': '' })).to.equal(8);
    expect(await afterOf('?productId=P&since=2026-01-01T00:00:00Z')).to.equal(undefined);
    expect(book.seen.questions.at(-1)).to.include({ productId: 'P', since: '2026-01-01T00:00:00.000Z' });
  });

  it('refuses ids that are none, and what is for pages', async () => {
    await start(createBook().follow);
    for (const id of ['x', '-1', '1.5', '07', '1e3', '999999999999999', '1, 2']) {
      const answer = await ask('', { 'last-event-id': id });
      expect([answer.status, answer.text.includes('Last-Event-ID')], id).to.deep.equal([400, true]);
      expect((await ask(`?lastEventId=${id}`)).status, id).to.equal(400);
    }
    for (const query of [
      '?limit=10',
      '?cursor=ZXZlbnRzOjc',
      '?lastEventId=1&lastEventId=1',
      '?lastEventId=',
    ]) {
      expect((await ask(query)).status, query).to.equal(400);
    }
    expect((await ask('?limit=10')).text).to.include('known are: productId, since, lastEventId.');
    const listed = await ask('?lastEventId=1', { accept: 'application/json' });
    expect(listed.status).to.equal(400);
    expect(listed.text).to.include('known are: productId, since, limit, cursor.');
    expect((await ask('', { accept: 'application/json' })).status).to.equal(200);
  });

  it('has nothing more to say of a deleted book, and nothing of ids that there are not', async () => {
    await start(() => TE.right(undefined));
    const gone = await ask();
    expect([gone.status, gone.text]).to.deep.equal([204, '']);
    app.close();
    await start(() => TE.left({ _tag: 'RevisionAhead', after: 4, revision: 3 }));
    const ahead = await ask('', { 'last-event-id': '4' });
    expect([ahead.status, ahead.headers.get('content-type')]).to.deep.equal([
      400,
      'application/problem+json',
    ]);
    expect(ahead.text).to.include('Last-Event-ID is 4, but the last event of the book has the id 3.');
    app.close();
    await start(() => TE.left({ _tag: 'PriceBookNotFound' }));
    expect((await ask()).status).to.equal(404);
  });

  it('ends before anything is sent with a key that is not valid any more', async () => {
    let isRevoked = false;
    const book = createBook();
    await start(book.follow, {
      keyring: { authenticate: () => (isRevoked ? undefined : { keyId: 'key-1', scopes: ['read'] }) },
    });
    const one = await following();
    book.say(page(renamed(0)));
    await until(() => one.received().includes('N0'));
    isRevoked = true;
    book.say(page(renamed(1)));
    await until(() => one.received().endsWith(END));
    expect(one.received()).not.to.include('N1');
    expect((await ask()).status).to.equal(401);
  });

  it('ends in order, and in the log, where it cannot go on', async () => {
    const book = createBook();
    await start(book.follow);
    const one = await following();
    book.say(page(renamed(0)));
    book.fail({ _tag: 'UndecodableEvent', stream: 'priceBook-1', revision: 1, reason: 'of a later version' });
    await until(() => one.received().endsWith(END));
    expect(one.received()).to.include('N0').and.not.to.include('later');
    expect(app.log().join('')).to.include('of a later version').and.to.include('"how":"failed"');
  });

  it('has room for so many, of one key and of all, and for others when some have left', async () => {
    const book = createBook();
    await start(book.follow, {
      keyring: { authenticate: (secret) => ({ keyId: secret, scopes: ['read'] }) },
    });
    const of = (key: string): string => head('GET', PATH, 'Accept: text/event-stream').replace(KEY, key);
    const first = [await following(of('a')), await following(of('a')), await following(of('a'))];
    const refused = await ask('', { 'x-api-key': 'a' });
    expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([429, '10']);
    expect(JSON.parse(refused.text)).to.include({ type: '/problems/too-many-requests' });
    await following(of('b'));
    await following(of('b'));
    const full = await ask('', { 'x-api-key': 'c' });
    expect([full.status, full.headers.get('retry-after')]).to.deep.equal([503, '10']);
    expect(await (await fetch(`${app.url}/metrics`)).text()).to.match(/^pricebook_followers 5$/m);
    // A list is no follower.
    expect((await ask('', { 'x-api-key': 'a', accept: 'application/json' })).status).to.equal(200);
    for (const { socket } of first) socket.destroy();
    await until(() => book.seen.open === 2);
    const others = [await following(of('a')), await following(of('a')), await following(of('a'))];
    expect(others.every(isOpen)).to.equal(true);
  });

  it('gives its place back, however it ends, and needs none for HEAD', async () => {
    let isThere = true;
    const book = createBook();
    await start((question, beatMs) =>
      isThere ? book.follow(question, beatMs) : () => Promise.reject(new Error('a defect')),
    );
    for (let n = 0; n < 4; n += 1) {
      const answer = await ask('', {}, 'HEAD');
      expect([answer.status, answer.headers.get('content-type'), answer.text]).to.deep.equal([
        200,
        'text/event-stream',
        '',
      ]);
    }
    expect(book.seen.open).to.equal(0);
    isThere = false;
    for (let n = 0; n < 4; n += 1) expect((await ask()).status).to.equal(500);
    isThere = true;
    book.say(undefined);
    for (let n = 0; n < 4; n += 1) expect((await ask()).status).to.equal(200);
    expect(await (await fetch(`${app.url}/metrics`)).text()).to.match(/^pricebook_followers 0$/m);
  });

  it('is sent to all from the same memory, also where a page has several events', async () => {
    const entries = [renamed(0), renamed(1), renamed(2)];
    const pieces = async (...pages: readonly FollowedPage[]) => {
      const left = [...pages];
      const found: (string | Uint8Array)[] = [];
      const next = () => Promise.resolve(E.right(left.shift()));
      for await (const piece of serverSentEvents({ start: 0, next }, historyAsSent, undefined, () => true))
        found.push(piece);
      return found.slice(1);
    };
    const [whole, filtered, alone] = [entries, entries.filter((_, n) => n !== 1), entries.slice(1, 2)];
    for (const sent of [whole, filtered, whole, alone]) {
      // Those that each follower has are the same, in a page of its own.
      const [one, other] = await pieces(page(...sent), page(...sent));
      expect(one).to.equal(other);
      expect(String(one)).to.equal(sent.map(({ revision }) => block(revision)).join(''));
    }
  });

  it('gives back the places of requests that wait behind others on a connection that goes', async () => {
    const book = createBook();
    await start(book.follow);
    const request = head('GET', PATH, 'Accept: text/event-stream');
    const many = await following(request.repeat(3));
    await until(() => book.seen.open === 3);
    many.socket.destroy();
    await until(() => book.seen.open === 0);
    expect(await (await fetch(`${app.url}/metrics`)).text()).to.match(/^pricebook_followers 0$/m);
    expect(app.log().filter((line) => line.includes('a stream has ended'))).to.have.length(3);
  });

  it('gives back the place of a request whose connection went while another was before it', async () => {
    const book = createBook();
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    let asked = 0;
    let settled = 0;
    await start((question, beatMs) => async () => {
      asked += 1;
      if (asked === 2) await begun;
      const result = await book.follow(question, beatMs)();
      settled += 1;
      return result;
    });
    const two = await following(head('GET', PATH, 'Accept: text/event-stream').repeat(2));
    await until(() => asked === 2);
    two.socket.destroy();
    await until(() => book.seen.open === 0);
    begin();
    await until(() => settled === 2 && book.seen.open === 0);
    expect(await (await fetch(`${app.url}/metrics`)).text()).to.match(/^pricebook_followers 0$/m);
  });

  it('asks for nothing while its client takes nothing, and is cut off after a time', async () => {
    const book = createBook();
    const many = 2_000;
    for (let n = 0; n < many; n += 1) book.say(page(renamed(n, 'x'.repeat(20_000))));
    await start(book.follow);
    const deaf = await client('');
    deaf.socket.pause();
    deaf.socket.write(head('GET', PATH, 'Accept: text/event-stream'));
    await until(() => book.seen.asked > 10);
    await delay(200);
    const { asked } = book.seen;
    expect(asked).to.be.lessThan(many / 2);
    await delay(200);
    expect(book.seen.asked).to.equal(asked);
    await until(() => book.seen.open === 0);
    deaf.socket.resume();
    expect(await deaf.closed).not.to.include(END);
  });

  it('goes on for longer than a silent connection may last, since it is not silent', async () => {
    const book = createBook();
    await start(book.follow, {}, { stalledMs: 300 });
    const one = await following();
    const beats = setInterval(() => {
      book.say({ entries: [], next: 0 });
    }, 100);
    await delay(1_200);
    expect(isOpen(one)).to.equal(true);
    clearInterval(beats);
    await one.closed;
  });

  it('lets everyone go at once when the service stops, also who takes nothing', async () => {
    const stopping = new AbortController();
    const book = createBook();
    await start(book.follow, { stopping: stopping.signal }, { stalledMs: 60_000 });
    const deaf = await client('');
    deaf.socket.pause();
    deaf.socket.write(head('GET', PATH, 'Accept: text/event-stream'));
    await until(() => book.seen.open === 1);
    for (let n = 0; n < 1_000; n += 1) book.say(page(renamed(n, 'x'.repeat(20_000))));
    const one = await following();
    await until(() => one.received().length > 20_000_000);
    stopping.abort();
    await until(() => one.received().endsWith(END) && book.seen.open === 0);
    deaf.socket.resume();
    expect(await deaf.closed).not.to.include(END);
    const late = await ask();
    expect([late.status, late.headers.get('connection'), late.text]).to.deep.equal([200, 'close', '']);
  });
});
