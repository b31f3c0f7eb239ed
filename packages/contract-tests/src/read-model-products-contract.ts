/** What every read model has to do for products: those of a book and its bases, and what they cost. */
import {
  changesOf,
  type CurrentPrice,
  type EffectivePricesQuestion,
  type PriceBooks,
  type PriceQuestion,
} from '@pricebook/application';
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
  preview,
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

/** An answer with how it came about. */
const explained = (answer: E.Either<unknown, CurrentPrice>) =>
  E.isLeft(answer) ? answer.left : { ...answer.right, steps: answer.right.steps() };

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
  { runs = 40 }: { readonly runs?: number } = {},
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

    describe('the books of a product', () => {
      const [P, Q, PQ] = ['P', 'Q', 'PQ'] as [ProductId, ProductId, ProductId];
      const list = (productId: ProductId, limit: number, from?: PriceBookId) =>
        succeed(underTest.readModel.listBooksOfProduct(productId, limit, from));

      it('come by their ids, from anywhere on', async () => {
        const ids: PriceBookId[] = [];
        for (let n = 0; n < 4; n += 1) ids.push(await given(created, set(USD, P), set(EUR, P, PQ)));
        const [first, , third] = ids as [PriceBookId, PriceBookId, PriceBookId];
        await given(created, set(USD, Q));
        expect(await list(P, 4)).to.deep.equal({ items: ids, next: undefined });
        expect(await list(P, 2, first)).to.deep.equal({ items: ids.slice(0, 2), next: third });
        expect(await list(P, 9, third)).to.deep.equal({ items: ids.slice(2), next: undefined });
        expect(await list(P, 1, v7() as PriceBookId)).to.deep.equal({ items: [], next: undefined });
        expect(await list('R' as ProductId, 1)).to.deep.equal({ items: [], next: undefined });
      });

      it('are those that ever held something of it, in whatever order that comes', async () => {
        const nothing: PriceBookEvent = { type: 'PriceBookEntriesDeleted', data: { productIds: [P] } };
        const never = await given(created, nothing);
        const later = await given(created, nothing, set(USD, P));
        const taken = await given(created, set(USD, P), nothing, deleted);
        const late = v7() as PriceBookId;
        const changes = [created, nothing, set(USD, P)].map((event, revision) =>
          changesOf(late, event, { revision, occurredAt: instant(revision), actor: 'key' }),
        );
        for (const one of changes.reverse()) await succeed(underTest.readModel.apply(one, (position += 1n)));
        const { items } = await list(P, 9);
        expect(items.filter((id) => id !== never)).to.deep.equal([later, taken, late]);
        // A book that holds nothing may be listed: what it holds is looked at.
        const cells = await succeed(underTest.readModel.findProduct([never], P));
        expect(Object.keys(cells[0] ?? {})).to.deep.equal([]);
      });

      it('are told what they hold, in the order asked', async () => {
        const one = await given(created, set(USD, P), set(EUR, P));
        const other = await given(created, set(USD, P, Q));
        const asked = [other, v7() as PriceBookId, one];
        const found = await succeed(underTest.readModel.findProduct(asked, P));
        expect(found.map((cells) => cells && Object.keys(cells).sort())).to.deep.equal([
          ['USD'],
          undefined,
          ['EUR', 'USD'],
        ]);
        expect(found[2]?.[EUR]?.absolute).to.include({ revision: 2, actor: 'key' });
        expect(await succeed(underTest.readModel.findProduct([], P))).to.deep.equal([]);
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
              answer: explained(answer),
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
          if (E.isRight(answer) || answer.left._tag !== 'NoListPrice') {
            lines.push({ productId, answer: explained(answer) });
          }
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

      it('all of a product is what lists of books and single prices say of it', async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.integer({ min: 1, max: MAX_CHAIN }),
            fc.array(step, { minLength: 4, maxLength: 20 }),
            fc.integer({ min: 1, max: 6 }),
            parametersTried,
            async (length, steps, limit, tried) => {
              second = 5;
              const chain = await chainOf(length, steps);
              const gone = await chainOf(1, steps);
              await succeed(priceBooks.delete(gone[0], caller));
              for (const productId of productIds) {
                const own = new Map<PriceBookId, object>();
                for (const priceBookId of chain) {
                  const { products } = await succeed(priceBooks.ownPrices({ priceBookId, limit: 100 }));
                  const found = products.find((product) => product.productId === productId);
                  if (found !== undefined) own.set(priceBookId, found);
                }
                const books: unknown[] = [];
                // Books of other runs are older.
                for (let [from] = chain; ;) {
                  const page = await succeed(priceBooks.productBooks({ productId, from, limit }));
                  expect(page.books.length).to.be.at.most(limit);
                  for (const { priceBook, ...prices } of page.books) {
                    if (chain.includes(priceBook.priceBookId)) books.push({ productId, ...prices });
                    else expect(priceBook.priceBookId).not.to.equal(gone[0]);
                  }
                  if (page.next === undefined) break;
                  from = page.next;
                }
                expect(books).to.deep.equal([...own.values()]);
                for (const priceBookId of chain) {
                  for (const parameters of tried) {
                    const { prices, ...its } = await succeed(
                      priceBooks.product({ priceBookId, productId, parameters }, ({ currency }, answer) => ({
                        currency,
                        answer: explained(answer),
                      })),
                    );
                    const none = { adjustments: {}, percents: {}, dated: {} };
                    expect({ productId, ...its }).to.deep.equal(
                      own.get(priceBookId) ?? { productId, ...none },
                    );
                    const answers = [];
                    for (const currency of [...currencies].sort()) {
                      const answer = await priceBooks.price({
                        priceBookId,
                        productId,
                        currency,
                        parameters,
                      })();
                      if (E.isRight(answer) || answer.left._tag !== 'NoListPrice')
                        answers.push({ currency, answer: explained(answer) });
                    }
                    expect(prices).to.deep.equal(answers);
                  }
                }
              }
            },
          ),
          options,
        );
      }).timeout(120_000);

      it('a preview says what prices are, and what the write makes of them', async () => {
        await fc.assert(
          fc.asyncProperty(
            fc.integer({ min: 1, max: MAX_CHAIN }),
            fc.array(step, { minLength: 4, maxLength: 16 }),
            step,
            fc.uniqueArray(fc.integer({ min: 1, max: LAST_SECOND }), { minLength: 3, maxLength: 8 }),
            async (length, steps, { place, asked, pause }, later) => {
              second = 5;
              const chain = await chainOf(length, steps);
              second += pause;
              const book = chain[place % length] ?? chain[0];
              const seconds = [undefined, ...later.map((n) => instant(second + n)).sort()];
              const questions = productIds.flatMap((productId) =>
                currencies.flatMap((currency) => seconds.map((at) => ({ productId, currency, at }))),
              );
              const price = (priceBookId: PriceBookId, question: Omit<PriceQuestion, 'priceBookId'>) =>
                priceBooks.price({ ...question, priceBookId })();
              /** Prices of now and planned ones, with no word to a table; undefined where one is asked for. */
              const plainPrices = () =>
                Promise.all(
                  questions.map(async (question) => {
                    const answer = await price(book, { ...question, parameters: new Map() });
                    if (E.isLeft(answer)) return answer.left._tag === 'NoListPrice' ? null : undefined;
                    const { steps, price: amount } = answer.right;
                    return steps()[0]?.entered?.chosen === undefined ? amount : undefined;
                  }),
                );
              const [before, eventsBefore] = [await plainPrices(), await succeed(books.eventStore.head())];
              const previewed = await preview(priceBooks, book, asked)();
              expect(await succeed(books.eventStore.head())).to.equal(eventsBefore);
              if (E.isLeft(previewed)) throw new Error(JSON.stringify(previewed.left));
              const { changes, hasMore } = previewed.right.preview;
              const pricesOf = (priceBookId: PriceBookId) =>
                Promise.all(
                  changes.map(async ({ productId, currency, at, choices }) => {
                    const parameters = new Map(choices.map(({ property, value }) => [property, [value]]));
                    const answer = await price(priceBookId, { productId, currency, at, parameters });
                    return E.isRight(answer) ? answer.right.price : null;
                  }),
                );
              expect(await pricesOf(book)).to.deep.equal(changes.map((change) => change.before));
              await request(priceBooks, book, asked);
              expect(await pricesOf(book)).to.deep.equal(changes.map((change) => change.after));
              expect(changes.filter((change) => change.before === change.after)).to.deep.equal([]);
              // Whatever becomes another price is told, at the instant from which it does.
              if (hasMore) return;
              const after = await plainPrices();
              for (const [index, { productId, currency, at = instant(second) }] of questions.entries()) {
                const [was, is] = [before[index], after[index]];
                if (was === undefined || is === undefined || was === is) continue;
                const told = changes
                  .filter((one) => one.productId === productId && one.currency === currency)
                  .filter((one) => one.choices.length === 0 && (one.at ?? instant(second)) <= at);
                expect(told.at(-1)).to.deep.include({ before: was, after: is });
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
