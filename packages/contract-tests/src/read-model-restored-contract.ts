/** What every read model has to do with a book that was deleted and restored: a part of `describeReadModel`. */
import { changesOf, type PriceBooks, type ReadModel, type ReadModelChange } from '@pricebook/application';
import { createInMemoryEventStore } from '@pricebook/application/in-memory';
import { type Currency, type PriceBookEvent, type PriceBookId, type ProductId } from '@pricebook/domain';
import { expect } from 'chai';
import fc from 'fast-check';
import * as E from 'fp-ts/Either';
import { v7 } from 'uuid';
import { instant } from './dated-adjustments';
import { succeed } from './either';
import { currencies, products, quotedAt, randomHistory, startBooks } from './random-history';

const USD = 'USD' as Currency;
const P = 'P' as ProductId;

const created = (basePriceBookIds: readonly PriceBookId[] = []): PriceBookEvent => ({
  type: 'PriceBookCreated',
  data: { name: 'A', description: '', basePriceBookIds, key: 'a', metadata: { owner: 'x' } },
});
const set = (amount: number): PriceBookEvent => ({
  type: 'ProductPricesSet',
  data: { items: [{ productId: P, adjustments: { [USD]: { type: 'override', amount } } }] },
});
const setAll: PriceBookEvent = {
  type: 'AllProductsAdjusted',
  data: { adjustments: { [USD]: { type: 'percent', amount: 5 } } },
};
const deleted: PriceBookEvent = { type: 'PriceBookDeleted', data: {} };
const restored: PriceBookEvent = { type: 'PriceBookRestored', data: {} };

/** The events of a book happen a second apart. */
const timeOf = (revision: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, revision)).toISOString();
const stampOf = (revision: number) => ({ revision, occurredAt: timeOf(revision), actor: 'key' });

const caller = { actor: 'tests', requestId: 'tests' };
/** After everything that it plans. */
const LATER = instant(1_000);

const NO_PRICE = ['NoListPrice'];

/** The prices of a book at these instants, or why there is none. */
const pricesOf = (priceBooks: PriceBooks, id: PriceBookId, instants: readonly string[]) =>
  quotedAt(priceBooks, id, instants, (_line, quoted) =>
    E.isRight(quoted) ? [quoted.right.price, quoted.right.effectiveDate] : [quoted.left._tag],
  );

interface UnderTest {
  readonly readModel: () => ReadModel;
  readonly apply: (changes: readonly ReadModelChange[]) => Promise<void>;
  readonly runs: number;
}

