/** What events make of prices, by a read model in memory that no fault reaches. */
import { changesOf, decodeRecorded, priceBookOf, type RecordedEvent } from '@pricebook/application';
import { createInMemoryReadModel } from '@pricebook/application/in-memory';
import {
  type Currency,
  noParameters,
  type PriceBookEvent,
  type PriceBookId,
  type ProductId,
  resolvePrice,
  type Stamp,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';

interface Price {
  readonly price: number;
  readonly effectiveDate: string;
}

export interface ExpectedPrices {
  readonly apply: (book: PriceBookId, event: PriceBookEvent, stamp: Stamp) => Promise<void>;
  readonly applyRecorded: (events: readonly RecordedEvent[]) => Promise<void>;
  /** In USD; undefined where there is no price. */
  readonly of: (book: string, product: string) => Promise<Price | undefined>;
}

const USD = 'USD' as Currency;

export const createExpectedPrices = (): ExpectedPrices => {
  const readModel = createInMemoryReadModel();
  const apply: ExpectedPrices['apply'] = async (book, event, stamp) => {
    await readModel.apply(changesOf(book, event, stamp), 0n)();
  };
  return {
    apply,
    applyRecorded: async (events) => {
      for (const recorded of events) {
        const book = priceBookOf(recorded.stream);
        const decoded = decodeRecorded(recorded);
        if (book === undefined || E.isLeft(decoded)) throw new Error(`cannot be read: ${recorded.stream}`);
        await apply(book, decoded.right.event, decoded.right.stamp);
      }
    },
    of: async (book, product) => {
      const chain = await readModel.findHoldings(book as PriceBookId, product as ProductId, USD)();
      if (E.isLeft(chain) || chain.right === undefined) return undefined;
      const resolved = resolvePrice(chain.right, USD, noParameters);
      if (E.isLeft(resolved)) return undefined;
      const { price, effectiveDate } = resolved.right;
      return { price, effectiveDate };
    },
  };
};
