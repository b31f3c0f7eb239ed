/** What the contract does not say: whose read model it is, what may be in it, and two who write it at once. */
import { changesOf, type KeptReadModel, type ReadModelChange } from '@pricebook/application';
import { datedOrNot, succeed } from '@pricebook/contract-tests';
import type { Adjustments, Currency, PriceBookEvent, PriceBookId, ProductId } from '@pricebook/domain';
import { expect } from 'chai';
import fc from 'fast-check';
import * as E from 'fp-ts/Either';
import { Collection, MongoNetworkError } from 'mongodb';
import { FIRST, openCollections } from './collections';
import { openMongoReadModel } from './read-model-store';
import { connect } from './server';
import { cutWritesAfter } from './testing/cut-writes';
import { dumpReadModel } from './testing/dump';
import { mongoDbName, type MongoDbUnderTest, newDatabase, startMongoDb } from './testing/server';

const USD = 'USD' as Currency;
const BOOK = '01a1fced-c116-737b-90d3-d0ce7dc012dc' as PriceBookId;
const FAR = 1_000_000n;

const created: PriceBookEvent = {
  type: 'PriceBookCreated',
  data: { name: 'A', description: '', basePriceBookIds: [] },
};
const set = (productId: string, adjustments: Adjustments): PriceBookEvent => ({
  type: 'ProductPricesSet',
  data: { items: [{ productId: productId as ProductId, adjustments }] },
});
const override = (amount: number): Adjustments => ({ [USD]: { type: 'override', amount } });

/** The changes of a book's events, an array each. */
const historyOf = (events: readonly PriceBookEvent[]): readonly (readonly ReadModelChange[])[] =>
  events.map((event, revision) => {
    const occurredAt = new Date(Date.UTC(2026, 0, 1, 0, 0, revision)).toISOString();
    return changesOf(BOOK, event, { revision, occurredAt, actor: 'a' });
  });

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (failure: unknown) => failure,
  );

const describeIfThere = mongoDbName === undefined ? describe.skip : describe;

