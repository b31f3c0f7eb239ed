/** What every read model has to do for many questions at once: the same as for each by itself. */
import {
  changesOf,
  type HoldingsQuestion,
  type ReadModel,
  type ReadModelChange,
} from '@pricebook/application';
import type {
  Adjustments,
  AllProductsAdjustments,
  Cell,
  Currency,
  PriceBookEvent,
  PriceBookId,
  ProductId,
} from '@pricebook/domain';
import { expect } from 'chai';
import fc from 'fast-check';
import { v7 } from 'uuid';
import { datedOrNot, instant } from './dated-adjustments';
import { succeed } from './either';

const [USD, EUR] = ['USD', 'EUR'] as [Currency, Currency];
const products = ['P', 'PP', 'Q/ü', '🎈', 'unknown'] as readonly string[] as readonly ProductId[];
const P = 'P' as ProductId;

const SECONDS = 15;
/** As many books as a chain can have. */
const CHAIN = 5;

const override = (amount: number) => ({ type: 'override', amount }) as const;
const percent = (amount: number) => ({ type: 'percent', amount }) as const;

const created = (basePriceBookIds: readonly PriceBookId[]): PriceBookEvent => ({
  type: 'PriceBookCreated',
  data: { name: 'A', description: '', basePriceBookIds },
});
const set = (productId: ProductId, adjustments: Adjustments): PriceBookEvent => ({
  type: 'ProductPricesSet',
  data: { items: [{ productId, adjustments }] },
});
const setAll = (adjustments: AllProductsAdjustments): PriceBookEvent => ({
  type: 'AllProductsAdjusted',
  data: { adjustments },
});
const deleted: PriceBookEvent = { type: 'PriceBookDeleted', data: {} };

const currency = fc.constantFrom(USD, USD, EUR);
const event: fc.Arbitrary<PriceBookEvent> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(...products.slice(0, -1)),
      fc.dictionary(currency, datedOrNot(fc.oneof(fc.nat(9).map(override), fc.nat(9).map(percent)), SECONDS)),
    )
    .map(([productId, map]) => set(productId, map)),
  fc
    .dictionary(currency, datedOrNot(fc.nat(9).map(percent), SECONDS), { minKeys: 1 })
    .map((map) => setAll(map)),
);
const histories = fc.array(
  fc.record({ events: fc.array(event, { maxLength: 6 }), isDeleted: fc.boolean() }),
  { minLength: CHAIN, maxLength: CHAIN },
);
const question: fc.Arbitrary<HoldingsQuestion> = fc.record({
  productId: fc.constantFrom(...products),
  currency,
  at: fc.option(fc.integer({ min: -1, max: SECONDS }).map(instant), { nil: undefined, freq: 3 }),
});

interface Given {
  readonly readModel: () => ReadModel;
  readonly apply: (changes: readonly ReadModelChange[]) => Promise<void>;
  /** How many random chains are tried. */
  readonly runs: number;
}

export const describeManyHoldings = ({ readModel, apply, runs }: Given): void => {
  const given = async (...events: readonly PriceBookEvent[]): Promise<PriceBookId> => {
    const id = v7() as PriceBookId;
    const changes = events.flatMap((one, revision) =>
      changesOf(id, one, { revision, occurredAt: instant(revision), actor: 'key' }),
    );
    await apply(changes);
    return id;
  };
  const many = (id: PriceBookId, questions: readonly HoldingsQuestion[]) =>
    succeed(readModel().findManyHoldings(id, questions));

  describe('what many products hold', () => {
    it('comes in the order asked, each as often as it is asked for', async () => {
      const id = await given(created([]), set(P, { [USD]: override(1) }), set(P, { [EUR]: override(2) }));
      const asked = [EUR, USD, EUR].map((code) => ({ productId: P, currency: code }));
      const found = await many(id, [...asked, { productId: 'unknown' as ProductId, currency: USD }]);
      const held = found.map((chain) => chain?.[0].product?.absolute?.adjustment);
      expect(held).to.deep.equal([override(2), override(1), override(2), undefined]);
    });

    it('is there for any number of products', async () => {
      const items = Array.from({ length: 2_500 }, (_, n) => ({
        productId: `product-${String(n)}` as ProductId,
        adjustments: { [USD]: override(n) },
      }));
      const id = await given(created([]), { type: 'ProductPricesSet', data: { items } });
      const found = await many(
        id,
        items.map(({ productId }) => ({ productId, currency: USD })),
      );
      const amounts = found.map((chain) => chain?.[0].product?.absolute?.adjustment);
      expect(amounts).to.deep.equal(items.map(({ adjustments }) => adjustments[USD]));
    });

    it('is nothing where nothing is asked, or the book is not there', async () => {
      const id = v7() as PriceBookId;
      expect(await many(id, [])).to.deep.equal([]);
      const asked = [undefined, instant(0)].map((at) => ({ productId: P, currency: USD, at }));
      expect(await many(id, asked)).to.deep.equal([undefined, undefined]);
    });

    it('of a deleted book is there for times alone', async () => {
      const id = await given(created([]), set(P, { [USD]: override(1) }), deleted);
      const asked = [undefined, instant(1), undefined, instant(2)];
      const found = await many(
        id,
        asked.map((at) => ({ productId: P, currency: USD, at })),
      );
      const nothing = [{ priceBookId: id, product: undefined, allProducts: undefined }];
      expect(found.map((chain) => chain?.[0].product?.absolute?.adjustment)).to.deep.equal([
        undefined,
        override(1),
        undefined,
        undefined,
      ]);
      expect([found[0], found[3]]).to.deep.equal([undefined, nothing]);
    });

    it('is what is found one by one, in chains of five books, some of them deleted, whatever is dated', async () => {
      await fc.assert(
        fc.asyncProperty(histories, fc.array(question, { maxLength: 30 }), async (books, questions) => {
          const ids: PriceBookId[] = [];
          for (const { events, isDeleted } of books) {
            ids.unshift(await given(created([...ids]), ...events, ...(isDeleted ? [deleted] : [])));
          }
          for (const id of ids) {
            const oneByOne: (readonly { readonly product: Cell | undefined }[] | undefined)[] = [];
            for (const { productId, currency: code, at } of questions) {
              oneByOne.push(await succeed(readModel().findHoldings(id, productId, code, at)));
            }
            expect(await many(id, questions)).to.deep.equal(oneByOne);
          }
        }),
        { numRuns: Math.ceil(runs / CHAIN) },
      );
    }).timeout(120_000);
  });
};
