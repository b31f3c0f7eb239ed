/** What every read model has to do, whatever it is built on. */
import { changesOf, type PriceBookView, type ReadModel, type ReadModelChange } from '@pricebook/application';
import {
  type Adjustments,
  type AllProductsAdjustments,
  type Cell,
  type ChainHoldings,
  type Currency,
  type PriceBookEvent,
  type PriceBookId,
  type ProductId,
} from '@pricebook/domain';
import { expect } from 'chai';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { datedOrNot } from './dated-adjustments';
import { succeed } from './either';
import { describeDated } from './read-model-dated-contract';
import { describeManyHoldings } from './read-model-many-contract';
import { describeClones } from './read-model-clones-contract';
import { describeRestored } from './read-model-restored-contract';
import { describeRememberedRequests } from './remembered-requests-contract';

/** A read model to be tested. */
export interface ReadModelUnderTest {
  readonly readModel: ReadModel;
  /** Closes the read model and opens what it kept; absent where nothing outlives the process. */
  readonly restart?: () => Promise<ReadModel>;
  /** Closes the read model and removes what it kept. */
  readonly dispose: () => Promise<void>;
}

const USD = 'USD' as Currency;
const EUR = 'EUR' as Currency;
const currencies = [USD, EUR];
const [P, Q] = ['P', 'Q/ü'] as [ProductId, ProductId];
const products = [P, Q];

/** The events of a book happen a second apart. */
const timeOf = (revision: number): string => new Date(Date.UTC(2026, 0, 1, 0, 0, revision)).toISOString();
const stampOf = (revision: number) => ({
  revision,
  occurredAt: timeOf(revision),
  actor: `key-${String(revision)}`,
  ...(revision % 2 === 1 && { reason: `für revision ${String(revision)}` }),
});

/** What the events of a book change, in order; one entry an event. */
const history = (
  id: PriceBookId,
  events: readonly PriceBookEvent[],
): readonly (readonly ReadModelChange[])[] =>
  events.map((event, revision) => changesOf(id, event, stampOf(revision)));

const created = (name: string, basePriceBookIds: readonly PriceBookId[] = []): PriceBookEvent => ({
  type: 'PriceBookCreated',
  data: { name, description: `about ${name}`, basePriceBookIds },
});
const set = (productId: ProductId, adjustments: Adjustments): PriceBookEvent => ({
  type: 'ProductPricesSet',
  data: { items: [{ productId, adjustments }] },
});
const setAll = (adjustments: AllProductsAdjustments): PriceBookEvent => ({
  type: 'AllProductsAdjusted',
  data: { adjustments },
});
const removed = (...productIds: ProductId[]): PriceBookEvent => ({
  type: 'PriceBookEntriesDeleted',
  data: { productIds },
});
const deleted: PriceBookEvent = { type: 'PriceBookDeleted', data: {} };
const restored = (key?: string | null): PriceBookEvent => ({
  type: 'PriceBookRestored',
  data: key === undefined ? {} : { key },
});
const override = (amount: number) => ({ type: 'override', amount }) as const;
const percent = (amount: number) => ({ type: 'percent', amount }) as const;
const nothing = { type: 'null', amount: null } as const;

const newId = (): PriceBookId => v7() as PriceBookId;

/** Everything that a read model says about a book, now and after each of its events. */
const observe = async (readModel: ReadModel, id: PriceBookId, revisions: number) => {
  const holdings: (ChainHoldings<Cell> | undefined)[] = [];
  const times = [undefined, ...Array.from({ length: revisions }, (_, revision) => timeOf(revision))];
  for (const at of times) {
    for (const productId of products) {
      for (const currency of currencies) {
        holdings.push(await succeed(readModel.findHoldings(id, productId, currency, at)));
      }
    }
  }
  const histories = [
    await succeed(readModel.findHoldingsHistory(id, P, USD, undefined, 100)),
    await succeed(readModel.findHoldingsHistory(id, P, USD, timeOf(3), 2)),
  ];
  const keys = [...products, 'all' as const].flatMap((holder) =>
    currencies.map((currency) => ({ holder, currency })),
  );
  return {
    view: await succeed(readModel.findPriceBook(id)),
    deletedView: await succeed(readModel.findDeletedPriceBook(id)),
    holdings,
    histories,
    cells: await succeed(readModel.findCells(id, keys)),
    boundaries: await succeed(readModel.listBoundaries(id, 1_000, { at: timeOf(0) })),
  };
};

