/** What every read model has to do for what is dated: single cells, and where something begins or ends. */
import {
  ALL_PRODUCTS,
  type Boundary,
  type BoundaryPlace,
  changesOf,
  type Holder,
  type Part,
  type ReadModel,
  type ReadModelChange,
} from '@pricebook/application';
import { createInMemoryReadModel } from '@pricebook/application/in-memory';
import type {
  Adjustments,
  AllProductsAdjustments,
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

const [EUR, USD] = ['EUR', 'USD'] as [Currency, Currency];
/** In the order of code points: `all` among them, one that begins with another, and one that JavaScript sorts otherwise. */
const ordered = ['P', 'P-', 'PP', ALL_PRODUCTS, 'z', '\uff5e', '🎈'] as readonly Holder[];
const products = ordered.filter((holder): holder is ProductId => holder !== ALL_PRODUCTS);
const P = 'P' as ProductId;

const override = (amount: number) => ({ type: 'override', amount }) as const;
const percent = (amount: number) => ({ type: 'percent', amount }) as const;
const nothing = { type: 'null', amount: null } as const;

const created: PriceBookEvent = {
  type: 'PriceBookCreated',
  data: { name: 'A', description: '', basePriceBookIds: [] },
};
const set = (productId: ProductId, adjustments: Adjustments): PriceBookEvent => ({
  type: 'ProductPricesSet',
  data: { items: [{ productId, adjustments }] },
});
const setAll = (adjustments: AllProductsAdjustments): PriceBookEvent => ({
  type: 'AllProductsAdjusted',
  data: { adjustments },
});
const removed: PriceBookEvent = { type: 'PriceBookEntriesDeleted', data: { productIds: [P] } };

const newId = (): PriceBookId => v7() as PriceBookId;

/** The events of a book happen a second apart. */
const history = (
  id: PriceBookId,
  events: readonly PriceBookEvent[],
): readonly (readonly ReadModelChange[])[] =>
  events.map((event, revision) =>
    changesOf(id, event, { revision, occurredAt: instant(revision), actor: 'key' }),
  );

const SECONDS = 15;
const ofProduct = fc.oneof(fc.nat(9).map(override), fc.nat(9).map(percent), fc.constant(nothing));
const ofAll = fc.oneof(fc.nat(9).map(percent), fc.constant(nothing));
const currency = fc.constantFrom(USD, USD, EUR);
const event: fc.Arbitrary<PriceBookEvent> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom(P, P, ...products), fc.dictionary(currency, datedOrNot(ofProduct, SECONDS)))
      .map(([productId, map]) => set(productId, map)),
  },
  {
    weight: 2,
    arbitrary: fc.dictionary(currency, datedOrNot(ofAll, SECONDS), { minKeys: 1 }).map((map) => setAll(map)),
  },
  { weight: 1, arbitrary: fc.constant(removed) },
);

/** The first place of all. */
const first: BoundaryPlace = { at: '0000-01-01T00:00:00.000Z' };

const pagesOf = async (readModel: ReadModel, id: PriceBookId, limit: number) => {
  const pages: (readonly Boundary[])[] = [];
  for (let from: BoundaryPlace | undefined = first; from !== undefined;) {
    const { items, next }: Part<Boundary, BoundaryPlace> = await succeed(
      readModel.listBoundaries(id, limit, from),
    );
    pages.push(items);
    from = next;
  }
  return pages;
};

interface Given {
  readonly readModel: () => ReadModel;
  readonly apply: (changes: readonly ReadModelChange[]) => Promise<void>;
  /** How many random histories are tried. */
  readonly runs: number;
}