export const describeRestored = ({ readModel: readModelOf, apply, runs }: UnderTest): void => {
  describe('a book that was deleted and restored', () => {
    let readModel: ReadModel;

    beforeEach(() => {
      readModel = readModelOf();
    });

    const applyEvents = async (id: PriceBookId, events: readonly PriceBookEvent[], from = 0) => {
      for (const [index, event] of events.entries()) {
        await apply(changesOf(id, event, stampOf(from + index)));
      }
    };

    const given = async (...events: readonly PriceBookEvent[]): Promise<PriceBookId> => {
      const id = v7() as PriceBookId;
      await applyEvents(id, events);
      return id;
    };

    const listPlaces = async () =>
      (
        await Promise.all(
          (['createdAt', 'name', 'updatedAt'] as const).map((by) =>
            succeed(readModel.listPriceBooks(100, undefined, { by, isDescending: false })),
          ),
        )
      ).map(({ items }) => items.map(({ priceBookId }) => priceBookId));

    const now = async (id: PriceBookId) => ({
      view: await succeed(readModel.findPriceBook(id)),
      holdings: await succeed(readModel.findHoldings(id, P, USD)),
      many: await succeed(readModel.findManyHoldings(id, [{ productId: P, currency: USD }])),
      allProducts: await succeed(readModel.findAllProducts(id)),
      byKey: await succeed(readModel.findByKey('a')),
      count: await succeed(readModel.countPriceBooks()),
      lists: await listPlaces(),
      ofProduct: await succeed(readModel.listBooksOfProduct(P, 100)),
    });

    it('is what it was, at its new revision', async () => {
      const id = await given(created(), set(1), setAll);
      const before = await now(id);
      expect(before.view?.key).to.equal('a');
      await applyEvents(id, [deleted, restored], 3);
      const { revision, occurredAt: updatedAt } = stampOf(4);
      expect(await now(id)).to.deep.equal({
        ...before,
        view: { ...before.view, revision, updatedAt },
        allProducts: { ...before.allProducts, revision },
      });
    });

    it('has the prices that it had, at every instant, and none while it was deleted', async () => {
      const eventStore = createInMemoryEventStore();
      let compared = 0;
      const property = fc.asyncProperty(randomHistory, async (steps) => {
        const { take, books, priceBooks, close } = startBooks(eventStore, readModel);
        try {
          await take(steps);
          // The events of the history took as many seconds at most.
          const instants = [...Array(steps.length).keys()].map(instant);
          const before = new Map<PriceBookId, readonly unknown[]>();
          const deletedAt = new Map<PriceBookId, string>();
          for (const id of books) {
            if (E.isRight(await priceBooks.find(id)())) {
              before.set(id, await pricesOf(priceBooks, id, [...instants, LATER]));
            }
          }
          // None is deleted while it is the base of another.
          for (const id of [...before.keys()].toReversed()) {
            deletedAt.set(id, (await succeed(priceBooks.delete(id, caller))).updatedAt);
          }
          for (const [id, expected] of before) {
            const { priceBook } = await succeed(priceBooks.restore(id, {}, caller));
            const at = deletedAt.get(id) ?? '';
            const past = instants.filter((one) => one < at);
            const unchanged = expected.slice(0, past.length * products.length * currencies.length);
            expect(await pricesOf(priceBooks, id, past)).to.deep.equal(unchanged);
            expect(await pricesOf(priceBooks, id, [LATER])).to.deep.equal(
              expected.slice(-products.length * currencies.length),
            );
            if (at === priceBook.updatedAt) continue;
            compared += 1;
            for (const price of await pricesOf(priceBooks, id, [at])) expect(price).to.deep.equal(NO_PRICE);
          }
        } finally {
          await close();
        }
      });
      await fc.assert(property, { numRuns: Math.ceil(runs / 4) });
      expect(compared).to.be.greaterThan(0);
    }).timeout(120_000);

    it('is found deleted while it is, as it was then', async () => {
      const id = await given(created());
      expect(await succeed(readModel.findDeletedPriceBook(id))).to.equal(undefined);
      const view = await succeed(readModel.findPriceBook(id));
      await applyEvents(id, [deleted], 1);
      const { revision, occurredAt: updatedAt } = stampOf(1);
      expect(await succeed(readModel.findDeletedPriceBook(id))).to.deep.equal({
        ...view,
        revision,
        updatedAt,
      });
      await applyEvents(id, [restored], 2);
      expect(await succeed(readModel.findDeletedPriceBook(id))).to.equal(undefined);
      expect(await succeed(readModel.findDeletedPriceBook(v7() as PriceBookId))).to.equal(undefined);
    });

    it('has the key that it was given then', async () => {
      const keyed: PriceBookEvent = { type: 'PriceBookRestored', data: { key: 'b' } };
      const id = await given(created(), deleted, keyed);
      expect(await succeed(readModel.findByKey('b'))).to.equal(id);
      expect(await succeed(readModel.findByKey('a'))).to.equal(undefined);
      const bare: PriceBookEvent = { type: 'PriceBookRestored', data: { key: null } };
      await applyEvents(id, [deleted, bare], 3);
      expect(await succeed(readModel.findByKey('b'))).to.equal(undefined);
      expect((await succeed(readModel.findPriceBook(id)))?.key).to.equal(null);
    });

    it('held nothing in between, nor did a book that is based on it get anything of it', async () => {
      const id = await given(created(), set(1), deleted, restored, set(2), deleted, restored);
      const derived = await given(created([id]));
      const amountsAt = async (second: number) => {
        const chains = await Promise.all([
          succeed(readModel.findHoldings(id, P, USD, timeOf(second))),
          succeed(readModel.findHoldings(derived, P, USD, timeOf(second))),
        ]);
        return chains.map((chain) => {
          const amount = chain?.at(-1)?.product?.absolute?.adjustment;
          return amount?.type === 'override' ? amount.amount : undefined;
        });
      };
      const nothing = [undefined, undefined];
      const seen = await Promise.all([1, 2, 3, 4, 5, 6].map(amountsAt));
      expect(seen).to.deep.equal([[1, 1], nothing, [1, 1], [2, 2], nothing, [2, 2]]);
    });

    it('is among the books that have a base as theirs, and can be a base', async () => {
      const base = await given(created());
      const id = await given(created([base]), deleted);
      expect(await succeed(readModel.findDerivedPriceBooks(base, 9))).to.deep.equal([]);
      await applyEvents(id, [restored], 2);
      expect(await succeed(readModel.findDerivedPriceBooks(base, 9))).to.deep.equal([id]);
    });

    it('tells when it went and came back', async () => {
      const id = await given(created(), set(1), deleted, restored);
      const history = await succeed(readModel.findHoldingsHistory(id, P, USD, undefined, 9));
      expect(history?.[0].lifecycle).to.deep.equal([
        { type: 'PriceBookDeleted', ...stampOf(2) },
        { type: 'PriceBookRestored', ...stampOf(3) },
      ]);
    });

    it('is what it is by its last event, in whatever order they come', async () => {
      const events = [created(), set(1), deleted, restored, setAll, deleted];
      const id = await given(...events, restored);
      const last = await succeed(readModel.findPriceBook(id));
      for (const [index, event] of [...events.entries()].toReversed()) {
        await apply(changesOf(id, event, stampOf(index)));
      }
      expect(await succeed(readModel.findPriceBook(id))).to.deep.equal(last);
      const other = v7() as PriceBookId;
      for (const [index, event] of [...events.entries(), [6, restored] as const].toReversed()) {
        await apply(changesOf(other, event, stampOf(index)));
      }
      expect(await succeed(readModel.findPriceBook(other))).to.deep.equal({ ...last, priceBookId: other });
    });
  });
};
