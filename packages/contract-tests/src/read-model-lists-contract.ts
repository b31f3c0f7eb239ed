/** What every read model has to do for lists: the same order everywhere, and a page from wherever it begins. */
import { changesOf, type PriceBooks, type ReadModelChange } from '@pricebook/application';
import type { Currency, PriceBookEvent, PriceBookId, ProductId } from '@pricebook/domain';
import { expect } from 'chai';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { describeBookLists } from './book-lists-contract';
import { instant } from './dated-adjustments';
import { succeed } from './either';
import {
  allProductsRequest,
  copyPrices,
  currencies,
  differences,
  LAST_SECOND,
  parametersTried,
  productRequest,
  request,
} from './price-copies';
import { startBooks } from './random-history';
import type { ReadModelUnderTest } from './read-model-contract';

const [USD, EUR] = ['USD', 'EUR'] as [Currency, Currency];
/** In the order of code points; that of JavaScript's own units has the last two the other way round. */
const ordered = ['-', 'P', 'PP', 'a', 'ü', '\uff5e', '🎈'] as ProductId[];

const created: PriceBookEvent = {
  type: 'PriceBookCreated',
  data: { name: 'A', description: '', basePriceBookIds: [] },
};
const set = (currency: Currency, amount: number, ...ids: readonly ProductId[]): PriceBookEvent => ({
  type: 'ProductPricesSet',
  data: {
    items: ids.map((productId) => ({ productId, adjustments: { [currency]: { type: 'override', amount } } })),
  },
});
const removed = (...ids: readonly ProductId[]): PriceBookEvent => ({
  type: 'PriceBookEntriesDeleted',
  data: { productIds: ids },
});
const percent = (amount: number): PriceBookEvent => ({
  type: 'AllProductsAdjusted',
  data: { adjustments: { [USD]: { type: 'percent', amount } } },
});
const deleted: PriceBookEvent = { type: 'PriceBookDeleted', data: {} };

const newId = (): PriceBookId => v7() as PriceBookId;
const caller = { actor: 'tests', requestId: 'tests' };

