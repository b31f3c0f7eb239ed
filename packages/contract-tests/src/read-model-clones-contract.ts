/** What every read model has to do with books that are cloned: a part of `describeReadModel`. */
import type { NewClone, PriceBooks, ReadModel } from '@pricebook/application';
import { createInMemoryEventStore } from '@pricebook/application/in-memory';
import { type Currency, noParameters, type PriceBookId, type ProductId } from '@pricebook/domain';
import { expect } from 'chai';
import fc from 'fast-check';
import * as E from 'fp-ts/Either';
import { succeed } from './either';
import { products, quotedAt, randomHistory, startBooks } from './random-history';

const caller = { actor: 'tests', requestId: 'tests' };
const USD = 'USD' as Currency;

/** More products than are looked at together. */
const MANY = 2_100;

interface UnderTest {
  readonly readModel: () => ReadModel;
  readonly runs: number;
}

/** Prices at these instants, or why there is none. */
const pricesOf = (priceBooks: PriceBooks, id: PriceBookId, instants: readonly string[]) =>
  quotedAt(priceBooks, id, instants, (_line, quoted) =>
    E.isRight(quoted) ? quoted.right.price : quoted.left._tag,
  );

export const describeClones = ({ readModel: readModelOf, runs }: UnderTest): void => {
  describe('a clone', () => {
    const start = (eventStore = createInMemoryEventStore()) => {
      const started = startBooks(eventStore, readModelOf());
      const cloneOf = async (source: PriceBookId, given: Partial<NewClone> = {}) => {
        const { priceBook } = await succeed(
          started.priceBooks.clone(source, { name: 'clone', ...given }, caller),
        );
        return priceBook;
      };
      const set = (id: PriceBookId, amounts: ReadonlyMap<string, number>) => {
        const items = [...amounts].map(([productId, amount]) => ({
          productId: productId as ProductId,
          adjustments: { [USD]: { type: 'override', amount } as const },
        }));
        return succeed(started.priceBooks.setPrices(id, { _tag: 'SetProductPrices', items }, caller));
      };
      const create = async (base?: PriceBookId) => {
        const created = await succeed(
          started.priceBooks.create({ name: 'book', description: 'x', basePriceBookId: base }, caller),
        );
        return created.priceBook.priceBookId;
      };
      return { ...started, cloneOf, set, create };
    };

    it('holds as many products as its source does, whatever they are, and is listed with each', async () => {
      const { priceBooks, cloneOf, set, create, close } = start();
      const source = await create();
      const amounts = new Map(Array.from({ length: MANY }, (_, n) => [`p${String(n)}`, n]));
      await set(source, amounts);
      const { priceBookId: id, revision, description, clonedFrom } = await cloneOf(source);
      expect([revision, description]).to.deep.equal([0, 'x']);
      expect(clonedFrom).to.include({ priceBookId: source, revision: 1 });
      const readModel = readModelOf();
      const { items } = await succeed(readModel.listHoldings(id, 5_000));
      expect(items).to.have.length(MANY);
      for (const { productId, cells } of items) {
        expect(cells[USD]?.absolute).to.deep.include({
          adjustment: { type: 'override', amount: amounts.get(productId) },
          revision: 0,
        });
      }
      const of = await succeed(priceBooks.productBooks({ productId: 'p7' as ProductId, limit: 10 }));
      expect(of.books.map(({ priceBook }) => priceBook.priceBookId)).to.deep.equal([source, id]);
      await close();
    });

    it('has its own history: what it began with, and what it was told', async () => {
      const { priceBooks, cloneOf, set, create, close } = start();
      const source = await create();
      await set(source, new Map([['P', 1]]));
      const { priceBookId: id } = await cloneOf(source);
      await set(source, new Map([['P', 2]]));
      // The clock of these tests stands still now and then.
      await set(source, new Map([['Q', 2]]));
      await set(source, new Map([['Q', 3]]));
      await set(id, new Map([['P', 3]]));
      const question = { productId: 'P' as ProductId, currency: USD, parameters: noParameters, limit: 10 };
      const { periods } = await succeed(priceBooks.priceHistory({ priceBookId: id, ...question }));
      const told = periods.map(({ cause, answer }) => [
        cause.type,
        cause.revision,
        E.isRight(answer) ? answer.right.price : answer.left._tag,
      ]);
      expect(told).to.deep.equal([
        ['PriceBookCloned', 0, 1],
        ['ProductPricesSet', 1, 3],
      ]);
      await close();
    });

    it('answers what its source does from then on, flattened or not, whatever the source is told later', async () => {
      // One for all histories, since the read model goes on where it is.
      const eventStore = createInMemoryEventStore();
      await fc.assert(
        fc.asyncProperty(randomHistory, fc.nat(9), fc.boolean(), async (steps, place, flattenBase) => {
          const { priceBooks, books, take, cloneOf, close } = start(eventStore);
          try {
            await take(steps);
            const existing: PriceBookId[] = [];
            for (const book of books) if (E.isRight(await priceBooks.find(book)())) existing.push(book);
            const source = existing[place % existing.length];
            if (source === undefined) return;
            const clone = await cloneOf(source, { flattenBase });
            const since = Date.parse(clone.createdAt);
            const instants = [0, 1, 2, 5, 12, 1_000].map((s) => new Date(since + s * 1_000).toISOString());
            const before = await pricesOf(priceBooks, source, instants);
            expect(await pricesOf(priceBooks, clone.priceBookId, instants)).to.deep.equal(before);
            await priceBooks.deleteEntries(source, products, caller)();
            expect(await pricesOf(priceBooks, clone.priceBookId, instants)).to.deep.equal(before);
            if (!flattenBase) return;
            for (const base of books) {
              if (base !== clone.priceBookId) await priceBooks.deleteEntries(base, products, caller)();
            }
            expect(await pricesOf(priceBooks, clone.priceBookId, instants)).to.deep.equal(before);
          } finally {
            await close();
          }
        }),
        { numRuns: runs },
      );
    }).timeout(120_000);

    it('is not seen before all of it is there, and is done again where it was cut off', async () => {
      const readModel = readModelOf();
      let left = Infinity;
      const failing: ReadModel = {
        ...readModel,
        apply: (changes, ...rest) => {
          if (changes.some((change) => change._tag === 'HoldingsChange' && change.stamp.revision === 0))
            left -= 1;
          return left > 0
            ? readModel.apply(changes, ...rest)
            : () => Promise.resolve(E.left({ _tag: 'StoreUnavailable', reason: 'as the test wants it' }));
        },
      };
      const { priceBooks, books, close } = startBooks(createInMemoryEventStore(), failing);
      expect(books).to.deep.equal([]);
      const { priceBook } = await succeed(priceBooks.create({ name: 'source' }, caller));
      const items = Array.from({ length: MANY }, (_, n) => ({
        productId: `p${String(n)}` as ProductId,
        adjustments: { [USD]: { type: 'override', amount: n } as const },
      }));
      await succeed(priceBooks.setPrices(priceBook.priceBookId, { _tag: 'SetProductPrices', items }, caller));
      left = 2;
      const cloned = await succeed(priceBooks.clone(priceBook.priceBookId, { name: 'clone' }, caller));
      const { priceBookId: id } = cloned.priceBook;
      expect(cloned.projectionBehind).to.equal(true);
      expect(await succeed(readModel.findPriceBook(id))).to.equal(undefined);
      expect(await succeed(readModel.findHoldings(id, 'p1' as ProductId, USD))).to.equal(undefined);
      left = Infinity;
      while ((await succeed(readModel.findPriceBook(id))) === undefined) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const { items: held } = await succeed(readModel.listHoldings(id, 5_000));
      expect(held).to.have.length(MANY);
      await close();
    }).timeout(20_000);
  });
};

/** A history as if the events of every clone had come after all others: instants name what the clones began with. */
export const clonesLast = <A extends { readonly stream: string; readonly type: string }>(
  events: readonly A[],
): readonly A[] => {
  const clones = new Set(events.filter(({ type }) => type === 'PriceBookCloned').map(({ stream }) => stream));
  return [
    ...events.filter(({ stream }) => !clones.has(stream)),
    ...events.filter(({ stream }) => clones.has(stream)),
  ];
};
