/** Copies of books that are made from what the lists answer, and whether they give the same prices. */
import type { PriceBooks } from '@pricebook/application';
import {
  type BookPercent,
  type Currency,
  deleteEntriesCodec,
  type PriceBookId,
  type PriceParameters,
  type ProductId,
  setProductPricesReader,
} from '@pricebook/domain';
import { parameters, priceRequests, type RequestJson } from '@pricebook/domain/testing';
import fc from 'fast-check';
import * as E from 'fp-ts/Either';
import { datedOrNot } from './dated-adjustments';
import { succeed } from './either';

/** Some whose order differs from that of JavaScript's own units, and one that begins with another. */
export const productIds = ['P', 'P/ü', '\uff5e', '🎈', '__proto__'] as ProductId[];
export const currencies = ['USD', 'JPY', 'BHD'] as Currency[];

/** Dates of requests are before it. */
export const LAST_SECOND = 30;

/** Requests that mostly meet in one product and currency. */
export const { productRequest, allProductsRequest } = priceRequests(
  fc.oneof(
    { weight: 3, arbitrary: fc.constant('P') },
    { weight: 2, arbitrary: fc.constantFrom(...productIds) },
  ),
  fc.oneof(
    { weight: 4, arbitrary: fc.constant('usd') },
    { weight: 1, arbitrary: fc.constantFrom(...currencies) },
  ),
  (one) => fc.oneof({ weight: 2, arbitrary: one }, { weight: 1, arbitrary: datedOrNot(one, LAST_SECOND) }),
);

/** Parameters to ask each price with: without any, and some that tables may read. */
export const parametersTried: fc.Arbitrary<readonly PriceParameters[]> = fc
  .array(parameters, { maxLength: 2 })
  .map((some) => [new Map(), ...some]);

const caller = { actor: 'tests', requestId: 'tests' };

/** A body of Set Product Prices as a client sends it. */
const put = async (priceBooks: PriceBooks, id: PriceBookId, body: unknown) => {
  const command = setProductPricesReader.decode(JSON.parse(JSON.stringify(body)));
  if (E.isLeft(command)) throw new Error(`${JSON.stringify(body)} was refused`);
  return priceBooks.setPrices(id, command.right, caller)();
};

const putOrFail = async (priceBooks: PriceBooks, id: PriceBookId, body: unknown): Promise<void> => {
  await succeed(() => put(priceBooks, id, body));
};

/** Carries out a request; the products that it names. One that has ended before it is made changes nothing. */
export const request = async (
  priceBooks: PriceBooks,
  id: PriceBookId,
  { operation, body }: RequestJson,
): Promise<readonly string[]> => {
  if (operation === 'delete') {
    const ids = deleteEntriesCodec.decode(body);
    if (E.isLeft(ids)) throw new Error(`${JSON.stringify(body)} was refused`);
    await succeed(priceBooks.deleteEntries(id, ids.right, caller));
    return body;
  }
  const done = await put(priceBooks, id, body);
  if (E.isLeft(done) && !JSON.stringify(body).includes('validUntil')) {
    throw new Error(`${JSON.stringify(body)} was refused: ${JSON.stringify(done.left)}`);
  }
  return 'adjustments' in body ? [] : body.map(({ productId }) => productId);
};

/** What a request would change, or why it is refused. */
export const preview = (
  priceBooks: PriceBooks,
  id: PriceBookId,
  { operation, body }: RequestJson,
): ReturnType<PriceBooks['preview']> => {
  if (operation === 'delete') {
    const ids = deleteEntriesCodec.decode(body);
    if (E.isLeft(ids)) throw new Error(`${JSON.stringify(body)} was refused`);
    return priceBooks.preview(id, { _tag: 'DeletePriceBookEntries', productIds: ids.right }, caller);
  }
  const command = setProductPricesReader.decode(JSON.parse(JSON.stringify(body)));
  if (E.isLeft(command)) throw new Error(`${JSON.stringify(body)} was refused`);
  return priceBooks.preview(id, command.right, caller);
};

/** Sets what a book says itself into another one. */
export const copyPrices = async (
  priceBooks: PriceBooks,
  from: PriceBookId,
  to: PriceBookId,
  limit: number,
): Promise<void> => {
  for (let place: ProductId | undefined; ;) {
    const { products, next } = await succeed(priceBooks.ownPrices({ priceBookId: from, from: place, limit }));
    const items = (of: 'adjustments' | 'percents' | 'dated') =>
      products.map((product) => ({ productId: product.productId, adjustments: product[of] }));
    await putOrFail(priceBooks, to, items('adjustments'));
    await putOrFail(priceBooks, to, items('percents'));
    await putOrFail(priceBooks, to, items('dated'));
    if (next === undefined) break;
    place = next;
  }
  const { percents } = await succeed(priceBooks.percents(from));
  const adjustments = (Object.entries(percents) as [Currency, BookPercent][]).map(
    ([code, { adjustment, dated = [] }]) => {
      const standing = adjustment === null ? [] : [adjustment];
      return [code, [...standing, ...dated]] as const;
    },
  );
  await putOrFail(priceBooks, to, { productId: 'all', adjustments: Object.fromEntries(adjustments) });
};

/**
 * The questions to which two books answer differently: with another price, or another reason why there is none.
 *
 * @param times at which they are asked; undefined for now.
 */
export const differences = async (
  priceBooks: PriceBooks,
  a: PriceBookId,
  b: PriceBookId,
  tried: readonly PriceParameters[],
  times: readonly (string | undefined)[],
): Promise<readonly unknown[]> => {
  const answer = async (
    priceBookId: PriceBookId,
    question: Omit<Parameters<PriceBooks['price']>[0], 'priceBookId'>,
  ) => {
    const resolved = await priceBooks.price({ ...question, priceBookId })();
    return JSON.stringify(E.isRight(resolved) ? resolved.right.price : resolved.left);
  };
  const questions = productIds.flatMap((productId) =>
    currencies.flatMap((currency) =>
      tried.flatMap((parameters) => times.map((at) => ({ productId, currency, parameters, at }))),
    ),
  );
  const found = await Promise.all(
    questions.map(async (question) => {
      const [ofA, ofB] = await Promise.all([answer(a, question), answer(b, question)]);
      return ofA === ofB ? undefined : { ...question, ofA, ofB };
    }),
  );
  return found.filter((one) => one !== undefined);
};
