/** What the products of a book and of its bases cost in a currency: a page at a time. */
import { setImmediate } from 'node:timers/promises';
import type { ProductId, QuoteLine } from '@pricebook/domain';
import { earlier } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { ReadModel } from '../ports/read-model';
import type { StoreError } from '../ports/store-error';
import { listChainProducts } from './chain-products';
import type { PriceQuestion } from './price';
import { beginningWith, whereBeginsWith } from './product-prefix';
import { type Quote, type QuotedLine, whereListed } from './quote';

/** What one page looks at, whatever it finds. */
const MAX_SEEN = 10_000;
/** Products priced between two turns of the event loop. */
const MAX_READ = 200;

export interface EffectivePricesQuestion extends Omit<PriceQuestion, 'productId'> {
  /** The product id at which the page begins; absent for the first. */
  readonly from?: ProductId | undefined;
  /** Only products whose ids begin with it. */
  readonly productIdPrefix?: string | undefined;
  /** As many products as the page has at most. */
  readonly limit: number;
}

export interface EffectivePricesPage<A> {
  /** By product id, in the order of code points. */
  readonly prices: readonly A[];
  /** The product id at which the next page begins; undefined at the end. */
  readonly next: ProductId | undefined;
}

/** The books of a chain are the same whichever product is asked about. */
const ANY_PRODUCT = '-' as ProductId;

/**
 * The prices that a quote of the products would answer. Those that have no list price are left out; those whose table
 * has no row for the question are not. A page may hold fewer than the limit, or none, and still not be the last.
 */
export const readEffectivePrices =
  <A>(
    readModel: Pick<ReadModel, 'findHoldings' | 'listProducts'>,
    quote: Quote,
    { from, limit, productIdPrefix, ...question }: EffectivePricesQuestion,
    keep: (line: QuoteLine, quoted: QuotedLine) => A,
  ): TaskEither<StoreError | { readonly _tag: 'PriceBookNotFound' }, EffectivePricesPage<A>> =>
  async () => {
    const { priceBookId, currency, parameters, at, knownAt } = question;
    const instant = earlier(at, knownAt);
    const chain = await readModel.findHoldings(priceBookId, ANY_PRODUCT, currency, instant)();
    if (E.isLeft(chain)) return chain;
    if (chain.right === undefined) return E.left({ _tag: 'PriceBookNotFound' });
    const books = chain.right.map((book) => book.priceBookId);
    const lineOf = (productId: ProductId): QuoteLine => ({
      productId,
      currency,
      parameters,
      ...(at !== undefined && { at }),
      ...(knownAt !== undefined && { knownAt }),
    });

    const prices: A[] = [];
    let place = beginningWith(productIdPrefix, from);
    let seen = 0;
    for (let read = Math.min(limit, MAX_READ); ;) {
      const listed = await listChainProducts(readModel, books, currency, read, place)();
      if (E.isLeft(listed)) return listed;
      const { items, next } = whereBeginsWith(productIdPrefix, listed.right, (id) => id);
      if (items.length === 0) return E.right({ prices, next });
      const quoted = await quote(priceBookId, items.map(lineOf), whereListed(keep))();
      if (E.isLeft(quoted)) return quoted;
      const before = prices.length;
      for (const [index, kept] of quoted.right.entries()) {
        if (kept.length > 0 && prices.length === limit) return E.right({ prices, next: items[index] });
        prices.push(...kept);
      }
      seen += items.length;
      if (next === undefined || prices.length === limit || seen >= MAX_SEEN) return E.right({ prices, next });
      place = next;
      // Where nothing was found, many products may have to be passed over.
      const missing = prices.length > before ? limit - prices.length : read * 2;
      read = Math.min(missing, MAX_READ, MAX_SEEN - seen);
      await setImmediate();
    }
  };
