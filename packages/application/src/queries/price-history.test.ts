import { randomBytes } from 'node:crypto';
import {
  type Adjustment,
  type Currency,
  noParameters,
  type PriceBookEvent,
  type PriceBookId,
  type PriceParameters,
  type ProductId,
} from '@pricebook/domain';
import { expect } from 'chai';
import fc from 'fast-check';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { v4, v7 } from 'uuid';
import { createInMemoryEventStore } from '../in-memory/event-store';
import { createInMemoryReadModel } from '../in-memory/read-model';
import { createPriceBooks, type PriceBooks } from '../price-books';
import { changesOf } from '../projection/changes';
import type { PricePeriod } from './price-timeline';

const USD = 'USD' as Currency;
const [P, Q] = ['P', 'Q'] as [ProductId, ProductId];
const ids = { newPriceBookId: () => v7() as PriceBookId, newCommandId: () => v4(), randomBytes };

/** The instant so many milliseconds after the start of 2026. */
const instant = (ms: number): string => new Date(Date.UTC(2026) + ms).toISOString();

const right = <A>(result: E.Either<unknown, A>): A => {
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left));
  return result.right;
};

const override = (amount: number): Adjustment => ({ type: 'override', amount });
const percent = (amount: number) => ({ type: 'percent', amount }) as const;
const nothing: Adjustment = { type: 'null', amount: null };
const regions: Adjustment = {
  type: 'enum',
  property: 'region',
  values: [
    { value: 'EU', unitPrice: 5 },
    { value: 'US', unitPrice: 6 },
  ],
};

const set = (adjustment: Adjustment, productId = P): PriceBookEvent => ({
  type: 'ProductPricesSet',
  data: { items: [{ productId, adjustments: { [USD]: adjustment } }] },
});
const setAll = (amount: number | null): PriceBookEvent => ({
  type: 'AllProductsAdjusted',
  data: { adjustments: { [USD]: amount === null ? nothing : percent(amount) } },
});
const removed: PriceBookEvent = { type: 'PriceBookEntriesDeleted', data: { productIds: [P, Q] } };
const renamed: PriceBookEvent = { type: 'PriceBookUpdated', data: { name: 'another' } };
const deleted: PriceBookEvent = { type: 'PriceBookDeleted', data: {} };
const restored: PriceBookEvent = { type: 'PriceBookRestored', data: {} };

/** An event of the book at a place of the chain, the root being 0. */
interface Step {
  readonly book: number;
  readonly ms: number;
  readonly event: PriceBookEvent;
}

interface World {
  readonly priceBooks: PriceBooks;
  readonly books: readonly PriceBookId[];
  /** The last book of the chain, which is asked. */
  readonly asked: PriceBookId;
  /** How many rows of the history have been read. */
  readonly rowsRead: () => number;
  /** How many characters of JSON came at once at most. */
  readonly largestRead: () => number;
}

const actorOf = (book: number, revision: number): string => `key ${String(book)}/${String(revision)}`;

/** Use cases over a chain of books, created at these instants, to which these events have come. */
const play = async (createdAt: readonly number[], steps: readonly Step[]): Promise<World> => {
  const readModel = createInMemoryReadModel();
  const books: PriceBookId[] = createdAt.map(() => ids.newPriceBookId());
  const revisions = createdAt.map(() => -1);
  const created = createdAt.map((ms, book): Step => {
    const basePriceBookIds = books.slice(0, book).reverse();
    const data = { name: 'A', description: '', basePriceBookIds };
    return { book, ms, event: { type: 'PriceBookCreated', data } };
  });
  let position = 0n;
  for (const { book, ms, event } of [...created, ...steps]) {
    const id = books[book];
    if (id === undefined) throw new Error(`there is no book ${String(book)}`);
    const revision = (revisions[book] ?? 0) + 1;
    revisions[book] = revision;
    const stamp = { revision, occurredAt: instant(ms), actor: actorOf(book, revision) };
    right(await readModel.apply(changesOf(id, event, stamp), (position += 1n))());
  }
  const asked = books.at(-1);
  if (asked === undefined) throw new Error('there is no book to ask');
  let rowsRead = 0;
  let largestRead = 0;
  const priceBooks = createPriceBooks({
    eventStore: createInMemoryEventStore(),
    readModel: {
      ...readModel,
      findHoldingsHistory: (...question) =>
        pipe(
          readModel.findHoldingsHistory(...question),
          TE.map((found) => {
            largestRead = Math.max(largestRead, JSON.stringify(found ?? null).length);
            for (const { product, allProducts } of found ?? []) {
              rowsRead += product.rows.length + allProducts.rows.length;
            }
            return found;
          }),
        ),
    },
    readSide: { waitFor: () => Promise.resolve(true) },
    clock: { now: () => instant(0) },
    ids,
  });
  return { priceBooks, books, asked, rowsRead: () => rowsRead, largestRead: () => largestRead };
};

