import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { v4 } from 'uuid';
import { createFollowFeed } from '../following/follow-feed';
import { createStreamNews } from '../following/stream-news';
import { createInMemoryEventStore } from '../in-memory/event-store';
import { createInMemoryWebhookProgress } from '../in-memory/webhook-progress';
import type { SendOutcome } from '../ports/webhook-sender';
import { createSendOnce } from './attempt';
import { startDispatcher } from './dispatcher';
import { createWebhookRegister } from './register';
import { appendToBook, BOOK, secrets } from './testing/delivering';
import { createWebhooks } from './webhooks';

const OK: SendOutcome = { _tag: 'Answered', status: 204 };

describe('the dispatcher of webhooks', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  const until = async (isSo: () => boolean): Promise<void> => {
    while (!isSo()) await delay(2);
  };

  /** Two stores that processes share, and what was asked of the events. */
  const shared = () => {
    const inMemory = createInMemoryEventStore();
    const asked: string[] = [];
    const eventStore = new Proxy(inMemory, {
      get: (target, name, receiver) => {
        asked.push(String(name));
        return Reflect.get(target, name, receiver) as unknown;
      },
    });
    return { inMemory, eventStore, asked, progressStore: createInMemoryWebhookProgress() };
  };

  /** A process that serves. */
  const start = (
    { eventStore, progressStore }: Pick<ReturnType<typeof shared>, 'eventStore' | 'progressStore'>,
    post: (id: string) => Promise<SendOutcome>,
  ) => {
    const register = createWebhookRegister(eventStore);
    const clock = { now: () => new Date().toISOString() };
    const sender = {
      refusal: () => Promise.resolve(undefined),
      post: (_url: string, headers: Readonly<Record<string, string>>) => post(headers['webhook-id'] ?? ''),
    };
    const sendOnce = createSendOnce(sender, secrets, clock);
    const webhooks = createWebhooks({
      eventStore,
      register,
      progressStore,
      deliveries: { secrets, sender, sendOnce },
      dataOf: ({ event }) => event.data,
      clock,
      ids: {
        newPriceBookId: () => BOOK,
        newCommandId: () => v4(),
        randomBytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
      },
      onChange: () => {
        dispatcher.nudge();
      },
    });
    const dispatcher = startDispatcher({
      register,
      progressStore,
      owner: v4(),
      followFeed: createFollowFeed(eventStore, () => Promise.resolve(), createStreamNews(eventStore)),
      sendOnce,
      dataOf: ({ event }) => event.data,
      clock,
      random: () => 0.5,
      // A look every 2 s would be long for a test.
      wait: (ms, signal) => delay(Math.min(ms, 20), undefined, { signal }).catch(() => undefined),
      pause: webhooks.pause,
      report: () => undefined,
    });
    closing.push(dispatcher.close);
    return { webhooks, dispatcher };
  };

  const create = async ({ webhooks }: ReturnType<typeof start>): Promise<string> => {
    const created = await webhooks.create(
      { url: 'https://shop.example/' },
      { actor: 'key-1', requestId: 'r' },
    )();
    if (E.isLeft(created)) throw new Error(created.left._tag);
    return created.right.webhook.id;
  };

  it('reads its own stream and nothing else as long as there is no webhook that is active', async () => {
    const stores = shared();
    let claims = 0;
    const progressStore = {
      ...stores.progressStore,
      claim: (owner: string, ms: number) => {
        claims += 1;
        return stores.progressStore.claim(owner, ms);
      },
    };
    const one = start({ ...stores, progressStore }, () => Promise.resolve(OK));
    await delay(60);
    expect([...new Set(stores.asked)]).to.deep.equal(['read']);
    const id = await create(one);
    await until(() => claims > 0);
    const pause = { actor: 'key-1', requestId: 'r' };
    await one.webhooks.update(id, { pausedReason: 'requested' }, pause)();
    await delay(60);
    stores.asked.length = 0;
    await delay(60);
    expect([...new Set(stores.asked)]).to.deep.equal(['read']);
  });

  it('delivers in one process at a time, and in another when that ends', async () => {
    const stores = shared();
    const got: string[] = [];
    const processes = ['a', 'b'].map((name) =>
      start(stores, (id) => {
        got.push(`${name} ${id}`);
        return Promise.resolve(OK);
      }),
    );
    const [first] = processes;
    if (first === undefined) throw new Error('there are two');
    await create(first);
    await delay(50);
    const names = () => [...new Set(got.map((one) => one.slice(0, 1)))];
    await appendToBook(stores.inMemory, 1, 0);
    await until(() => got.length === 1);
    await appendToBook(stores.inMemory, 1, 1);
    await until(() => got.length === 2);
    expect(names()).to.have.length(1);
    const [before] = names();
    await processes[before === 'a' ? 0 : 1]?.dispatcher.close();
    await appendToBook(stores.inMemory, 1, 2);
    await until(() => got.length === 3);
    expect(names()).to.have.length(2);
    expect(new Set(got.map((one) => one.slice(2))).size).to.equal(3);
  });

  it('breaks off what it sends when it is closed, and sends it again when it starts', async () => {
    const stores = shared();
    const got: string[] = [];
    const hanging = start(stores, async (id) => {
      got.push(id);
      await delay(1);
      return { _tag: 'Failed', reason: 'it was broken off' };
    });
    await create(hanging);
    await appendToBook(stores.inMemory, 1, 0);
    await until(() => got.length > 0);
    await hanging.dispatcher.close();
    const seen = got.length;
    start(stores, (id) => {
      got.push(id);
      return Promise.resolve(OK);
    });
    await until(() => got.length > seen);
    expect(new Set(got).size).to.equal(1);
  });
});