describeIfThere(`the read model on ${mongoDbName ?? 'MongoDB'}`, () => {
  let server: MongoDbUnderTest;
  let database: ReturnType<typeof newDatabase>;
  const opened: KeptReadModel[] = [];

  before(async () => {
    server = await startMongoDb();
  });
  after(() => server.stop());
  beforeEach(() => {
    database = newDatabase(server);
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
    await database.remove();
  });

  const open = async (id: string | undefined = 'events', end: bigint | undefined = FAR) => {
    const readModel = await openMongoReadModel(database.url, { id, end: () => Promise.resolve(end) });
    opened.push(readModel);
    return readModel;
  };

  describe('whose it is', () => {
    it('refuses a database that holds what was made of other events', async () => {
      await open('some events');
      expect(await failureOf(open('other events'))).to.have.property('name', 'ForeignReadModel');
      await open('some events');
    });

    it('refuses one that has come further than the events, or was made of events that are gone', async () => {
      const readModel = await open();
      await succeed(readModel.apply([], 7n));
      expect(await failureOf(open('events', 6n))).to.have.property('name', 'ForeignReadModel');
      expect(
        await failureOf(
          openMongoReadModel(database.url, { id: undefined, end: () => Promise.resolve(undefined) }),
        ),
      ).to.have.property('name', 'ForeignReadModel');
      await open('events', 7n);
    });

    it('takes a database that was opened before there were events', async () => {
      await openMongoReadModel(database.url, { id: undefined, end: () => Promise.resolve(undefined) }).then(
        (readModel) => opened.push(readModel),
      );
      await open('first events');
      expect(await failureOf(open('other events'))).to.have.property('name', 'ForeignReadModel');
    });

    it('is claimed once by processes that start together', async () => {
      const outcomes = await Promise.all(Array.from({ length: 6 }, () => failureOf(open())));
      expect(outcomes.filter((failure) => failure !== undefined)).to.deep.equal([]);
    });
  });

  it('makes the indexes that its questions need, and finds them there the next time', async () => {
    const connected = await connect(database.url);
    try {
      for (let time = 0; time < 2; time += 1) {
        const { current, history, requests } = await openCollections(connected, FIRST);
        const keysOf = async (collection: { indexes: () => Promise<readonly { key: unknown }[]> }) =>
          (await collection.indexes()).map(({ key }) =>
            Object.entries(key as object)
              .flat()
              .join(' '),
          );
        expect(await keysOf(current)).to.include.members(['book 1 holder 1', 'state.basePriceBookId 1']);
        expect(await keysOf(history)).to.include('book 1 holder 1 currency 1 occurredAt -1 revision -1');
        expect(await keysOf(requests)).to.include('state.occurredAt 1');
      }
    } finally {
      await connected.close();
    }
  });

  it('takes no changes that follow others which it does not have', async () => {
    const readModel = await open();
    const [first = [], second = []] = historyOf([created, set('P', override(1))]);
    await succeed(readModel.apply(first, 1n));
    expect(await readModel.apply(second, 3n, 2n)()).to.have.nested.property('left._tag', 'StoreUnavailable');
    expect(await succeed(readModel.checkpoint())).to.equal(1n);
    await succeed(readModel.apply(second, 3n, 1n));
    expect(await succeed(readModel.checkpoint())).to.equal(3n);
  });

  it('drops the requests that are too old, some at a time', async () => {
    const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();
    const update = (key: string, occurredAt: string) =>
      changesOf(BOOK, created, { revision: 0, occurredAt, actor: 'a' }, { key, request: 'r' });
    const countAfter = async (...changes: readonly (readonly ReadModelChange[])[]): Promise<number> => {
      await succeed((await open()).apply(changes.flat(), 1n));
      return Object.keys((await dumpReadModel(database.url))['requests'] ?? {}).length;
    };
    const many = Array.from({ length: 1_100 }, (_, n) => update(String(n), hoursAgo(24)));
    expect(await countAfter(update('old', hoursAgo(49)), ...many)).to.equal(1_100);
    const real = Date.now;
    Date.now = () => real() + 25 * 3_600_000;
    try {
      expect(await countAfter(update('7', hoursAgo(0)))).to.equal(100);
      expect(await countAfter(update('8', hoursAgo(0)))).to.equal(2);
    } finally {
      Date.now = real;
    }
  }).timeout(60_000);

  it('keeps text of users in values and names of documents, never in names of fields', async () => {
    const readModel = await open();
    const ids = ['$where', 'a.b', '__proto__', 'constructor', '{"$gt":""}', 'state.revision', '*', 'USD/P'];
    const [creation = [], ...settings] = historyOf([created, ...ids.map((id, n) => set(id, override(n)))]);
    await succeed(readModel.apply([...creation, ...settings.flat()], 1n));
    for (const [amount, id] of ids.entries()) {
      const [held] = (await succeed(readModel.findHoldings(BOOK, id as ProductId, USD))) ?? [];
      expect(held?.product?.absolute?.adjustment).to.deep.equal({ type: 'override', amount });
    }
    const names = new Set<string>();
    const collect = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      for (const [name, inner] of Object.entries(value)) {
        names.add(name);
        collect(inner);
      }
    };
    for (const documents of Object.values(await dumpReadModel(database.url))) {
      Object.values(documents).forEach(collect);
    }
    expect(ids.filter((id) => names.has(id))).to.deep.equal([]);
  });

  it('takes a product whose currencies together are more than a document may be', async () => {
    const readModel = await open();
    const values = Array.from({ length: 1_000 }, (_, n) => ({
      value: `${String(n)} ${'x'.repeat(900)}`,
      unitPrice: n,
    }));
    const table = { type: 'enum', property: 'colour', values } as unknown as Adjustments[Currency];
    const currencies =
      'AED AUD BRL CAD CHF CNY CZK DKK EUR GBP HUF INR JPY KRW MXN NOK NZD PLN SEK USD'.split(' ');
    const history = historyOf([
      created,
      ...currencies.map((currency) => set('P', { [currency as Currency]: table })),
    ]);
    for (const [index, changes] of history.entries())
      await succeed(readModel.apply(changes, BigInt(index + 1)));
    for (const currency of currencies) {
      const [held] =
        (await succeed(readModel.findHoldings(BOOK, 'P' as ProductId, currency as Currency))) ?? [];
      expect(held?.product?.absolute?.adjustment).to.deep.equal(table);
    }
  }).timeout(20_000);

  describe('whatever is cut off, or comes twice', () => {
    const products = [0, 1, 2];
    const currencies = ['USD', 'EUR', 'JPY'] as Currency[];
    const percents = fc.nat(99).map((amount) => ({ type: 'percent' as const, amount }));
    const adjustment = fc.oneof(
      fc.nat(99).map((amount) => ({ type: 'override' as const, amount })),
      percents,
      fc.constant({ type: 'null' as const, amount: null }),
    );
    const event: fc.Arbitrary<PriceBookEvent> = fc.oneof(
      {
        weight: 4,
        arbitrary: fc
          .tuple(
            fc.constantFrom(...products),
            fc.dictionary(fc.constantFrom(...currencies), datedOrNot(adjustment, 15), { minKeys: 1 }),
          )
          .map(([n, adjustments]) => set(`P${String(n)}`, adjustments)),
      },
      fc.constantFrom(...products).map((n): PriceBookEvent => ({
        type: 'PriceBookEntriesDeleted',
        data: { productIds: [`P${String(n)}` as ProductId] },
      })),
      fc
        .tuple(fc.constantFrom(...currencies), datedOrNot(percents, 15))
        .map(([currency, asked]): PriceBookEvent => ({
          type: 'AllProductsAdjusted',
          data: { adjustments: { [currency]: asked } },
        })),
      fc.nat(99).map((n): PriceBookEvent => ({ type: 'PriceBookUpdated', data: { name: String(n) } })),
    );
    const histories = fc
      .array(event, { minLength: 4, maxLength: 14 })
      .map((events) => historyOf([created, ...events]));

    /** What a read model is that gets every change once and in order. */
    const inOrder = async (history: ReturnType<typeof historyOf>): Promise<unknown> => {
      const alone = newDatabase(server);
      const readModel = await openMongoReadModel(alone.url, {
        id: 'events',
        end: () => Promise.resolve(FAR),
      });
      try {
        for (const [index, changes] of history.entries()) {
          await succeed(readModel.apply(changes, BigInt(index + 1)));
        }
        return await dumpReadModel(alone.url);
      } finally {
        await readModel.close();
        await alone.remove();
      }
    };

    /** Applies batches from the checkpoint on, as a projector does; tells whether it came to the end. */
    const project = async (
      readModel: KeptReadModel,
      history: ReturnType<typeof historyOf>,
      size: number,
    ): Promise<boolean> => {
      let from = Number((await succeed(readModel.checkpoint())) ?? 0n);
      while (from < history.length) {
        const batch = history.slice(from, from + size);
        from += batch.length;
        if (E.isLeft(await readModel.apply(batch.flat(), BigInt(from))())) return false;
      }
      return true;
    };

    it('is what it is without, where any command fails before or after it was carried out', async () => {
      const methods = ['insertMany', 'bulkWrite', 'updateOne', 'deleteMany'] as const;
      const prototype = Collection.prototype as unknown as Record<
        (typeof methods)[number],
        (...args: unknown[]) => Promise<unknown>
      >;
      const originals = methods.map((name) => [name, prototype[name]] as const);
      let untilFailure = Infinity;
      let failsAfter = false;
      for (const [name, original] of originals) {
        prototype[name] = async function (this: unknown, ...args: unknown[]) {
          untilFailure -= 1;
          if (untilFailure === 0 && !failsAfter) throw new MongoNetworkError('cut off');
          const result = await original.apply(this, args);
          if (untilFailure === 0 && failsAfter) throw new MongoNetworkError('cut off');
          return result;
        };
      }
      try {
        await fc.assert(
          fc.asyncProperty(
            histories,
            fc.integer({ min: 1, max: 8 }),
            fc.boolean(),
            async (history, size, after) => {
              untilFailure = Infinity;
              failsAfter = after;
              const expected = await inOrder(history);
              for (let k = 1; ; k += 1) {
                const cut = newDatabase(server);
                const readModel = await openMongoReadModel(cut.url, {
                  id: 'events',
                  end: () => Promise.resolve(FAR),
                });
                try {
                  untilFailure = k;
                  const isWhole = await project(readModel, history, size);
                  untilFailure = Infinity;
                  expect(await project(readModel, history, size + 1)).to.equal(true);
                  expect(await dumpReadModel(cut.url), `cut off at command ${String(k)}`).to.deep.equal(
                    expected,
                  );
                  if (isWhole) return;
                } finally {
                  untilFailure = Infinity;
                  await readModel.close();
                  await cut.remove();
                }
              }
            },
          ),
          { numRuns: 8 },
        );
      } finally {
        for (const [name, original] of originals) prototype[name] = original;
      }
    }).timeout(120_000);

    it('is what it is without, where changes that come late are cut off', async () => {
      const all = (adjustments: object): PriceBookEvent =>
        ({ type: 'AllProductsAdjusted', data: { adjustments } }) as PriceBookEvent;
      const percent = (amount: number) => ({ type: 'percent' as const, amount });
      const nothing = { type: 'null' as const, amount: null };
      const [first, ofAll, ofProduct, laterOfAll, laterOfProduct] = historyOf([
        created,
        all({ EUR: percent(5) }),
        set('P0', {
          EUR: { type: 'override', amount: 7 },
          USD: { type: 'override', amount: 3 },
          JPY: [
            { type: 'override', amount: 4 },
            { type: 'override', amount: 5, validFrom: '2027-01-01T00:00:00.000Z' },
          ],
        } as Adjustments),
        all({ USD: percent(10), EUR: nothing }),
        set('P0', { EUR: percent(20), USD: nothing, JPY: percent(30) } as Adjustments),
      ]) as [ReadModelChange[], ReadModelChange[], ReadModelChange[], ReadModelChange[], ReadModelChange[]];
      const expected = await inOrder([first, ofAll, ofProduct, laterOfAll, laterOfProduct]);
      const late = [...ofAll, ...ofProduct];
      let isWhole = false;
      for (let writes = 0; !isWhole; writes += 1) {
        const cut = newDatabase(server);
        const readModel = await openMongoReadModel(cut.url, {
          id: 'events',
          end: () => Promise.resolve(FAR),
        });
        try {
          await succeed(readModel.apply([...first, ...laterOfAll, ...laterOfProduct], 1n));
          const letAll = cutWritesAfter(writes);
          isWhole = E.isRight(await readModel.apply(late, 5n)().finally(letAll));
          await succeed(readModel.apply(late, 5n));
          expect(await dumpReadModel(cut.url), `cut off after ${String(writes)} writes`).to.deep.equal(
            expected,
          );
        } finally {
          await readModel.close();
          await cut.remove();
        }
      }
    }).timeout(60_000);

    it('is what it is without, where two processes apply the same, each in its own batches', async () => {
      await fc.assert(
        fc.asyncProperty(
          histories,
          fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 5 })), { minLength: 40, maxLength: 40 }),
          async (history, turns) => {
            const shared = newDatabase(server);
            const source = { id: 'events', end: () => Promise.resolve(FAR) };
            const both = [
              await openMongoReadModel(shared.url, source),
              await openMongoReadModel(shared.url, source),
            ];
            try {
              const at = [0, 0];
              for (const [isFirst, size] of turns) {
                const n = isFirst ? 0 : 1;
                const from = at[n] ?? 0;
                const batch = history.slice(from, from + size);
                if (batch.length === 0) continue;
                at[n] = from + batch.length;
                const readModel = both[n];
                if (readModel !== undefined)
                  await succeed(readModel.apply(batch.flat(), BigInt(from + batch.length)));
              }
              const [last] = both;
              if (last !== undefined) expect(await project(last, history, 3)).to.equal(true);
              expect(await dumpReadModel(shared.url)).to.deep.equal(await inOrder(history));
            } finally {
              for (const one of both) await one.close();
              await shared.remove();
            }
          },
        ),
        { numRuns: 30 },
      );
    }).timeout(120_000);

    it('is what it is without, where two processes apply the same at once', async () => {
      await fc.assert(
        fc.asyncProperty(histories, async (history) => {
          const shared = newDatabase(server);
          const source = { id: 'events', end: () => Promise.resolve(FAR) };
          const both = [
            await openMongoReadModel(shared.url, source),
            await openMongoReadModel(shared.url, source),
          ];
          try {
            await Promise.all(both.map((readModel, n) => project(readModel, history, n + 1)));
            await Promise.all(both.map((readModel) => project(readModel, history, 1)));
            expect(await dumpReadModel(shared.url)).to.deep.equal(await inOrder(history));
          } finally {
            for (const one of both) await one.close();
            await shared.remove();
          }
        }),
        { numRuns: 30 },
      );
    }).timeout(120_000);
  });
});
