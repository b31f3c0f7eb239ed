/** Whatever happened: a price at a time is what the events up to that time make of it, and a rebuild changes nothing. */
import {
  type EventStore,
  type ReadModel,
  type ReadModelStore,
  rebuild,
  type RecordedEvent,
  replay,
} from '@pricebook/application';
import { createInMemoryReadModel } from '@pricebook/application/in-memory';
import { randomHistory, startBooks, succeed } from '@pricebook/contract-tests';
import {
  type Currency,
  explainPrice,
  noParameters,
  type PriceBookId,
  type ProductId,
  resolvePrice,
} from '@pricebook/domain';
import { embeddedReadModels } from '@pricebook/embedded';
import { dumpReadModel as dumpFolder } from '@pricebook/embedded/testing';
import { openMongoReadModels } from '@pricebook/mongodb';
import {
  dumpReadModel,
  mongoDbName,
  type MongoDbUnderTest,
  newDatabase,
  NO_MONGODB,
  startMongoDb,
} from '@pricebook/mongodb/testing';
import { expect } from 'chai';
import fc from 'fast-check';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import fs from 'node:fs';
import { allEvents } from '../testing/audit';
import { newFolder } from '../testing/test-service';

const running = new AbortController().signal;

/** A store of read models, and what is in its live one. */
interface Stores {
  readonly store: ReadModelStore;
  readonly dump: () => Promise<unknown>;
  readonly dispose: () => Promise<void>;
}

interface Question {
  readonly priceBookId: PriceBookId;
  readonly productId: ProductId;
  readonly currency: Currency;
}

const atOf = fc.record({
  /** The place of an event, and how long before or after it. */
  event: fc.nat(100),
  distance: fc.constantFrom(-1, 0, 0, 1),
  book: fc.nat(20),
  productId: fc.constantFrom(...(['P', 'Q/ü', '__proto__', 'unknown'] as ProductId[])),
  currency: fc.constantFrom(...(['USD', 'EUR', 'JPY'] as Currency[])),
});

const occurredAt = ({ metadata }: RecordedEvent): string =>
  (metadata as { readonly occurredAt: string }).occurredAt;

/** What Get Product Price answers; undefined for no price, whatever the reason. */
const priceIn = async (
  readModel: Pick<ReadModel, 'findHoldings'>,
  { priceBookId, productId, currency }: Question,
  at?: string,
) => {
  const chain = await succeed(readModel.findHoldings(priceBookId, productId, currency, at));
  if (chain === undefined) return undefined;
  const resolved = resolvePrice(chain, currency, noParameters);
  if (E.isLeft(resolved)) return undefined;
  return { ...resolved.right, steps: explainPrice(chain, currency, noParameters) };
};

/** A read model of some events and no others. */
const foldOf = async (events: readonly RecordedEvent[]) => {
  const readModel = createInMemoryReadModel();
  const until = events.at(-1)?.position;
  const readAll: EventStore['readAll'] = (after = -1n, limit) =>
    TE.right(events.filter(({ position }) => position > after).slice(0, limit));
  if (until !== undefined) await succeed(replay({ readAll }, readModel, { until, signal: running }));
  return readModel;
};

const rebuildIn = async (eventStore: EventStore, store: ReadModelStore): Promise<void> => {
  const rebuilt = await rebuild(eventStore, store, {
    signal: running,
    onProgress: () => undefined,
    patiently: (attempt) => attempt(),
  });
  if (E.isLeft(rebuilt)) throw new Error(JSON.stringify(rebuilt.left));
};

const describeReplay = (
  name: string,
  open: (end: EventStore['head']) => Promise<Stores>,
  numRuns: number,
): void => {
  describe(`replays of random histories: ${name}`, () => {
    it('make the price of any time, and the same documents again', async () => {
      await fc.assert(
        fc.asyncProperty(
          randomHistory,
          fc.array(atOf, { minLength: 20, maxLength: 40 }),
          async (steps, asked) => {
            const { eventStore, take, close, books } = startBooks();
            const { store, dump, dispose } = await open(eventStore.head);
            try {
              await take(steps);
              const events = await allEvents(eventStore);
              const until = await succeed(eventStore.head());
              if (until === undefined) throw new Error('there are no events');
              const live = await store.openLive();
              await succeed(replay(eventStore, live, { until, signal: running }));

              for (const { event, distance, book, productId, currency } of asked) {
                const near = events[event % events.length];
                const priceBookId = books[book % books.length];
                if (near === undefined || priceBookId === undefined) throw new Error('nothing was created');
                const at = new Date(Date.parse(occurredAt(near)) + distance).toISOString();
                const question = { priceBookId, productId, currency };
                const then = await foldOf(events.filter((one) => occurredAt(one) <= at));
                expect(await priceIn(live, question, at), `${at} ${JSON.stringify(question)}`).to.deep.equal(
                  await priceIn(then, question),
                );
              }

              await live.close();
              const before = await dump();
              await rebuildIn(eventStore, store);
              const rebuilt = await store.openLive();
              await rebuilt.close();
              expect(rebuilt.name).to.not.equal(live.name);
              expect(await dump()).to.deep.equal(before);
            } finally {
              await close();
              await dispose();
            }
          },
        ),
        { numRuns },
      );
    }).timeout(120_000);
  });
};

/** @param runs how many histories. */
export const describeReplayEmbedded = (runs: number): void => {
  describeReplay(
    'embedded',
    (head) => {
      const folder = newFolder();
      const end = async () => succeed(head());
      return Promise.resolve({
        store: embeddedReadModels(folder, { id: 'events', end }, () => undefined),
        dump: () => dumpFolder(folder),
        dispose: () => {
          fs.rmSync(folder, { recursive: true, force: true });
          return Promise.resolve();
        },
      });
    },
    runs,
  );
};

/** @param runs how many histories. */
export const describeReplayOnMongoDb = (runs: number): void => {
  if (mongoDbName === undefined) {
    it(`replays of random histories on MongoDB: ${NO_MONGODB}`);
    return;
  }
  describe('with a server', () => {
    let server: MongoDbUnderTest;
    before(async () => {
      server = await startMongoDb();
    });
    after(() => server.stop());

    describeReplay(
      mongoDbName ?? '',
      async (head) => {
        const database = newDatabase(server);
        const end = async () => succeed(head());
        const store = await openMongoReadModels(database.url, { id: 'events', end });
        return {
          store,
          dump: () => dumpReadModel(database.url),
          dispose: async () => {
            await store.close();
            await database.remove();
          },
        };
      },
      runs,
    );
  });
};