const questionOf = ({ asked }: World, parameters: PriceParameters = noParameters) => ({
  priceBookId: asked,
  productId: P,
  currency: USD,
  parameters,
});

/** Every page of a timeline. */
const pagesOf = async (world: World, limit: number, parameters?: PriceParameters) => {
  const pages: (readonly PricePeriod[])[] = [];
  let from: string | undefined;
  do {
    const question = { ...questionOf(world, parameters), limit, from };
    const page = right(await world.priceBooks.priceHistory(question)());
    pages.push(page.periods);
    expect(pages).to.have.length.below(100);
    from = page.next;
  } while (from !== undefined);
  return pages;
};

const timelineOf = async (world: World, limit = 100) => (await pagesOf(world, limit)).flat();

/** What a timeline says, as one line a period; books by their place. */
const told = (world: World, periods: readonly PricePeriod[]): readonly string[] =>
  periods.map(({ from, answer, cause }) => {
    const price = E.isRight(answer) ? String(answer.right.price) : answer.left._tag;
    const ms = Date.parse(from) - Date.UTC(2026);
    const place = world.books.indexOf(cause.priceBookId);
    expect(cause.actor).to.equal(actorOf(place, cause.revision));
    return `${String(ms)}: ${price}, ${cause.type} ${String(place)}/${String(cause.revision)}`;
  });

