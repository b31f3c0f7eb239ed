/** Random histories that real commands have made: what a store of a service can hold, and nothing else. */
import { randomBytes } from 'node:crypto';
import {
  type Clock,
  createPriceBooks,
  type EventStore,
  type NewClone,
  type NewPriceBook,
  type PriceBooks,
  type ReadModel,
  startProjector,
} from '@pricebook/application';
import { createInMemoryEventStore, createInMemoryReadModel } from '@pricebook/application/in-memory';
import {
  absoluteAdjustmentCodec,
  type Adjustments,
  type AllProductsAdjustments,
  type Currency,
  type Metadata,
  noParameters,
  type PriceBookId,
  type ProductId,
} from '@pricebook/domain';
import { read } from '@pricebook/domain/testing';

import fc from 'fast-check';
import * as E from 'fp-ts/Either';
import { v4, v7 } from 'uuid';
import { datedOrNot, instant } from './dated-adjustments';
import { succeed } from './either';

export const currencies = ['USD', 'EUR', 'JPY'] as Currency[];
export const products = ['P', 'Q/ü', '__proto__', '$set.x'] as ProductId[];
const caller = { actor: 'tests', requestId: 'tests' };
const withReason = { ...caller, reason: 'für "Q4"' };

/** What is done to a book, named by its place among those that were created. */
type Step = (priceBooks: PriceBooks, books: PriceBookId[]) => Promise<unknown>;

const amount = fc.constantFrom(0, 1, 49.99, 0.049999999999999996, 1e15, 0.00035);
const percent = fc.constantFrom(-100, -15, 0, 7.5, 10, 1_000_000);
const relative = percent.map((value) => ({ type: 'percent', amount: value }) as const);
const removal = fc.constant({ type: 'null', amount: null } as const);
const adjustment = fc.oneof(
  amount.map((value) => ({ type: 'override', amount: value }) as const),
  relative,
  removal,
  amount.map((unitPrice) =>
    read(absoluteAdjustmentCodec, { type: 'volume', tiers: [{ firstUnit: 1, unitPrice }] }),
  ),
);
/** A history takes about as long. */
const SECONDS = 12;
const adjustments = fc
  .dictionary(fc.constantFrom(...currencies), datedOrNot(adjustment, SECONDS), { minKeys: 1 })
  .map((map): Adjustments => map);
const percents = fc
  .dictionary(fc.constantFrom(...currencies), datedOrNot(fc.oneof(relative, removal), SECONDS), {
    minKeys: 1,
  })
  .map((map): AllProductsAdjustments => map);
const someProducts = fc.subarray(products, { minLength: 1 });

/** Few, so that books take them from one another. */
const key = fc.constantFrom('retail', 'b-1');
const metadata = fc.constantFrom<Metadata[]>({}, { owner: 'ü' }, { '$set.x': '', 'a.b': '1' });

const create =
  (name: string, place: number | undefined, details: Omit<NewPriceBook, 'name'> = {}): Step =>
  async (priceBooks, books) => {
    const basePriceBookId = place === undefined ? undefined : books[place % Math.max(1, books.length)];
    const created = await priceBooks.create({ ...details, name, basePriceBookId }, caller)();
    if (E.isRight(created)) books.push(created.right.priceBook.priceBookId);
  };

const clone =
  (place: number, given: NewClone): Step =>
  async (priceBooks, books) => {
    const source = books[place % Math.max(1, books.length)];
    const cloned = source === undefined ? undefined : await priceBooks.clone(source, given, withReason)();
    if (cloned !== undefined && E.isRight(cloned)) books.push(cloned.right.priceBook.priceBookId);
  };

/** A book that was not created yet, or is deleted, refuses most of what it is asked: that is no event. */
const toBook = (
  act: (priceBooks: PriceBooks, id: PriceBookId) => () => Promise<unknown>,
): fc.Arbitrary<Step> =>
  fc.nat(7).map((place) => async (priceBooks, books) => {
    const id = books[place % Math.max(1, books.length)];
    if (id !== undefined) await act(priceBooks, id)();
  });

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.string(), fc.option(fc.nat(7)), fc.record({ key, metadata }, { requiredKeys: [] }))
      .map(([name, base, details]) => create(name, base ?? undefined, details)),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ name: fc.string(), key: fc.option(key), metadata }, { requiredKeys: [] })
      .chain((changes) => toBook((priceBooks, id) => priceBooks.update(id, changes, withReason))),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(
        fc.nat(7),
        fc.record({ name: fc.string(), flattenBase: fc.boolean(), key }, { requiredKeys: ['name'] }),
      )
      .map(([place, given]) => clone(place, given)),
  },
  { weight: 1, arbitrary: toBook((priceBooks, id) => priceBooks.delete(id, caller)) },
  {
    weight: 1,
    arbitrary: fc
      .record({ key: fc.option(key) }, { requiredKeys: [] })
      .chain((given) => toBook((priceBooks, id) => priceBooks.restore(id, given, withReason))),
  },
  {
    weight: 5,
    arbitrary: fc.tuple(someProducts, adjustments).chain(([ids, map]) =>
      toBook((priceBooks, id) => {
        const items = ids.map((productId) => ({ productId, adjustments: map }));
        return priceBooks.setPrices(id, { _tag: 'SetProductPrices', items }, withReason);
      }),
    ),
  },
  {
    weight: 3,
    arbitrary: percents.chain((map) =>
      toBook((priceBooks, id) =>
        priceBooks.setPrices(id, { _tag: 'AdjustAllProducts', adjustments: map }, caller),
      ),
    ),
  },
  {
    weight: 2,
    arbitrary: someProducts.chain((ids) =>
      toBook((priceBooks, id) => priceBooks.deleteEntries(id, ids, withReason)),
    ),
  },
);

/** Three books on top of each other first, and then anything. */
export const randomHistory: fc.Arbitrary<readonly Step[]> = fc
  .array(step, { minLength: 1, maxLength: 25 })
  .map((steps) => [create('root', undefined), create('middle', 0), create('leaf', 1), ...steps]);

/** A clock that sometimes stands still. */
const tickingClock = () => {
  let ticks = 0;
  return { now: () => instant(Math.floor((ticks += 1) / 3)) };
};

/** Use cases whose events go to a store and from there to a read model, by default ones of their own. */
export const startBooks = (
  eventStore: EventStore = createInMemoryEventStore(),
  readModel: ReadModel = createInMemoryReadModel(),
  clock: Clock = tickingClock(),
) => {
  const projector = startProjector(eventStore, readModel, () => undefined);
  const ids = { newPriceBookId: () => v7() as PriceBookId, newCommandId: () => v4(), randomBytes };
  const priceBooks = createPriceBooks({
    eventStore,
    readModel,
    readSide: projector,
    clock,
    ids,
  });
  const books: PriceBookId[] = [];
  return {
    eventStore,
    /** Those that were created, deleted ones among them. */
    books,
    priceBooks,
    take: async (steps: readonly Step[]): Promise<void> => {
      for (const one of steps) await one(priceBooks, books);
    },
    close: projector.close,
  };
};

/** What a quote answers at these instants, of all products and currencies that random histories are about. */
export const quotedAt = <A>(
  priceBooks: PriceBooks,
  id: PriceBookId,
  instants: readonly string[],
  keep: Parameters<typeof priceBooks.quote<A>>[2],
): Promise<readonly A[]> => {
  const lines = instants.flatMap((at) =>
    products.flatMap((productId) =>
      currencies.map((currency) => ({ productId, currency, at, parameters: noParameters })),
    ),
  );
  return succeed(priceBooks.quote(id, lines, keep));
};
