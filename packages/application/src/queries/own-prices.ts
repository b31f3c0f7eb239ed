/** The prices that a book says itself: what its products have of their own, a page at a time. */
import { setImmediate } from 'node:timers/promises';
import {
  type Currency,
  type OwnPrices,
  ownPricesOf,
  type PriceBookId,
  type ProductId,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import type { Clock } from '../ports/clock';
import type { ReadModel } from '../ports/read-model';
import type { StoreError } from '../ports/store-error';
import { beginningWith, whereBeginsWith } from './product-prefix';

/** What a page holds at most, in characters of JSON; one product always fits. */
const PAGE_SIZE = 4 * 1024 * 1024;
/** What one page looks at, whatever it finds: a page of a few products among very many comes in time. */
const MAX_PRODUCTS_SEEN = 10_000;
const MAX_SIZE_SEEN = 32 * 1024 * 1024;
/** Products read at once: first few, since tables make them large, and more where they turn out to be small. */
const FIRST_READ = 10;
const MAX_READ = 200;
/** As many characters of JSON make a read a large one. */
const LARGE_READ = 1024 * 1024;

export interface OwnPricesQuestion {
  readonly priceBookId: PriceBookId;
  /** Only what products have in this one. */
  readonly currency?: Currency | undefined;
  /** The product id at which the page begins; absent for the first. */
  readonly from?: ProductId | undefined;
  /** Only products whose ids begin with it. */
  readonly productIdPrefix?: string | undefined;
  /** As many products as the page has at most. */
  readonly limit: number;
}

/** What a product has of its own. */
export interface ProductOwnPrices extends OwnPrices {
  readonly productId: ProductId;
}

export interface OwnPricesPage {
  /** A revision of the book: all that was set up to it shows, and perhaps what was set since. */
  readonly revision: number;
  /** By product id, in the order of code points. */
  readonly products: readonly ProductOwnPrices[];
  /** The product id at which the next page begins; undefined at the end. */
  readonly next: ProductId | undefined;
}

/**
 * The products that have anything, with turns of the event loop in between. A page may hold fewer than the limit, or
 * none, and still not be the last. What nobody writes between two pages is in one of them,
 * and in one alone.
 */
export const readOwnPrices =
  (
    readModel: Pick<ReadModel, 'findPriceBook' | 'listHoldings'>,
    clock: Clock,
    { priceBookId, currency, from, productIdPrefix, limit }: OwnPricesQuestion,
  ): TaskEither<StoreError | { readonly _tag: 'PriceBookNotFound' }, OwnPricesPage> =>
  async () => {
    // The revision comes first: what it stands for is there when the products are read.
    const book = await readModel.findPriceBook(priceBookId)();
    if (E.isLeft(book)) return book;
    if (book.right === undefined) return E.left({ _tag: 'PriceBookNotFound' });
    const { revision, basePriceBookIds } = book.right;
    const isRoot = basePriceBookIds.length === 0;

    const now = clock.now();
    const products: ProductOwnPrices[] = [];
    const pageTo = (next: ProductId | undefined) => E.right({ revision, products, next });
    let place = beginningWith(productIdPrefix, from);
    let pageSize = 0;
    let productsSeen = 0;
    let sizeSeen = 0;
    // One more than is missing tells whether there is a next page.
    for (let read = Math.min(FIRST_READ, limit + 1); ;) {
      const found = await readModel.listHoldings(priceBookId, read, place, currency)();
      if (E.isLeft(found)) return found;
      const { items, next } = whereBeginsWith(productIdPrefix, found.right, ({ productId }) => productId);
      const before = { sizeSeen, count: products.length };
      for (const { productId, cells } of items) {
        if (productsSeen === MAX_PRODUCTS_SEEN || sizeSeen >= MAX_SIZE_SEEN) return pageTo(productId);
        const size = JSON.stringify(cells).length;
        productsSeen += 1;
        sizeSeen += size;
        const own = ownPricesOf(cells, isRoot, now, currency);
        if (own === undefined) continue;
        pageSize += JSON.stringify(own).length;
        const isFull = products.length > 0 && pageSize > PAGE_SIZE;
        if (products.length === limit || isFull) return pageTo(productId);
        products.push({ productId, ...own });
      }
      if (next === undefined) return pageTo(next);
      place = next;
      const isLarge = sizeSeen - before.sizeSeen > LARGE_READ;
      read = isLarge ? Math.ceil(read / 2) : Math.min(read * 2, MAX_READ);
      // Where nothing was found, many products may have to be passed over.
      if (products.length > before.count) read = Math.min(read, limit - products.length + 1);
      await setImmediate();
    }
  };