describe('the history of a price', () => {
  it('begins with the first price, and a period with each change of it', async () => {
    const world = await play(
      [0],
      [
        { book: 0, ms: 5, event: setAll(10) },
        { book: 0, ms: 10, event: set(override(100)) },
        { book: 0, ms: 20, event: setAll(20) },
        { book: 0, ms: 25, event: renamed },
        { book: 0, ms: 30, event: set(percent(0)) },
        { book: 0, ms: 40, event: setAll(30) },
        { book: 0, ms: 50, event: set(override(1), Q) },
        { book: 0, ms: 60, event: removed },
        { book: 0, ms: 70, event: removed },
        { book: 0, ms: 80, event: set(regions) },
        { book: 0, ms: 90, event: set(nothing) },
      ],
    );
    const periods = await timelineOf(world);
    expect(told(world, periods)).to.deep.equal([
      '10: 110, ProductPricesSet 0/2',
      '20: 120, AllProductsAdjusted 0/3',
      '30: 100, ProductPricesSet 0/5',
      '60: NoListPrice, PriceBookEntriesDeleted 0/8',
      '80: ParameterMissing, ProductPricesSet 0/10',
      '90: NoListPrice, ProductPricesSet 0/11',
    ]);
    expect(periods.map(({ cause }) => cause.adjustment)).to.deep.equal([
      override(100),
      percent(20),
      percent(0),
      undefined,
      regions,
      nothing,
    ]);
    expect(periods.map(({ to }) => to)).to.deep.equal(
      [20, 30, 60, 80, 90].map(instant).concat([null as never]),
    );
  });

  it('begins a period where only the effective date moves', async () => {
    const world = await play(
      [0],
      [1, 2].map((ms) => ({ book: 0, ms, event: set(override(7)) })),
    );
    expect(told(world, await timelineOf(world))).to.deep.equal([
      '1: 7, ProductPricesSet 0/1',
      '2: 7, ProductPricesSet 0/2',
    ]);
  });

  it('begins with the book where the base had a price, and ends with its deletion', async () => {
    const world = await play(
      [0, 10],
      [
        { book: 0, ms: 5, event: set(override(100)) },
        { book: 1, ms: 20, event: setAll(-50) },
        { book: 0, ms: 30, event: set(override(60)) },
        { book: 1, ms: 35, event: setAll(null) },
        { book: 1, ms: 40, event: deleted },
        { book: 0, ms: 50, event: set(override(80)) },
      ],
    );
    const periods = await timelineOf(world);
    expect(told(world, periods)).to.deep.equal([
      '10: 100, PriceBookCreated 1/0',
      '20: 50, AllProductsAdjusted 1/1',
      '30: 30, ProductPricesSet 0/2',
      '35: 60, AllProductsAdjusted 1/2',
      '40: NoListPrice, PriceBookDeleted 1/3',
    ]);
    expect(periods[3]?.cause).to.have.deep.property('adjustment', nothing);
    expect(periods[4]?.cause).not.to.have.property('adjustment');
  });

  it('has a gap between a deletion and the restoration, of the book or of its base', async () => {
    const world = await play(
      [0, 0],
      [
        { book: 0, ms: 1, event: set(override(100)) },
        { book: 1, ms: 10, event: deleted },
        { book: 0, ms: 15, event: set(override(60)) },
        { book: 1, ms: 20, event: restored },
        { book: 0, ms: 30, event: deleted },
        { book: 0, ms: 40, event: restored },
        { book: 1, ms: 50, event: deleted },
      ],
    );
    const expected = [
      '1: 100, ProductPricesSet 0/1',
      '10: NoListPrice, PriceBookDeleted 1/1',
      '20: 60, PriceBookRestored 1/2',
      '30: NoListPrice, PriceBookDeleted 0/3',
      '40: 60, PriceBookRestored 0/4',
      '50: NoListPrice, PriceBookDeleted 1/3',
    ];
    expect(told(world, await timelineOf(world))).to.deep.equal(expected);
    expect(told(world, await timelineOf(world, 1))).to.deep.equal(expected);
  });

  it('is empty where there never was a price, and unknown where there never was a book', async () => {
    const world = await play([0], [{ book: 0, ms: 1, event: setAll(5) }]);
    expect(await timelineOf(world)).to.deep.equal([]);
    const question = { ...questionOf(world), priceBookId: ids.newPriceBookId(), limit: 9 };
    expect(await world.priceBooks.priceHistory(question)()).to.deep.equal(
      E.left({ _tag: 'PriceBookNotFound' }),
    );
  });

  describe('names as the cause, of what happened in one instant,', () => {
    const causeOf = async (steps: readonly Omit<Step, 'ms'>[]): Promise<string | undefined> => {
      const world = await play(
        [0, 0],
        [{ book: 0, ms: 1, event: set(override(100)) }, ...steps.map((step) => ({ ...step, ms: 2 }))],
      );
      return told(world, await timelineOf(world)).at(-1);
    };

    it('what the price goes back to', async () => {
      expect(
        await causeOf([
          { book: 1, event: set(override(7)) },
          { book: 1, event: set(override(7)) },
          { book: 1, event: setAll(5) },
          { book: 0, event: set(override(200)) },
        ]),
      ).to.equal('2: 7, ProductPricesSet 1/2');
    });

    it('that of the nearest book, where it goes back to several', async () => {
      const steps = [
        { book: 1, event: setAll(5) },
        { book: 0, event: set(override(200)) },
      ];
      expect(await causeOf(steps)).to.equal('2: 210, AllProductsAdjusted 1/1');
    });

    it('the last one that mattered, where there is no price to go back from', async () => {
      expect(
        await causeOf([
          { book: 0, event: set(nothing) },
          { book: 0, event: set(nothing) },
          { book: 0, event: setAll(5) },
          { book: 1, event: setAll(5) },
        ]),
      ).to.equal('2: NoListPrice, ProductPricesSet 0/2');
    });
  });

  it('reads what happened in one instant together, however much it is', async () => {
    const many = Array.from({ length: 500 }, (_, n) => ({ book: 0, ms: 1, event: set(override(n)) }));
    const world = await play([0], [...many, { book: 0, ms: 2, event: set(override(1)) }]);
    expect(told(world, await timelineOf(world, 1))).to.deep.equal([
      '1: 499, ProductPricesSet 0/500',
      '2: 1, ProductPricesSet 0/501',
    ]);
  });

  it('is paged by what it reads: a page of a long history costs as much as one of a short one', async () => {
    const many = Array.from({ length: 3_000 }, (_, n) => ({ book: 0, ms: n + 1, event: set(override(n)) }));
    const world = await play([0, 2_900], many);
    const read = async (from: string | undefined) => {
      const before = world.rowsRead();
      const page = right(await world.priceBooks.priceHistory({ ...questionOf(world), limit: 10, from })());
      expect(page.periods).to.have.length(10);
      return { rows: world.rowsRead() - before, next: page.next };
    };
    const first = await read(undefined);
    const second = await read(first.next);
    const late = await read(instant(2_980));
    expect([first.rows, second.rows, late.rows].every((rows) => rows > 0 && rows <= 60)).to.equal(true);
    expect(second.next).to.equal(instant(2_920));
  });

  it('passes over what changes no price in large steps, however short the page', async () => {
    const many = Array.from({ length: 3_000 }, (_, n) => ({ book: 0, ms: n + 1, event: setAll(n % 50) }));
    const world = await play([0], many);
    expect(await timelineOf(world, 1)).to.deep.equal([]);
    expect(world.rowsRead()).to.be.below(3_200);
  });

  it('reads the fewer changes at once, the larger the tables in them are', async () => {
    const values = Array.from({ length: 1_000 }, (_, n) => ({ value: `${String(n)} regions`, unitPrice: n }));
    const large: Adjustment = { type: 'enum', property: 'region', values };
    const steps = [0, 1, 2].flatMap((book) =>
      Array.from({ length: 60 }, (_, n) => ({ book, ms: n + 1, event: set(large) })),
    );
    const world = await play([0, 0, 0], steps);
    const pages = await pagesOf(world, 100, new Map([['region', ['7 regions']]]));
    expect(pages.flat()).to.have.length(60);
    expect(world.largestRead()).to.be.below(4 * 1024 * 1024);
  });

  it('ends a page early where tables make it large, and never splits a period', async () => {
    const values = Array.from({ length: 1_000 }, (_, n) => ({
      value: `${String(n)}${'x'.repeat(1_000)}`,
      unitPrice: n,
    }));
    const large: Adjustment = { type: 'enum', property: 'region', values };
    const world = await play(
      [0],
      [1, 2, 3, 4, 5, 6].flatMap((ms) => [
        { book: 0, ms: ms * 10, event: set(large) },
        { book: 0, ms: ms * 10 + 1, event: set(override(ms)) },
      ]),
    );
    const pages = await pagesOf(world, 100);
    expect(pages.map((page) => page.length)).to.deep.equal([9, 3]);
    expect(told(world, pages.flat())).to.deep.equal(told(world, (await pagesOf(world, 1)).flat()));
  });

  it('agrees with the price at every instant, in pages of any size', async () => {
    const amount = fc.nat(9);
    const event = fc.oneof(
      { weight: 4, arbitrary: amount.map((n) => set(override(n))) },
      { weight: 3, arbitrary: amount.map((n) => set(percent(n))) },
      { weight: 2, arbitrary: fc.constant(set(nothing)) },
      { weight: 2, arbitrary: fc.constant(set(regions)) },
      { weight: 3, arbitrary: fc.option(amount).map(setAll) },
      { weight: 1, arbitrary: fc.constantFrom(removed, renamed, set(override(3), Q)) },
    );
    const LAST = 16;
    const histories = fc
      .record({
        createdAt: fc.array(fc.nat(6), { minLength: 1, maxLength: 3 }),
        events: fc.array(fc.record({ book: fc.nat(2), ms: fc.nat(LAST), event }), { maxLength: 30 }),
        gaps: fc.array(
          fc.option(fc.record({ from: fc.integer({ min: 6, max: LAST }), length: fc.option(fc.nat(5)) })),
          { minLength: 3, maxLength: 3 },
        ),
      })
      .map(({ createdAt, events, gaps }) => {
        const own = createdAt.flatMap((first, book) => {
          const ofBook = events
            .map((step) => ({ ...step, book: step.book % createdAt.length }))
            .filter((step) => step.book === book && step.ms >= first)
            .sort((a, b) => a.ms - b.ms);
          const gap = gaps[book] ?? undefined;
          if (gap === undefined) return ofBook;
          const { from, length } = gap;
          const before = [...ofBook.filter(({ ms }) => ms <= from), { book, ms: from, event: deleted }];
          if (length === null) return before;
          const end = from + length;
          const after = ofBook.filter(({ ms }) => ms > from && ms >= end);
          return [...before, { book, ms: end, event: restored }, ...after];
        });
        return { createdAt, steps: own };
      });
    const terms = fc.constantFrom<PriceParameters>(
      noParameters,
      new Map([['region', ['EU']]]),
      new Map([['region', ['nowhere']]]),
    );
    await fc.assert(
      fc.asyncProperty(
        histories,
        terms,
        fc.integer({ min: 1, max: 5 }),
        async ({ createdAt, steps }, parameters, limit) => {
          const world = await play(createdAt, steps);
          const pages = await pagesOf(world, limit, parameters);
          for (const page of pages.slice(0, -1)) expect(page).to.have.length(limit);
          const periods = pages.flat();
          periods.forEach(({ from, to }, place) => {
            expect(to).to.equal(periods[place + 1]?.from ?? null);
            if (to !== null) expect(from < to).to.equal(true);
          });
          const facts = (answer: PricePeriod['answer']) =>
            E.isRight(answer) ? [answer.right.price, answer.right.effectiveDate] : answer.left;
          let changes = 0;
          let before: unknown = { _tag: 'NoListPrice' };
          for (let ms = -1; ms <= LAST + 7; ms += 1) {
            const at = instant(ms);
            const question = { ...questionOf(world, parameters), at };
            const answer = facts((await world.priceBooks.price(question)()) as PricePeriod['answer']);
            const period = periods.find(({ from, to }) => from <= at && (to === null || at < to));
            expect(answer).to.deep.equal(
              period === undefined ? { _tag: 'NoListPrice' } : facts(period.answer),
            );
            if (JSON.stringify(answer) !== JSON.stringify(before)) changes += 1;
            before = answer;
          }
          expect(periods).to.have.length(changes);
        },
      ),
      { numRuns: 1_000 },
    );
  }).timeout(60_000);
});
