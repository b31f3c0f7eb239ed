/** The products of a book and of its bases: what anything can have a price of. */
import type { Currency, PriceBookId, ProductId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';
import { byCodePoints } from '../code-points';
import type { Part, ReadModel } from '../ports/read-model';
import type { StoreError } from '../ports/store-error';

/**
 * Each product once, in the order of the code points of their ids, at most as many as the limit.
 *
 * @param currency products that never held anything in it may be left out.
 * @param from the id at which it begins; absent for the first.
 */
export const listChainProducts =
  (
    readModel: Pick<ReadModel, 'listProducts'>,
    books: readonly PriceBookId[],
    currency: Currency,
    limit: number,
    from?: ProductId,
  ): TaskEither<StoreError, Part<ProductId, ProductId>> =>
  async () => {
    const ids = new Set<ProductId>();
    const parts = await Promise.all(
      books.map((book) => readModel.listProducts(book, currency, limit, from)()),
    );
    for (const part of parts) {
      if (E.isLeft(part)) return part;
      for (const id of part.right.items) ids.add(id);
      // A book that goes on has brought as many as the limit: it ends after all that are taken here.
      if (part.right.next !== undefined) ids.add(part.right.next);
    }
    const all = books.length === 1 ? [...ids] : [...ids].sort(byCodePoints);
    return E.right({ items: all.slice(0, limit), next: all[limit] });
  };
