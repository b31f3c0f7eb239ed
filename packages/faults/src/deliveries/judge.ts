/** Whether a read model is what a fresh replay makes, entry by entry and price by price. */
import { type EventStore, type ReadModel, replay, verify } from '@pricebook/application';
import { createInMemoryReadModel } from '@pricebook/application/in-memory';
import { succeed } from '@pricebook/contract-tests';
import {
  type Currency,
  explainPrice,
  noParameters,
  type PriceBookId,
  type ProductId,
  resolvePrice,
} from '@pricebook/domain';
import { isDeepStrictEqual } from 'node:util';
import type { Random } from '../random';
import type { UnderTest } from './adapters';

const signal = new AbortController().signal;

/** More books than there are. */
const MANY = 10_000;

export interface Question {
  readonly priceBookId: PriceBookId;
  readonly productId: ProductId;
  readonly currency: Currency;
  readonly at: string | undefined;
}

const answer = async (readModel: ReadModel, { priceBookId, productId, currency, at }: Question) => {
  const chain = await succeed(readModel.findHoldings(priceBookId, productId, currency, at));
  if (chain === undefined) return undefined;
  const price = resolvePrice(chain, currency, noParameters);
  return { price, steps: explainPrice(chain, currency, noParameters) };
};

/** A read model that was given every event once, in order. */
export const freshReplay = async (eventStore: EventStore): Promise<ReadModel> => {
  const fresh = createInMemoryReadModel();
  const until = await succeed(eventStore.head());
  if (until !== undefined) await succeed(replay(eventStore, fresh, { until, signal }));
  return fresh;
};

/** @returns what is wrong, in words. */
export const judge = async (
  eventStore: EventStore,
  underTest: UnderTest,
  fresh: ReadModel,
  questions: readonly Question[],
): Promise<readonly string[]> => {
  const wrong: string[] = [];
  const live = await underTest.live();
  const verified = await succeed(
    verify(
      { eventStore, live, scratch: createInMemoryReadModel() },
      { signal, onDifference: (difference) => wrong.push(JSON.stringify(difference)) },
    ),
  );
  if (verified.behind > 0) wrong.push(`${String(verified.behind)} events behind`);
  const readModel = underTest.readModel();
  for (const question of questions) {
    const [found, expected] = [await answer(readModel, question), await answer(fresh, question)];
    if (!isDeepStrictEqual(found, expected)) {
      wrong.push(`${JSON.stringify(question)}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
    }
  }
  const [books, expectedBooks] = [
    await succeed(readModel.listPriceBooks(MANY)),
    await succeed(fresh.listPriceBooks(MANY)),
  ];
  if (!isDeepStrictEqual(books, expectedBooks)) wrong.push(`books: ${JSON.stringify(books)}`);
  // What the base of a book is gone is no fault of a delivery.
  return wrong.filter((one) => !one.startsWith('{"kind":"base gone"'));
};

/** Those of random histories, and one that is in none. */
const PRODUCTS = ['P', 'Q/ü', '__proto__', '$set.x', 'unknown'] as const;
const CURRENCIES = ['USD', 'EUR', 'JPY'] as const;

export const randomQuestion = (
  random: Random,
  books: readonly [PriceBookId, ...PriceBookId[]],
  times: readonly [string, ...string[]],
): Question => ({
  priceBookId: random.pick(books),
  productId: random.pick(PRODUCTS) as string as ProductId,
  currency: random.pick(CURRENCIES) as string as Currency,
  at: random.chance(0.5) ? random.pick(times) : undefined,
});
