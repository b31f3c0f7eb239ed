/** What the events make of prices, by a read model in memory that no kill reaches. */
import { changesOf, decodeRecorded, priceBookOf, type RecordedEvent } from '@pricebook/application';
import { createInMemoryReadModel } from '@pricebook/application/in-memory';
import {
  type Currency,
  noParameters,
  type PriceBookId,
  type ProductId,
  resolvePrice,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';

interface Price {
  readonly price: number;
  readonly effectiveDate: string;
}

export interface ExpectedPrices {
  readonly apply: (events: readonly RecordedEvent[]) => Promise<void>;
  /** Undefined where there is no price. */
  readonly of: (book: string, product: string, at?: string) => Promise<Price | undefined>;
}

const USD = 'USD' as Currency;

export const createExpectedPrices = (): ExpectedPrices => {
  const readModel = createInMemoryReadModel();
  return {
    apply: async (events) => {
      for (const recorded of events) {
        const book = priceBookOf(recorded.stream);
        const decoded = decodeRecorded(recorded);
        if (book === undefined || E.isLeft(decoded)) throw new Error(`cannot be read: ${recorded.stream}`);
        const { event, stamp } = decoded.right;
        await readModel.apply(changesOf(book, event, stamp), recorded.position)();
      }
    },
    of: async (book, product, at) => {
      const chain = await readModel.findHoldings(book as PriceBookId, product as ProductId, USD, at)();
      if (E.isLeft(chain) || chain.right === undefined) return undefined;
      const resolved = resolvePrice(chain.right, USD, noParameters);
      if (E.isLeft(resolved)) return undefined;
      const { price, effectiveDate } = resolved.right;
      return { price, effectiveDate };
    },
  };
};