export const describeDated = ({ readModel, apply, runs }: Given): void => {
  const given = async (...events: readonly PriceBookEvent[]): Promise<PriceBookId> => {
    const id = newId();
    await apply(history(id, events).flat());
    return id;
  };

  describe('single cells', () => {
    it('come in the order asked, of products and for all products', async () => {
      const id = await given(
        created,
        set(P, { [USD]: override(1), [EUR]: override(2) }),
        setAll({ [USD]: percent(3) }),
      );
      const cells = await succeed(
        readModel().findCells(id, [
          { holder: ALL_PRODUCTS, currency: USD },
          { holder: P, currency: EUR },
          { holder: P, currency: USD },
          { holder: 'PP' as ProductId, currency: USD },
          { holder: ALL_PRODUCTS, currency: EUR },
          { holder: P, currency: EUR },
        ]),
      );
      const amounts = cells.map((cell) => (cell?.absolute ?? cell?.relative)?.adjustment);
      expect(amounts).to.deep.equal([
        percent(3),
        override(2),
        override(1),
        undefined,
        undefined,
        override(2),
      ]);
      expect(cells[2]).to.deep.equal({
        absolute: { adjustment: override(1), revision: 1, occurredAt: instant(1), actor: 'key' },
      });
    });

    it('are none where nothing is asked, or the book is not there', async () => {
      expect(await succeed(readModel().findCells(newId(), []))).to.deep.equal([]);
      const holders: readonly Holder[] = [P, ALL_PRODUCTS];
      const keys = holders.map((holder) => ({ holder, currency: USD }));
      expect(await succeed(readModel().findCells(newId(), keys))).to.deep.equal([undefined, undefined]);
    });

    it('have what is dated beside what stands', async () => {
      const sale = { ...override(2), validFrom: instant(100), validUntil: instant(200) };
      const id = await given(created, set(P, { [USD]: override(1) }), set(P, { [USD]: sale }));
      const [cell] = await succeed(readModel().findCells(id, [{ holder: P, currency: USD }]));
      expect(cell).to.deep.equal({
        absolute: { adjustment: override(1), revision: 1, occurredAt: instant(1), actor: 'key' },
        changedAt: instant(2),
        dated: [{ adjustment: sale, revision: 2, occurredAt: instant(2), actor: 'key' }],
      });
    });

    it('keep what is dated when an undated price is set, in a batch of its own', async () => {
      const sale = { ...override(2), validUntil: instant(200) };
      const id = newId();
      const events = [created, set(P, { [USD]: sale }), ...[3, 4].map((n) => set(P, { [USD]: override(n) }))];
      for (const changes of history(id, events)) await apply(changes);
      const [cell] = await succeed(readModel().findCells(id, [{ holder: P, currency: USD }]));
      expect(cell?.dated?.map(({ adjustment }) => adjustment)).to.deep.equal([sale]);
      expect(cell?.absolute?.adjustment).to.deep.equal(override(4));
    });
  });

  describe('boundaries', () => {
    const list = async (id: PriceBookId, limit: number, from: BoundaryPlace, until?: string) => {
      const { items, next } = await succeed(readModel().listBoundaries(id, limit, from, until));
      return {
        places: items.map(({ at, holder, currency: code }) => ({ at, holder, currency: code })),
        next,
      };
    };

    /** Every holder, in both currencies, from the 10th second until the 20th. */
    const everywhere = (): readonly PriceBookEvent[] => {
      const dates = { validFrom: instant(10), validUntil: instant(20) };
      const one = { ...percent(1), ...dates };
      return [
        created,
        ...[...ordered]
          .reverse()
          .map((holder) =>
            holder === ALL_PRODUCTS
              ? setAll({ [USD]: one, [EUR]: one })
              : set(holder, { [USD]: one, [EUR]: one }),
          ),
      ];
    };
    const allPlaces = [10, 20].flatMap((second) =>
      ordered.flatMap((holder) =>
        [EUR, USD].map((code) => ({ at: instant(second), holder, currency: code })),
      ),
    );

    it('come by instant, holder in the order of code points, and currency, from anywhere on', async () => {
      const id = await given(...everywhere());
      await given(...everywhere());
      expect(await list(id, 100, first)).to.deep.equal({ places: allPlaces, next: undefined });
      expect(await list(id, allPlaces.length, first)).to.deep.equal({ places: allPlaces, next: undefined });
      for (const [place, from] of allPlaces.entries()) {
        expect(await list(id, 3, from)).to.deep.equal({
          places: allPlaces.slice(place, place + 3),
          next: allPlaces[place + 3],
        });
      }
      const between = { at: instant(10), holder: 'PA' as ProductId, currency: EUR };
      expect((await list(id, 1, between)).places).to.deep.equal([allPlaces[4]]);
    });

    it('are those from an instant on and before another', async () => {
      const id = await given(...everywhere());
      const half = allPlaces.length / 2;
      const of = async (from: number, until?: number) =>
        (await list(id, 100, { at: instant(from) }, until === undefined ? undefined : instant(until))).places;
      expect(await of(10, 20)).to.deep.equal(allPlaces.slice(0, half));
      expect(await of(10, 21)).to.deep.equal(allPlaces);
      expect(await of(11)).to.deep.equal(allPlaces.slice(half));
      expect(await of(20, 20)).to.deep.equal([]);
      expect(await of(20, 10)).to.deep.equal([]);
      expect(await of(21)).to.deep.equal([]);
      const last = await list(id, half, { at: instant(10) }, instant(20));
      expect(last.next).to.equal(undefined);
    });

    it('are there at any instant that can be written', async () => {
      const [early, late] = ['0000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'];
      const before = '1969-12-31T23:59:59.999Z';
      const asked = [
        { ...override(1), validFrom: late },
        { ...override(2), validFrom: before, validUntil: instant(9) },
        { ...override(3), validFrom: early, validUntil: instant(9) },
      ];
      const id = await given(created, set(P, { [USD]: asked }));
      const { places } = await list(id, 9, first);
      expect(places.map(({ at }) => at)).to.deep.equal([early, before, instant(9), late]);
      expect((await list(id, 9, { at: late })).places).to.have.length(1);
    });

    it('come with what the holder has now, whatever has become of them', async () => {
      const sale = { ...override(2), validFrom: instant(100), validUntil: instant(200) };
      const { validFrom, validUntil } = sale;
      const id = await given(
        created,
        set(P, { [USD]: [override(1), sale] }),
        setAll({ [USD]: { ...percent(5), validFrom } }),
        set(P, { [USD]: { type: 'cancel', validFrom, validUntil } }),
      );
      const { items } = await succeed(readModel().listBoundaries(id, 9, first));
      expect(items.map(({ at, holder }) => [at, holder])).to.deep.equal([
        [validFrom, P],
        [validFrom, ALL_PRODUCTS],
        [validUntil, P],
      ]);
      const [ofP, ofAllProducts, again] = items.map(({ cell }) => cell);
      expect(ofP).to.deep.equal(again);
      expect(ofP?.dated).to.equal(undefined);
      expect(ofP?.changedAt).to.equal(instant(3));
      expect(ofAllProducts?.dated).to.have.length(1);
    });

    it('are none where nothing was dated, and none of a book that never was', async () => {
      const id = await given(created, set(P, { [USD]: override(1) }), setAll({ [USD]: percent(1) }));
      expect(await list(id, 9, first)).to.deep.equal({ places: [], next: undefined });
      expect(await list(newId(), 9, first)).to.deep.equal({ places: [], next: undefined });
    });
  });

  it('past and present of random dated histories are those of the reference', async () => {
    const histories = fc.tuple(fc.array(event, { maxLength: 14 }), fc.integer({ min: 1, max: 9 }));
    await fc.assert(
      fc.asyncProperty(histories, async ([events, together]) => {
        const id = newId();
        const reference = createInMemoryReadModel();
        const changes = history(id, [created, ...events]);
        await succeed(reference.apply(changes.flat(), 1n));
        for (let at = 0; at < changes.length; at += together) {
          await apply(changes.slice(at, at + together).flat());
        }
        const observe = async (one: ReadModel) => {
          const times = [undefined, ...Array.from({ length: SECONDS + 2 }, (_, second) => instant(second))];
          const pages = await pagesOf(one, id, together);
          const held = await Promise.all(
            times.flatMap((at) => [USD, EUR].map((code) => succeed(one.findHoldings(id, P, code, at)))),
          );
          const rows = await succeed(one.findHoldingsHistory(id, P, USD, undefined, 1_000));
          return { pages, held, rows };
        };
        expect(await observe(readModel())).to.deep.equal(await observe(reference));
      }),
      { numRuns: runs },
    );
  }).timeout(120_000);
};
