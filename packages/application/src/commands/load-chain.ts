import {
  type BookAtRevision,
  type Cells,
  type Crowded,
  type Currency,
  type DecisionError,
  MAX_FLATTENED,
  plannedForAll,
  type PriceBookId,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type * as TE from 'fp-ts/TaskEither';
import type { PriceBookView, ReadModel } from '../ports/read-model';
import type { StoreError } from '../ports/store-error';
import { ALL_PRODUCTS } from '../projection/changes';

/** A book that is to be cloned. */
export interface Source {
  readonly book: PriceBookView;
  /** It, its base, the base of that and so on, as they are now. */
  readonly chain: readonly BookAtRevision[];
}

const atRevision = ({ priceBookId, revision, updatedAt }: PriceBookView): BookAtRevision => ({
  priceBookId,
  revision,
  updatedAt,
});

/** A book and its bases, by what the read side knows; undefined where there is no such book. */
export const loadChain =
  (
    readModel: Pick<ReadModel, 'findPriceBook'>,
    priceBookId: PriceBookId,
  ): TE.TaskEither<StoreError | DecisionError, Source | undefined> =>
  async () => {
    const found = await readModel.findPriceBook(priceBookId)();
    if (E.isLeft(found) || found.right === undefined) return found as E.Either<StoreError, undefined>;
    const book = found.right;
    const chain = [atRevision(book)];
    for (const basePriceBookId of book.basePriceBookIds) {
      const base = await readModel.findPriceBook(basePriceBookId)();
      if (E.isLeft(base)) return base;
      if (base.right === undefined) return E.left({ _tag: 'BasePriceBookNotFound', basePriceBookId });
      chain.push(atRevision(base.right));
    }
    return E.right({ book, chain });
  };

/** The first currency in which a chain plans too much for all products to be flattened, by what the read side knows. */
export const findTooMuchPlanned =
  (
    readModel: Pick<ReadModel, 'findAllProducts'>,
    chain: readonly BookAtRevision[],
    now: string,
  ): TE.TaskEither<StoreError, Crowded | undefined> =>
  async () => {
    const held: { readonly priceBookId: PriceBookId; readonly cells: Cells }[] = [];
    for (const { priceBookId } of chain) {
      const found = await readModel.findAllProducts(priceBookId)();
      if (E.isLeft(found)) return found;
      held.push({ priceBookId, cells: found.right?.cells ?? {} });
    }
    const currencies = new Set(held.flatMap(({ cells }) => Object.keys(cells) as Currency[]));
    const currency = [...currencies].sort().find((one) => {
      const books = held.map(({ priceBookId, cells }) => ({ priceBookId, allProducts: cells[one] }));
      return plannedForAll(books, now).length > MAX_FLATTENED;
    });
    return E.right(currency && { holder: ALL_PRODUCTS, currency });
  };
