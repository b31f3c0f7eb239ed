/**
 * Which books hold something of a product: by product and book. A book comes in with the first thing that the product
 * holds there, and stays for good, as the document of the product in the book does.
 */
import type { HoldingsDocument, Part } from '@pricebook/application';
import type { PriceBookId, ProductId } from '@pricebook/domain';
import type { Database, RootDatabase } from 'lmdb';
import { bookOfProduct, booksOfProduct, priceBookIdOf, productBookKey } from './keys';

/** Whether a product holds, or once held, anything in a book. */
export const holdsAnything = (document: HoldingsDocument | undefined): boolean => {
  for (const _ in document?.cells) return true;
  return false;
};

/** The key says it all. */
const NOTHING = Buffer.alloc(0);

export interface ProductBooks {
  readonly table: Database<Buffer, Buffer>;
  readonly has: (productId: string, book: Buffer) => boolean;
  /** Books of a product, by their ids. */
  readonly page: (
    productId: ProductId,
    limit: number,
    from: PriceBookId | undefined,
  ) => Part<PriceBookId, PriceBookId>;
  /** To be called within a transaction or a batch. */
  readonly add: (productId: string, book: Buffer) => void;
}

export const openProductBooks = (environment: RootDatabase): ProductBooks => {
  const table = environment.openDB<Buffer, Buffer>('product-books', {
    keyEncoding: 'binary',
    encoding: 'binary',
  });
  return {
    table,
    has: (productId, book) => table.doesExist(productBookKey(productId, book)),
    page: (productId, limit, from) => {
      const range = { ...booksOfProduct(productId, from), limit: limit + 1 };
      const ids = [...table.getKeys(range)].map((key) => priceBookIdOf(bookOfProduct(key)) as PriceBookId);
      return { items: ids.slice(0, limit), next: ids[limit] };
    },
    add: (productId, book) => void table.put(productBookKey(productId, book), NOTHING),
  };
};