/**
 * @param runs how many random histories are delivered in random orders.
 */
export const describeReadModel = (
  name: string,
  create: () => Promise<ReadModelUnderTest>,
  { runs = 100 }: { readonly runs?: number } = {},
): void => {
  describe(`read model: ${name}`, () => {
    let underTest: ReadModelUnderTest;
    let readModel: ReadModel;
    let position = 0n;

    beforeEach(async () => {
      underTest = await create();
      ({ readModel } = underTest);
    });
    afterEach(() => underTest.dispose());

    const apply = (changes: readonly ReadModelChange[]): Promise<void> =>
      succeed(readModel.apply(changes, (position += 1n)));

    /** A book with a history, applied an event at a time. */
    const given = async (events: readonly PriceBookEvent[], id = newId()): Promise<PriceBookId> => {
      for (const changes of history(id, events)) await apply(changes);
      return id;
    };

    const hold = async (id: PriceBookId, productId = P, currency = USD, at?: string) => {
      const chain = await succeed(readModel.findHoldings(id, productId, currency, at));
      return chain?.map(({ product, allProducts }) => [
        product?.absolute?.adjustment ?? product?.removed?.revision,
        product?.relative?.adjustment,
        allProducts?.relative?.adjustment ?? allProducts?.removed?.revision,
      ]);
    };

    describe('checkpoint', () => {
      it('is that of the last changes, and never goes back', async () => {
        const start = (position += 10n);
        await succeed(readModel.apply([], start));
        expect(await succeed(readModel.checkpoint())).to.equal(start);
        await succeed(readModel.apply([], start - 5n));
        expect(await succeed(readModel.checkpoint())).to.equal(start);
      });

      it('keeps positions of any size', async () => {
        const large = (1n << 100n) + 1n;
        await succeed(readModel.apply([], large));
        expect(await succeed(readModel.checkpoint())).to.equal(large);
      });
    });

    describe('price books', () => {
      it('shows a book as it was created and changed', async () => {
        const id = await given([created('first'), { type: 'PriceBookUpdated', data: { name: 'second' } }]);
        const view: PriceBookView = {
          priceBookId: id,
          revision: 1,
          name: 'second',
          description: 'about first',
          basePriceBookIds: [],
          nameRevision: 1,
          descriptionRevision: 0,
          key: null,
          keyRevision: 0,
          metadata: {},
          metadataRevision: 0,
          createdAt: timeOf(0),
          updatedAt: timeOf(1),
        };
        expect(await succeed(readModel.findPriceBook(id))).to.deep.equal(view);
      });

      it('moves a book on with every event, its prices included', async () => {
        const id = await given([created('A'), set(P, { [USD]: override(1) }), setAll({ [EUR]: nothing })]);
        expect(await succeed(readModel.findPriceBook(id))).to.deep.include({
          revision: 2,
          updatedAt: timeOf(2),
        });
      });

      it('finds the books that have a book as their base, to a limit', async () => {
        const base = await given([created('base')]);
        const derived = await Promise.all(
          [1, 2, 3].map((n) => given([created(`derived ${String(n)}`, [base])])),
        );
        const below = await given([created('below', [derived[0] ?? base, base])]);
        await given([created('deleted', [base]), deleted]);
        const found = await succeed(readModel.findDerivedPriceBooks(base, 10));
        expect(found).to.have.members(derived);
        expect(found).not.to.include(below);
        expect(await succeed(readModel.findDerivedPriceBooks(base, 2))).to.have.length(2);
        expect(await succeed(readModel.findDerivedPriceBooks(below, 2))).to.deep.equal([]);
      });

      it('knows nothing of a book that is not there', async () => {
        expect(await succeed(readModel.findPriceBook(newId()))).to.equal(undefined);
        expect(await succeed(readModel.findHoldings(newId(), P, USD))).to.equal(undefined);
        expect(await succeed(readModel.findDerivedPriceBooks(newId(), 1))).to.deep.equal([]);
      });
    });

    describe('holdings', () => {
      it('says what a product has of its own, and what its book has for all', async () => {
        const id = await given([
          created('A'),
          set(P, { [USD]: override(1), [EUR]: override(2) }),
          setAll({ [USD]: percent(10) }),
          set(P, { [USD]: percent(5) }),
        ]);
        expect(await hold(id)).to.deep.equal([[override(1), percent(5), percent(10)]]);
        expect(await hold(id, P, EUR)).to.deep.equal([[override(2), undefined, undefined]]);
        expect(await hold(id, Q)).to.deep.equal([[undefined, undefined, percent(10)]]);
        const [held] = (await succeed(readModel.findHoldings(id, P, USD))) ?? [];
        expect(held?.product?.relative).to.deep.equal({ adjustment: percent(5), ...stampOf(3) });
      });

      it('remembers what was taken away', async () => {
        const id = await given([
          created('A'),
          set(P, { [USD]: override(1), [EUR]: override(2) }),
          setAll({ [USD]: percent(10) }),
          set(P, { [USD]: nothing }),
          setAll({ [USD]: nothing }),
          removed(P, Q),
          removed(P),
        ]);
        expect(await hold(id)).to.deep.equal([[3, undefined, 4]]);
        expect(await hold(id, P, EUR)).to.deep.equal([[5, undefined, undefined]]);
        expect(await hold(id, Q)).to.deep.equal([[undefined, undefined, 4]]);
      });

      it('brings the whole chain, nearest book first', async () => {
        const root = await given([created('root'), set(P, { [USD]: override(1) })]);
        const middle = await given([created('middle', [root]), setAll({ [USD]: percent(10) })]);
        const leaf = await given([created('leaf', [middle, root])]);
        expect(await hold(leaf)).to.deep.equal([
          [undefined, undefined, undefined],
          [undefined, undefined, percent(10)],
          [override(1), undefined, undefined],
        ]);
        const chain = await succeed(readModel.findHoldings(leaf, P, USD));
        expect(chain?.map(({ priceBookId }) => priceBookId)).to.deep.equal([leaf, middle, root]);
      });

      it('keeps the products of books apart, also where one id begins with another', async () => {
        const [first, second] = [await given([created('A')]), await given([created('B')])];
        const longer = 'PP' as ProductId;
        await apply(changesOf(first, set(P, { [USD]: override(1) }), stampOf(1)));
        await apply(changesOf(first, set(longer, { [USD]: override(2) }), stampOf(2)));
        expect(await hold(first)).to.deep.equal([[override(1), undefined, undefined]]);
        expect(await hold(first, P, USD, timeOf(9))).to.deep.equal([[override(1), undefined, undefined]]);
        expect(await hold(first, longer)).to.deep.equal([[override(2), undefined, undefined]]);
        expect(await hold(second)).to.deep.equal([[undefined, undefined, undefined]]);
      });

      it('takes ids of any text up to 256 code points', async () => {
        const id = await given([created('A')]);
        const long = `${'x'.repeat(64)}${'🎈'.repeat(191)}` as ProductId;
        const ids = [long, `${long}a`, 'ü', 'u\u0308', '__proto__', '$set.x', 'a b', '%2F'] as ProductId[];
        for (const [index, productId] of ids.entries()) {
          await apply(changesOf(id, set(productId, { [USD]: override(index) }), stampOf(index + 1)));
        }
        for (const [index, productId] of ids.entries()) {
          expect(await hold(id, productId)).to.deep.equal([[override(index), undefined, undefined]]);
          expect(await hold(id, productId, USD, timeOf(99))).to.deep.equal([
            [override(index), undefined, undefined],
          ]);
        }
      });
    });

    describe('at a time', () => {
      it('says what was held then, up to and including that instant', async () => {
        const id = await given([
          created('A'),
          set(P, { [USD]: override(1) }),
          setAll({ [USD]: percent(10) }),
          set(P, { [USD]: override(2) }),
          removed(P),
        ]);
        expect(await hold(id, P, USD, timeOf(0))).to.deep.equal([[undefined, undefined, undefined]]);
        expect(await hold(id, P, USD, timeOf(1))).to.deep.equal([[override(1), undefined, undefined]]);
        expect(await hold(id, P, USD, timeOf(2))).to.deep.equal([[override(1), undefined, percent(10)]]);
        expect(await hold(id, P, USD, timeOf(3))).to.deep.equal([[override(2), undefined, percent(10)]]);
        expect(await hold(id, P, USD, timeOf(4))).to.deep.equal([[4, undefined, percent(10)]]);
        expect(await hold(id, P, USD, timeOf(99))).to.deep.equal(await hold(id));
      });

      it('knows that a book held nothing before its creation and after its deletion', async () => {
        const base = await given([created('base'), set(P, { [USD]: override(1) })]);
        const id = await given([created('A', [base]), set(P, { [USD]: override(1) }), deleted]);
        const nothing = [[undefined, undefined, undefined]];
        expect(await hold(id, P, USD, '2025-12-31T23:59:59.999Z')).to.deep.equal(nothing);
        expect((await hold(id, P, USD, timeOf(1)))?.[0]).to.deep.equal([override(1), undefined, undefined]);
        expect(await hold(id, P, USD, timeOf(2))).to.deep.equal(nothing);
        expect(await hold(newId(), P, USD, timeOf(2))).to.equal(undefined);
      });
    });

    describe('from a time on', () => {
      const events = [
        created('A'),
        set(P, { [USD]: override(1), [EUR]: override(7) }),
        setAll({ [USD]: percent(10) }),
        set(P, { [USD]: percent(2) }),
        set(Q, { [USD]: override(8) }),
        set(P, { [EUR]: percent(9) }),
        setAll({ [USD]: nothing }),
        removed(P),
        removed(P),
      ];
      const absolute = { absolute: { adjustment: override(1), ...stampOf(1) } };
      const productRows = [
        { currency: USD, stamp: stampOf(1), adjustment: override(1), cell: absolute },
        {
          currency: USD,
          stamp: stampOf(3),
          adjustment: percent(2),
          cell: { ...absolute, relative: { adjustment: percent(2), ...stampOf(3) } },
        },
        { currency: USD, stamp: stampOf(7), cell: { removed: stampOf(7) } },
      ];
      const allProductsRows = [
        {
          currency: USD,
          stamp: stampOf(2),
          adjustment: percent(10),
          cell: { relative: { adjustment: percent(10), ...stampOf(2) } },
        },
        { currency: USD, stamp: stampOf(6), adjustment: nothing, cell: { removed: stampOf(6) } },
      ];
      const find = (id: PriceBookId, after?: string, limit = 100) =>
        succeed(readModel.findHoldingsHistory(id, P, USD, after, limit));

      it('brings every change in the currency, oldest first, with when the book came and went', async () => {
        const id = await given([...events, deleted]);
        expect(await find(id)).to.deep.equal([
          {
            priceBookId: id,
            created: { ...stampOf(0), basePriceBookIds: [] },
            lifecycle: [{ type: 'PriceBookDeleted', ...stampOf(9) }],
            product: { before: undefined, rows: productRows },
            allProducts: { before: undefined, rows: allProductsRows },
          },
        ]);
      });

      it('brings what was held up to and including the time, and the changes after it to the limit', async () => {
        const id = await given(events);
        const [book] = (await find(id, timeOf(2), 1)) ?? [];
        expect(book?.lifecycle).to.equal(undefined);
        expect(book?.product).to.deep.equal({
          before: productRows[0]?.cell,
          rows: productRows.slice(1, 2),
        });
        expect(book?.allProducts).to.deep.equal({
          before: allProductsRows[0]?.cell,
          rows: allProductsRows.slice(1),
        });
        const [before] = (await find(id, '0001-01-01T00:00:00.000Z', 2)) ?? [];
        expect(before?.product).to.deep.equal({ before: undefined, rows: productRows.slice(0, 2) });
        const [after] = (await find(id, '9999-12-31T23:59:59.999Z', 2)) ?? [];
        expect(after?.product).to.deep.equal({ before: productRows[2]?.cell, rows: [] });
      });

      it('sorts changes of one instant by revision', async () => {
        const id = newId();
        const { occurredAt } = stampOf(1);
        const settings = Array.from({ length: 11 }, () => set(P, { [USD]: override(1) }));
        for (const [revision, event] of [created('A'), ...settings].entries()) {
          await apply(changesOf(id, event, { ...stampOf(revision), occurredAt }));
        }
        const revisionsOf = async (limit: number) =>
          (await find(id, timeOf(0), limit))?.[0].product.rows.map(({ stamp }) => stamp.revision);
        expect(await revisionsOf(100)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
        expect(await revisionsOf(3)).to.deep.equal([1, 2, 3]);
        expect((await find(id, occurredAt))?.[0].product.rows).to.deep.equal([]);
      });

      it('brings the whole chain, whether or not its books existed then', async () => {
        const root = await given([created('root'), set(P, { [USD]: override(1) }), deleted]);
        const id = await given([created('A', [root]), deleted]);
        const chain = await find(id, timeOf(9));
        expect(chain?.map((book) => [book.priceBookId, book.product.before])).to.deep.equal([
          [id, undefined],
          [root, absolute],
        ]);
        expect(await find(id, timeOf(9))).to.deep.equal(chain);
        expect(await find(newId())).to.equal(undefined);
      });
    });

    describe('repeated and late changes', () => {
      it('a change applied twice changes nothing', async () => {
        const id = newId();
        const changes = history(id, [
          created('A'),
          set(P, { [USD]: override(1) }),
          removed(P),
          set(P, { [USD]: override(2) }),
          setAll({ [USD]: percent(1) }),
          setAll({ [USD]: nothing }),
        ]);
        for (const one of changes) await apply(one);
        const before = await observe(readModel, id, changes.length);
        await apply(changes.flat());
        for (const one of changes) await apply(one);
        expect(await observe(readModel, id, changes.length)).to.deep.equal(before);
      });

      it('many of them, given again while a new one is, take nothing of it back', async () => {
        const id = newId();
        const items = Array.from({ length: 30 }, (_, index) => ({
          productId: `P${String(index)}` as ProductId,
          adjustments: { [USD]: override(index) },
        }));
        const many: PriceBookEvent = { type: 'ProductPricesSet', data: { items } };
        const [creation = [], setting = [], last = []] = history(id, [
          created('A'),
          many,
          setAll({ [USD]: percent(50) }),
        ]);
        await apply([...creation, ...setting]);
        await Promise.all([apply([...creation, ...setting]), apply(last)]);
        expect((await succeed(readModel.findPriceBook(id)))?.revision).to.equal(2);
        const chain = await succeed(readModel.findHoldings(id, 'P1' as ProductId, USD));
        expect(chain?.[0].allProducts?.relative?.adjustment).to.deep.equal(percent(50));
      });

      it('nothing brings a deleted book back', async () => {
        const id = newId();
        const changes = history(id, [
          created('A'),
          set(P, { [USD]: override(1) }),
          setAll({ [USD]: percent(1) }),
          deleted,
        ]);
        await apply(changes.flat());
        const [creation = [], setting = []] = changes;
        await apply([...setting, ...creation]);
        expect(await succeed(readModel.findPriceBook(id))).to.equal(undefined);
        expect(await succeed(readModel.findHoldings(id, P, USD))).to.equal(undefined);
      });

      it('changes give the same in whatever order and however often they come', async () => {
        const adjustment = fc.oneof(fc.nat(9).map(override), fc.nat(9).map(percent), fc.constant(nothing));
        const adjustments = fc
          .dictionary(fc.constantFrom(...currencies), datedOrNot(adjustment, 15), { minKeys: 1 })
          .map((map): Adjustments => map);
        const event = fc.oneof(
          fc.tuple(fc.constantFrom(...products), adjustments).map(([id, map]) => set(id, map)),
          fc
            .constantFrom(...currencies)
            .chain((currency) =>
              datedOrNot(fc.option(fc.nat(9).map(percent), { nil: nothing }), 15).map((value) =>
                setAll({ [currency]: value }),
              ),
            ),
          fc.subarray(products, { minLength: 1 }).map((ids) => removed(...ids)),
          fc.constant<PriceBookEvent>({ type: 'PriceBookUpdated', data: { name: 'renamed' } }),
        );
        const gap = fc
          .option(fc.option(fc.constant('retail')), { nil: undefined })
          .map((key) => [deleted, restored(key)]);
        const histories = fc
          .tuple(
            fc.array(
              fc.oneof({ weight: 6, arbitrary: event.map((one) => [one]) }, { weight: 1, arbitrary: gap }),
              { maxLength: 12 },
            ),
            fc.boolean(),
          )
          .map(([events, isDeleted]) => [created('A'), ...events.flat(), ...(isDeleted ? [deleted] : [])]);
        const deliveries = histories.chain((events) =>
          fc.record({
            events: fc.constant(events),
            // Every event once, and some again, in any order.
            order: fc.array(fc.nat(events.length - 1), { maxLength: 6 }).chain((again) =>
              fc.shuffledSubarray([...events.keys(), ...again], {
                minLength: events.length + again.length,
              }),
            ),
          }),
        );
        await fc.assert(
          fc.asyncProperty(deliveries, async ({ events, order }) => {
            const [ordered, shuffled] = [newId(), newId()];
            await apply(history(ordered, events).flat());
            const changes = history(shuffled, events);
            for (const index of order) await apply(changes[index] ?? []);
            const withoutIds = (seen: Awaited<ReturnType<typeof observe>>): unknown =>
              JSON.parse(JSON.stringify(seen).replaceAll(ordered, 'id').replaceAll(shuffled, 'id'));
            expect(withoutIds(await observe(readModel, shuffled, events.length))).to.deep.equal(
              withoutIds(await observe(readModel, ordered, events.length)),
            );
          }),
          { numRuns: runs },
        );
      }).timeout(120_000);
    });

    describeClones({ readModel: () => readModel, runs });

    describeRestored({ readModel: () => readModel, apply, runs });

    describeDated({ readModel: () => readModel, apply, runs });

    describeManyHoldings({ readModel: () => readModel, apply, runs });

    describeRememberedRequests({
      readModel: () => readModel,
      apply,
      restart: () => (underTest.restart === undefined ? Promise.resolve(readModel) : underTest.restart()),
      runs,
    });

    describe('restart', () => {
      it('keeps everything', async () => {
        const id = await given([
          created('A'),
          set(P, { [USD]: override(1) }),
          setAll({ [USD]: percent(1) }),
          removed(P),
        ]);
        const before = await observe(readModel, id, 4);
        const checkpoint = await succeed(readModel.checkpoint());
        const reopened = underTest.restart === undefined ? readModel : await underTest.restart();
        expect(await observe(reopened, id, 4)).to.deep.equal(before);
        expect(await succeed(reopened.checkpoint())).to.equal(checkpoint);
      });
    });
  });
};