/** @param runs how many random books each property is tried with. */
export const describeReadModelLists = (
  name: string,
  create: () => Promise<ReadModelUnderTest>,
  { runs = 150 }: { readonly runs?: number } = {},
): void => {
  // What has been found is said before the test runs out of time.
  const options = { numRuns: runs, interruptAfterTimeLimit: 90_000 };

  describe(`lists of the read model: ${name}`, () => {
    let underTest: ReadModelUnderTest;
    let position = 0n;

    beforeEach(async () => {
      underTest = await create();
    });
    afterEach(() => underTest.dispose());

    const given = async (id: PriceBookId, ...events: readonly PriceBookEvent[]): Promise<PriceBookId> => {
      const changes = events.flatMap((event, revision): readonly ReadModelChange[] => {
        const occurredAt = new Date(Date.UTC(2026, 0, 1, 0, 0, revision)).toISOString();
        return changesOf(id, event, { revision, occurredAt, actor: 'key' });
      });
      await succeed(underTest.readModel.apply(changes, (position += 1n)));
      return id;
    };

    describe('price books', () => {
      const list = async (limit: number, from?: PriceBookId) => {
        const place = from && { priceBookId: from };
        const { items, next } = await succeed(underTest.readModel.listPriceBooks(limit, place));
        return { ids: items.map(({ priceBookId }) => priceBookId), next: next?.priceBookId };
      };

      it('come from the oldest on, as many as are asked for, and say where the list goes on', async () => {
        const [first, second, third, fourth] = [newId(), newId(), newId(), newId()] as const;
        for (const id of [third, first, fourth, second]) await given(id, created);
        expect(await list(4)).to.deep.equal({ ids: [first, second, third, fourth], next: undefined });
        expect(await list(100)).to.deep.equal({ ids: [first, second, third, fourth], next: undefined });
        expect(await list(3)).to.deep.equal({ ids: [first, second, third], next: fourth });
        expect(await list(2, second)).to.deep.equal({ ids: [second, third], next: fourth });
        expect(await list(2, third)).to.deep.equal({ ids: [third, fourth], next: undefined });
        expect(await list(2, newId())).to.deep.equal({ ids: [], next: undefined });
      });

      it('that are deleted are passed over, and count among those that were looked at', async () => {
        const [first, second, third] = [newId(), newId(), newId()] as const;
        await given(first, created, deleted);
        await given(second, created, deleted);
        await given(third, created);
        expect(await list(2)).to.deep.equal({ ids: [], next: third });
        expect(await list(3)).to.deep.equal({ ids: [third], next: undefined });
        expect(await list(1, second)).to.deep.equal({ ids: [], next: third });
      });

      it('are none where there are none', async () => {
        expect(await list(1)).to.deep.equal({ ids: [], next: undefined });
      });
    });

    describeBookLists(() => underTest.readModel, runs);

    describe('what products hold', () => {
      const list = async (id: PriceBookId, limit: number, from?: ProductId, currency?: Currency) => {
        const { items, next } = await succeed(underTest.readModel.listHoldings(id, limit, from, currency));
        return { ids: items.map(({ productId }) => productId), next };
      };

      it('comes by product id in the order of code points, from anywhere on', async () => {
        const id = await given(newId(), created, set(USD, 1, ...ordered.slice(3), ...ordered.slice(0, 3)));
        for (const currency of [undefined, USD]) {
          expect(await list(id, 7, undefined, currency)).to.deep.equal({ ids: ordered, next: undefined });
          for (const [place, from] of ordered.entries()) {
            expect(await list(id, 2, from, currency)).to.deep.equal({
              ids: ordered.slice(place, place + 2),
              next: ordered[place + 2],
            });
          }
          const between = 'PA' as ProductId;
          expect(await list(id, 2, between, currency)).to.deep.equal({ ids: ['PP', 'a'], next: 'ü' });
          expect(await list(id, 2, '🎈🎈' as ProductId, currency)).to.deep.equal({
            ids: [],
            next: undefined,
          });
        }
      });

      it('has all that a product holds, in whatever currency, and what was taken away', async () => {
        const [P, Q] = ['P', 'Q'] as [ProductId, ProductId];
        const id = await given(newId(), created, set(USD, 1, P, Q), set(EUR, 2, P), removed(Q), percent(5));
        const { items } = await succeed(underTest.readModel.listHoldings(id, 10));
        expect(items.map(({ productId }) => productId)).to.deep.equal([P, Q]);
        expect(items[0]?.cells[USD]?.absolute?.adjustment).to.deep.equal({ type: 'override', amount: 1 });
        expect(items[0]?.cells[EUR]?.absolute).to.deep.include({ revision: 2, actor: 'key' });
        expect(items[1]?.cells[USD]?.removed?.revision).to.equal(3);
        const inEur = await succeed(underTest.readModel.listHoldings(id, 10, undefined, EUR));
        expect(inEur.items.filter(({ cells }) => cells[EUR] !== undefined)).to.have.length(1);
      });

      it('is of one book alone', async () => {
        const [first, second, third] = [newId(), newId(), newId()] as const;
        for (const [index, id] of [first, second, third].entries()) {
          await given(id, created, set(USD, 1, `P${String(index)}` as ProductId));
        }
        for (const currency of [undefined, USD]) {
          expect(await list(first, 9, undefined, currency)).to.deep.equal({ ids: ['P0'], next: undefined });
          expect(await list(second, 9, undefined, currency)).to.deep.equal({ ids: ['P1'], next: undefined });
        }
        expect(await list(newId(), 9)).to.deep.equal({ ids: [], next: undefined });
      });
    });

    describe('what a book holds for all products', () => {
      const find = (id: PriceBookId) => succeed(underTest.readModel.findAllProducts(id));

      it('comes with the revision that it is of', async () => {
        const id = await given(newId(), created, percent(5), set(USD, 1, 'P' as ProductId), percent(7));
        const { revision, cells } = (await find(id)) ?? {};
        expect(revision).to.equal(3);
        expect(cells?.[USD]?.relative).to.deep.include({ revision: 3, actor: 'key' });
        expect(cells?.[USD]?.relative?.adjustment).to.deep.equal({ type: 'percent', amount: 7 });
      });

      it('is empty in a new book, and not there without a book', async () => {
        expect(await find(await given(newId(), created))).to.deep.equal({ revision: 0, cells: {} });
        expect(await find(await given(newId(), created, percent(5), deleted))).to.equal(undefined);
        expect(await find(newId())).to.equal(undefined);
      });
    });

    describe('as they are used', () => {
      let books: ReturnType<typeof startBooks>;
      let priceBooks: PriceBooks;
      /** The clock moves where a test says so. */
      let second: number;
      beforeEach(() => {
        second = 0;
        books = startBooks(undefined, underTest.readModel, { now: () => instant(second) });
        ({ priceBooks } = books);
      });
      afterEach(() => books.close());

      const createBook = async (basePriceBookId?: PriceBookId): Promise<PriceBookId> => {
        const { priceBook } = await succeed(priceBooks.create({ name: 'A', basePriceBookId }, caller));
        return priceBook.priceBookId;
      };

      /** All pages of a book. */
      const pagesOf = async (
        priceBookId: PriceBookId,
        limit: number,
        currency?: Currency,
        between: () => Promise<unknown> = () => Promise.resolve(),
      ) => {
        const pages: (readonly { readonly productId: ProductId }[])[] = [];
        for (let from: ProductId | undefined; ;) {
          const page = await succeed(priceBooks.ownPrices({ priceBookId, limit, from, currency }));
          expect(page.products.length).to.be.at.most(limit);
          pages.push(page.products);
          if (page.next === undefined) return pages.flat();
          from = page.next;
          await between();
        }
      };

      it('a book that is listed and set again, into an empty one of the same base, gives the same prices', async () => {
        const step = fc.record({
          place: fc.constantFrom(0 as const, 0 as const, 1 as const, 2 as const),
          pause: fc.integer({ min: 0, max: 3 }),
          asked: fc.oneof(
            { weight: 3, arbitrary: productRequest },
            { weight: 1, arbitrary: allProductsRequest },
          ),
        });
        await fc.assert(
          fc.asyncProperty(
            fc.array(step, { minLength: 6, maxLength: 20 }),
            fc.integer({ min: 1, max: 6 }),
            parametersTried,
            fc.uniqueArray(fc.integer({ min: 0, max: LAST_SECOND + 1 }), { maxLength: 4 }),
            async (steps, limit, tried, seconds) => {
              second = 0;
              const root = await createBook();
              const middle = await createBook(root);
              const leaf = await createBook(middle);
              const places = [root, middle, leaf] as const;
              for (const { place, asked, pause } of steps) {
                second += pause;
                await request(priceBooks, places[place], asked);
              }
              const times = seconds.filter((one) => one > second).map(instant);
              for (const [original, base] of [
                [root, undefined],
                [middle, root],
                [leaf, middle],
              ] as const) {
                const copy = await createBook(base);
                await copyPrices(priceBooks, original, copy, limit);
                expect(
                  await differences(priceBooks, original, copy, tried, [undefined, ...times]),
                ).to.deep.equal([]);
              }
            },
          ),
          options,
        );
      }).timeout(120_000);

      it('pages of any size give the same list, each product once and in order', async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.array(productRequest, { maxLength: 14 }),
            fc.integer({ min: 1, max: 8 }),
            fc.option(fc.constantFrom(...currencies), { nil: undefined }),
            async (requests, limit, currency) => {
              const id = await createBook();
              for (const asked of requests) await request(priceBooks, id, asked);
              const whole = await pagesOf(id, 1_000, currency);
              expect(await pagesOf(id, limit, currency)).to.deep.equal(whole);
              const ids = whole.map(({ productId }) => productId);
              const sorted = [...new Set(ids)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
              expect(ids).to.deep.equal(sorted);
            },
          ),
          options,
        );
      }).timeout(120_000);

      it('writes between pages lose nothing that stays as it is', async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.array(productRequest, { minLength: 4, maxLength: 10 }),
            fc.array(productRequest, { maxLength: 6 }),
            fc.integer({ min: 1, max: 3 }),
            async (before, meanwhile, limit) => {
              const id = await createBook();
              for (const asked of before) await request(priceBooks, id, asked);
              const there = await pagesOf(id, 1_000);
              const written = new Set<string>();
              const writes = [...meanwhile];
              const seen = await pagesOf(id, limit, undefined, async () => {
                const asked = writes.shift();
                if (asked === undefined) return;
                for (const productId of await request(priceBooks, id, asked)) written.add(productId);
              });
              const stayed = ({ productId }: { readonly productId: ProductId }) => !written.has(productId);
              expect(seen.filter(stayed)).to.deep.equal(there.filter(stayed));
              expect(new Set(seen.map(({ productId }) => productId)).size).to.equal(seen.length);
            },
          ),
          options,
        );
      }).timeout(120_000);
    });
  });
};
