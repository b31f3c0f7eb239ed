/** What every read model has to do for products: those of a book and its bases, and what they cost. */
import { changesOf, type EffectivePricesQuestion, type PriceBooks } from '@pricebook/application';
import type { Currency, PriceBookEvent, PriceBookId, ProductId } from '@pricebook/domain';
import { expect } from 'chai';
import fc from 'fast-check';
import * as E from 'fp-ts/Either';
import { v7 } from 'uuid';
import { instant } from './dated-adjustments';
import { succeed } from './either';
import {
  allProductsRequest,
  currencies,
  LAST_SECOND,
  parametersTried,
  productIds,
  productRequest,
  request,
} from './price-copies';
import { startBooks } from './random-history';
import type { ReadModelUnderTest } from './read-model-contract';

const [USD, EUR] = ['USD', 'EUR'] as [Currency, Currency];
/** In the order of code points; that of JavaScript's own units has the last two the other way round. */
const ordered = ['-', 'P', 'PP', 'a', 'ü', '\uff5e', '🎈'] as ProductId[];
const inOrder = [...productIds].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
const MAX_CHAIN = 5;
const caller = { actor: 'tests', requestId: 'tests' };

const created: PriceBookEvent = {
  type: 'PriceBookCreated',
  data: { name: 'A', description: '', basePriceBookIds: [] },
};
const deleted: PriceBookEvent = { type: 'PriceBookDeleted', data: {} };
const set = (currency: Currency, ...ids: readonly ProductId[]): PriceBookEvent => ({
  type: 'ProductPricesSet',
  data: {
    items: ids.map((productId) => ({
      productId,
      adjustments: { [currency]: { type: 'override', amount: 1 } },
    })),
  },
});

/** What is done to a chain of books: in one of them, after a pause. */
const step = fc.record({
  place: fc.nat(MAX_CHAIN - 1),
  pause: fc.integer({ min: 0, max: 3 }),
  asked: fc.oneof({ weight: 3, arbitrary: productRequest }, { weight: 1, arbitrary: allProductsRequest }),
});

