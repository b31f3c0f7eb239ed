/** Projectors killed at random points while events flow, alone and beside another. Needs MongoDB. */
import { setTimeout as delay } from 'node:timers/promises';
import { createPriceBooks, type EventStore, type PriceBooks, STREAM_PREFIXES } from '@pricebook/application';
import { createInMemoryReadModel } from '@pricebook/application/in-memory';
import type { Currency, PriceBookId, ProductId } from '@pricebook/domain';
import { openEventStoreDb } from '@pricebook/eventstoredb';
import { type EventStoreDbUnderTest, startEventStoreDb } from '@pricebook/eventstoredb/testing';
import { mongoDbName, type MongoDbUnderTest, newDatabase, startMongoDb } from '@pricebook/mongodb/testing';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import { systemClock, systemIds } from '@pricebook/service/testing';
import { type ServiceProcess, startProcess } from './testing/service-process';
import { expectLikeRebuilt } from './testing/audit';

const KILLS = 50;
const EVENTS = 20_000;
const BOOKS = 20;
const PRODUCTS = 50;
/** How long projectors work at most, alone or beside another. */
const LIFE_MS = 200;
const PAUSE_MS = 25;

const caller = { actor: 'tests', requestId: 'tests' };
const USD = 'USD' as Currency;

const done = async <A>(task: TaskEither<unknown, A>): Promise<A> => {
  const result = await task();
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left));
  return result.right;
};

const random = (below: number): number => Math.floor(Math.random() * below);

/** Some write to a book: prices, percents, removals, a new name. */
const writeTo = (priceBooks: PriceBooks, book: PriceBookId, n: number): TaskEither<unknown, unknown> => {
  const productId = `product-${String(random(PRODUCTS))}` as ProductId;
  switch (n % 10) {
    case 0:
      return priceBooks.deleteEntries(book, [productId], caller);
    case 1:
      return priceBooks.setPrices(
        book,
        { _tag: 'AdjustAllProducts', adjustments: { [USD]: { type: 'percent', amount: n % 50 } } },
        caller,
      );
    case 2:
      return priceBooks.update(book, { name: `book ${String(n)}` }, caller);
    default: {
      const adjustments = {
        [USD]: { type: n % 3 === 0 ? ('percent' as const) : ('override' as const), amount: n },
      };
      return priceBooks.setPrices(
        book,
        { _tag: 'SetProductPrices', items: [{ productId, adjustments }] },
        caller,
      );
    }
  }
};

const describeIfThere = mongoDbName === undefined ? describe.skip : describe;

describeIfThere(`projectors that are killed again and again (${mongoDbName ?? 'no MongoDB'})`, () => {
  let events: EventStoreDbUnderTest;
  let documents: MongoDbUnderTest;

  before(async () => {
    [events, documents] = await Promise.all([startEventStoreDb(), startMongoDb()]);
  });
  after(() => Promise.all([events.stop(), documents.stop()]));

  /** Writes so many events, in about the time that the kills take. */
  const write = async (eventStore: EventStore): Promise<void> => {
    const priceBooks = createPriceBooks({
      eventStore,
      readModel: createInMemoryReadModel(),
      readSide: { waitFor: () => Promise.resolve(true) },
      clock: systemClock,
      ids: systemIds,
    });
    const books = await Promise.all(
      Array.from({ length: BOOKS }, () => done(priceBooks.create({ name: 'A' }, caller))),
    );
    for (let written = BOOKS; written < EVENTS; written += BOOKS) {
      await Promise.all(
        books.map(({ priceBook: { priceBookId } }, index) =>
          done(writeTo(priceBooks, priceBookId, written + index)),
        ),
      );
      await delay(PAUSE_MS);
    }
  };

  it(`leave what a fresh one makes: ${String(KILLS)} kills, ${String(EVENTS)} events`, async () => {
    const database = newDatabase(documents);
    const eventStore = openEventStoreDb(events.url, STREAM_PREFIXES);
    try {
      const writing = write(eventStore);
      let working: ServiceProcess | undefined;
      for (let kill = 0; kill < KILLS; kill += 1) {
        const next = startProcess(['project'], {
          PORT: '0',
          EVENTSTOREDB_URL: events.url,
          MONGODB_URL: database.url,
          LOG_LEVEL: 'fatal',
        });
        await next.ready;
        // For a while two of them project the same.
        await delay(random(LIFE_MS));
        working?.child.kill('SIGKILL');
        await working?.ended;
        await delay(random(LIFE_MS));
        working = next;
      }
      working?.child.kill('SIGKILL');
      await working?.ended;
      await writing;
      await expectLikeRebuilt(eventStore, database.url, documents);
    } finally {
      await eventStore.close();
      await database.remove();
    }
  }).timeout(900_000);
});
