import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type EventBatch,
  type EventStore,
  isStoreError,
  type NewEvent,
  type ReadModel,
  startProjector,
} from '@pricebook/application';
import { createInMemoryReadModel } from '@pricebook/application/in-memory';
import { succeed } from '@pricebook/contract-tests';
import { expect } from 'chai';
import { v7 } from 'uuid';
import { event, events, standInForEachTest, streamNames } from './testing/under-faults';

const drops = ['UNAVAILABLE', 'CANCELLED', 'INTERNAL', 'end', 'connection'] as const;

describe('subscriptions to EventStoreDB (needs the stand-in)', () => {
  const its = standInForEachTest();

  const drop = (how: (typeof drops)[number]): void => {
    if (how === 'connection') its.standIn.faults.dropConnections();
    else its.standIn.faults.dropSubscriptions(how);
  };
  const untilOpen = async (): Promise<void> => {
    while (its.standIn.open().subscriptions === 0) await sleep(1);
  };

  /** Reads a subscription until it fails. */
  const failureOf = async (
    batches: AsyncIterable<EventBatch>,
    seen: (batch: EventBatch) => void | Promise<void> = () => undefined,
  ): Promise<unknown> => {
    try {
      for await (const batch of batches) await seen(batch);
    } catch (failure) {
      return failure;
    }
    return 'it ended without one';
  };

  const never = new AbortController().signal;

  for (const how of drops) {
    it(`fail with what the store says, when they are dropped: ${how}`, async () => {
      await succeed(its.eventStore.append('priceBook-1', 'noStream', events(3)));
      const failure = failureOf(its.eventStore.subscribe(undefined, never), () => {
        drop(how);
      });
      expect(isStoreError(await failure)).to.equal(true);

      const waiting = failureOf(its.eventStore.subscribe(undefined, never));
      await untilOpen();
      drop(how);
      expect(await waiting).to.have.property('_tag', 'StoreUnavailable');
    });
  }

  it('fail when the server refuses them', async () => {
    its.standIn.faults.refuse('subscription');
    expect(await failureOf(its.eventStore.subscribe(undefined, never))).to.have.property(
      '_tag',
      'StoreUnavailable',
    );
  });

  it('that were left do not stay open on the server', async () => {
    await succeed(its.eventStore.append('priceBook-1', 'noStream', events(3)));
    for (let times = 0; times < 120; times += 1) {
      for await (const batch of its.eventStore.subscribe(undefined, never)) {
        expect(batch.events).not.to.have.length(0);
        break;
      }
    }
    while (its.standIn.open().subscriptions > 0) await sleep(5);
  });

  describe('that are behind', () => {
    const BIG = 900_000;
    /** More than is gathered at once, then enough of others for a checkpoint to come behind it. */
    const fill = async (): Promise<void> => {
      for (const stream of streamNames(14)) {
        await succeed(its.eventStore.append(stream, 'noStream', [event('x'.repeat(BIG))]));
      }
      its.standIn.addForeignEvents(600);
    };

    it('give no checkpoint that passes what they have not given, when they are dropped', async () => {
      await fill();
      const batches: EventBatch[] = [];
      await failureOf(its.eventStore.subscribe(undefined, never), async (batch) => {
        batches.push(batch);
        if (batches.length > 1) return;
        await sleep(200);
        drop('connection');
        await sleep(50);
      });
      let passed = -1n;
      for (const { events: given, checkpoint } of batches) {
        for (const { position } of given) expect(position > passed && position <= checkpoint).to.equal(true);
        passed = checkpoint;
      }
      const rest = its.eventStore.readAll(passed, 100);
      expect(batches.flatMap((batch) => batch.events).length + (await succeed(rest)).length).to.equal(14);
    });

    it('end when they are told to, without keeping everything else waiting', async () => {
      // It would wait for ever, and this process could not even say so: therefore another one.
      const program = `
        const { openEventStoreDb } = require('./event-store');
        (async () => {
          const eventStore = openEventStoreDb(${JSON.stringify(its.standIn.url)}, ['priceBook-']);
          const stop = new AbortController();
          for await (const batch of eventStore.subscribe(undefined, stop.signal)) {
            await new Promise((resolve) => setTimeout(resolve, 200));
            stop.abort();
            await new Promise((resolve) => setTimeout(resolve, 50));
          }
          console.log('ended');
          await eventStore.close();
        })();`;
      await fill();
      const child = spawn(process.execPath, ['-e', program], {
        cwd: __dirname,
        stdio: ['ignore', 'pipe', 'inherit'],
        timeout: 5_000,
        killSignal: 'SIGKILL',
      });
      expect(await text(child.stdout)).to.equal('ended\n');
    });
  });

  it('lose nothing for a projector, and repeat nothing that can be seen, however often they are dropped', async () => {
    const BOOKS = 20;
    const UPDATES = 99;
    const bookEvent = (type: string, data: unknown): NewEvent => ({
      ...event(data),
      type,
      metadata: {
        schemaVersion: 1,
        occurredAt: '2026-01-01T00:00:00.000Z',
        actor: 'key-1',
        $correlationId: 'request-1',
        $causationId: 'command-1',
        commandId: 'command-1',
      },
    });

    const ids = Array.from({ length: BOOKS }, () => v7());
    let writing = BOOKS;
    let last = 0n;
    const write = async (id: string): Promise<void> => {
      const created = bookEvent('PriceBookCreated', { name: '0', description: '', basePriceBookIds: [] });
      await succeed(its.eventStore.append(`priceBook-${id}`, 'noStream', [created]));
      for (let revision = 1; revision <= UPDATES; revision += 1) {
        const updated = bookEvent('PriceBookUpdated', { name: String(revision) });
        const appended = await succeed(its.eventStore.append(`priceBook-${id}`, revision - 1, [updated]));
        if (appended.position > last) last = appended.position;
        if (revision % 10 === 0) its.standIn.addForeignEvents(50);
        await sleep(Math.random() * 20);
      }
      writing -= 1;
    };

    const given = new Map<string, number[]>();
    const { eventStore } = its;
    const watchedStore: EventStore = {
      ...eventStore,
      subscribe: async function* (after, signal) {
        for await (const batch of eventStore.subscribe(after, signal)) {
          for (const { stream, revision, position } of batch.events) {
            expect(after === undefined || position > after).to.equal(true);
            given.set(stream, [...(given.get(stream) ?? []), revision]);
          }
          yield batch;
        }
      },
    };
    const readModel = createInMemoryReadModel();
    let checkpoint = -1n;
    const watchedModel: ReadModel = {
      ...readModel,
      apply: (changes, next) => {
        expect(next >= checkpoint).to.equal(true);
        checkpoint = next;
        return readModel.apply(changes, next);
      },
    };
    const projector = startProjector(watchedStore, watchedModel, () => undefined);

    const writers = Promise.all(ids.map(write));
    let dropped = 0;
    for (; writing > 0 || dropped < 20; dropped += 1) {
      await untilOpen();
      await sleep(Math.random() * 40);
      drop(drops[dropped % drops.length] ?? 'end');
    }
    await writers;
    expect(dropped).to.be.greaterThan(19);

    expect(await projector.waitFor(last, 5_000)).to.equal(true);
    await projector.close();
    const all = Array.from({ length: UPDATES + 1 }, (_, revision) => revision);
    for (const id of ids) {
      const revisions = given.get(`priceBook-${id}`) ?? [];
      expect([...new Set(revisions)]).to.deep.equal(all);
    }
    const { items: books } = await succeed(readModel.listPriceBooks(100));
    expect(books.map(({ priceBookId }) => priceBookId)).to.have.members(ids);
    for (const { name, revision } of books) expect([name, revision]).to.deep.equal(['99', 99]);
  }).timeout(20_000);
});