/** @param runs how many random chains each property is tried with. */
export const describeReadModelProducts = (
  name: string,
  create: () => Promise<ReadModelUnderTest>,
  { runs = 100 }: { readonly runs?: number } = {},
): void => {
  // What has been found is said before the test runs out of time.
  const options = { numRuns: runs, interruptAfterTimeLimit: 90_000 };

  describe(`products of the read model: ${name}`, () => {
    let underTest: ReadModelUnderTest;
    let position = 0n;

    beforeEach(async () => {
      underTest = await create();
    });
    afterEach(() => underTest.dispose());

    const given = async (...events: readonly PriceBookEvent[]): Promise<PriceBookId> => {
      const id = v7() as PriceBookId;
      const changes = events.flatMap((event, revision) =>
        changesOf(id, event, { revision, occurredAt: instant(revision), actor: 'key' }),
      );
      await succeed(underTest.readModel.apply(changes, (position += 1n)));
      return id;
    };

    describe('those of a book', () => {
      const list = (id: PriceBookId, limit: number, from?: ProductId) =>
        succeed(underTest.readModel.listProducts(id, USD, limit, from));

      it('come in the order of code points, from anywhere on', async () => {
        const id = await given(created, set(USD, ...ordered.slice(3), ...ordered.slice(0, 3)));
        expect(await list(id, 7)).to.deep.equal({ items: ordered, next: undefined });
        for (const [place, from] of ordered.entries()) {
          const items = ordered.slice(place, place + 2);
          expect(await list(id, 2, from)).to.deep.equal({ items, next: ordered[place + 2] });
        }
        expect(await list(id, 2, 'PA' as ProductId)).to.deep.equal({ items: ['PP', 'a'], next: 'ü' });
        expect(await list(id, 2, '🎈🎈' as ProductId)).to.deep.equal({ items: [], next: undefined });
      });

      it('are those of this book alone, also where it is deleted', async () => {
        const [P, Q] = ['P', 'Q'] as [ProductId, ProductId];
        const first = await given(created, set(USD, P), set(EUR, P), deleted);
        const second = await given(created, set(USD, Q));
        expect(await list(first, 9)).to.deep.equal({ items: [P], next: undefined });
        expect(await list(second, 9)).to.deep.equal({ items: [Q], next: undefined });
        expect(await list(v7() as PriceBookId, 9)).to.deep.equal({ items: [], next: undefined });
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

      /** Books on top of each other, after the steps; the last one is at the end of the chain. */
      const chainOf = async (
        length: number,
        steps: readonly { place: number; pause: number; asked: Parameters<typeof request>[2] }[],
      ): Promise<readonly [PriceBookId, ...PriceBookId[]]> => {
        const createBook = async (basePriceBookId?: PriceBookId): Promise<PriceBookId> => {
          const { priceBook } = await succeed(priceBooks.create({ name: 'A', basePriceBookId }, caller));
          return priceBook.priceBookId;
        };
        const chain: [PriceBookId, ...PriceBookId[]] = [await createBook()];
        while (chain.length < length) chain.push(await createBook(chain.at(-1)));
        for (const { place, pause, asked } of steps) {
          second += pause;
          const book = chain[place % length];
          if (book !== undefined) await request(priceBooks, book, asked);
        }
        return chain;
      };

      type Question = Omit<EffectivePricesQuestion, 'from' | 'limit'>;

      /** All pages of effective prices. */
      const pagesOf = async (question: Question, limit: number) => {
        const lines: { productId: ProductId; answer: unknown }[] = [];
        for (let from: ProductId | undefined; ;) {
          const page = await succeed(
            priceBooks.effectivePrices({ ...question, from, limit }, ({ productId }, answer) => ({
              productId,
              answer,
            })),
          );
          expect(page.prices.length).to.be.at.most(limit);
          lines.push(...page.prices);
          if (page.next === undefined) return lines;
          from = page.next;
        }
      };

      /** What Get Product Price answers for each product, but for those without a list price. */
      const pricesOf = async (question: Question) => {
        const lines: { productId: ProductId; answer: unknown }[] = [];
        for (const productId of inOrder) {
          const answer = await priceBooks.price({ ...question, productId })();
          if (E.isRight(answer) || answer.left._tag !== 'NoListPrice') lines.push({ productId, answer });
        }
        return lines;
      };

      it('effective prices are the prices of all products of a chain, each once and in order', async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.integer({ min: 1, max: MAX_CHAIN }),
            fc.array(step, { minLength: 4, maxLength: 20 }),
            fc.integer({ min: 1, max: 6 }),
            parametersTried,
            fc.array(fc.integer({ min: -1, max: LAST_SECOND + 1 }), { maxLength: 3 }),
            fc.boolean(),
            async (length, steps, limit, tried, seconds, isDeleted) => {
              second = 5;
              const chain = await chainOf(length, steps);
              const last = chain.at(-1) ?? chain[0];
              const times = [undefined, ...seconds.map(instant)];
              if (isDeleted) await succeed(priceBooks.delete(last, caller));
              for (const priceBookId of isDeleted ? [last] : chain) {
                for (const at of isDeleted ? times.slice(1) : times) {
                  const known = at === undefined ? [undefined] : [undefined, instant(second - 2)];
                  for (const knownAt of known) {
                    for (const currency of currencies) {
                      for (const parameters of tried) {
                        const question = { priceBookId, currency, parameters, at, knownAt };
                        expect(await pagesOf(question, limit)).to.deep.equal(await pricesOf(question));
                      }
                    }
                  }
                }
              }
            },
          ),
          options,
        );
      }).timeout(120_000);

      it('effective prices are not there without a book', async () => {
        const question = { currency: USD, parameters: new Map(), limit: 1 };
        const ask = (priceBookId: PriceBookId, at?: string) =>
          priceBooks.effectivePrices({ ...question, priceBookId, at }, () => true)();
        const [book] = await chainOf(1, []);
        expect(await ask(book)).to.deep.equal(E.right({ prices: [], next: undefined }));
        await succeed(priceBooks.delete(book, caller));
        expect(await ask(book)).to.deep.equal(E.left({ _tag: 'PriceBookNotFound' }));
        expect(await ask(book, instant(0))).to.deep.equal(E.right({ prices: [], next: undefined }));
        expect(await ask(v7() as PriceBookId, instant(0))).to.deep.equal(
          E.left({ _tag: 'PriceBookNotFound' }),
        );
      });
    });
  });
};
