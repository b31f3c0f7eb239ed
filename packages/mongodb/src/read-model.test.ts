/** What the contract does not say: whose read model it is, what may be in it, and two who write it at once. */
import { changesOf, type ReadModelChange } from '@pricebook/application';
import { succeed } from '@pricebook/contract-tests';
import type { Adjustments, Currency, PriceBookEvent, PriceBookId, ProductId } from '@pricebook/domain';
import { expect } from 'chai';
import { type MongoReadModel, openMongoReadModel } from './read-model';
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
  const opened: MongoReadModel[] = [];

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

  it('is the same where two processes apply the same events at once, each in its own batches', async () => {
    const events = Array.from({ length: 300 }, (_, n): PriceBookEvent => {
      if (n === 0) return created;
      if (n % 17 === 0)
        return { type: 'PriceBookEntriesDeleted', data: { productIds: [`P${String(n % 5)}` as ProductId] } };
      if (n % 13 === 0)
        return {
          type: 'AllProductsAdjusted',
          data: { adjustments: { [USD]: { type: 'percent', amount: n } } },
        };
      return set(`P${String(n % 5)}`, n % 3 === 0 ? { [USD]: { type: 'percent', amount: n } } : override(n));
    });
    const history = historyOf(events);
    const applyAll = async (readModel: MongoReadModel, most: number): Promise<void> => {
      for (let from = 0; from < history.length;) {
        const count = 1 + Math.floor(Math.random() * most);
        const batch = history.slice(from, from + count);
        from += batch.length;
        await succeed(readModel.apply(batch.flat(), BigInt(from)));
      }
    };
    const [first, second] = [await open(), await open()];
    await Promise.all([applyAll(first, 20), applyAll(second, 7)]);
    const found = await dumpReadModel(database.url);

    const alone = newDatabase(server);
    try {
      const readModel = await openMongoReadModel(alone.url, {
        id: 'events',
        end: () => Promise.resolve(FAR),
      });
      for (const [index, changes] of history.entries())
        await succeed(readModel.apply(changes, BigInt(index + 1)));
      await readModel.close();
      expect(found).to.deep.equal(await dumpReadModel(alone.url));
    } finally {
      await alone.remove();
    }
  }).timeout(60_000);
});
