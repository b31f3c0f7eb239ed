/** One product: the books that hold something of it, and what it has and costs in one of them. */
import { setImmediate } from 'node:timers/promises';
import {
  type Currency,
  type OwnPrices,
  ownPricesOf,
  type PriceBookId,
  type PriceParameters,
  type ProductId,
  type QuoteLine,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { Clock } from '../ports/clock';
import type { PriceBookView, ReadModel } from '../ports/read-model';
import type { StoreError } from '../ports/store-error';
import { type Quote, type QuotedLine, whereListed } from './quote';

/** What a page holds at most, in characters of JSON; one book always fits. */
const PAGE_SIZE = 4 * 1024 * 1024;
/** What one page looks at, whatever it finds. */
const MAX_SEEN = 10_000;
/** Books read at once: tables make what a product has in them large. */
const MAX_READ = 20;

export interface ProductBooksQuestion {
  readonly productId: ProductId;
  /** The id of the book at which the page begins; absent for the first. */
  readonly from?: PriceBookId | undefined;
  /** As many books as the page has at most. */
  readonly limit: number;
}

/** A book, and what the product has of its own in it. */
export interface ProductBook extends OwnPrices {
  readonly priceBook: PriceBookView;
}

export interface ProductBooksPage {
  /** From the oldest book on. */
  readonly books: readonly ProductBook[];
  /** The id of the book at which the next page begins; undefined at the end. */
  readonly next: PriceBookId | undefined;
}

/** What a product has in some books that exist; undefined where it is nothing. */
const findBooks = (
  readModel: Pick<ReadModel, 'findPriceBook' | 'findProduct'>,
  productId: ProductId,
  ids: readonly PriceBookId[],
  now: string,
): TE.TaskEither<StoreError, readonly (ProductBook | undefined)[]> =>
  pipe(
    TE.Do,
    TE.apS('cells', readModel.findProduct(ids, productId)),
    TE.apS('views', TE.traverseArray(readModel.findPriceBook)(ids)),
    TE.map(({ cells, views }) =>
      views.map((priceBook, place) => {
        const held = cells[place];
        if (priceBook === undefined || held === undefined) return undefined;
        const own = ownPricesOf(held, priceBook.basePriceBookIds.length === 0, now);
        return own && { priceBook, ...own };
      }),
    ),
  );

/**
 * The books that exist and in which the product has something of its own. A page may hold fewer than the limit, or
 * none, and still not be the last.
 */
export const readProductBooks =
  (
    readModel: Pick<ReadModel, 'findPriceBook' | 'findProduct' | 'listBooksOfProduct'>,
    clock: Clock,
    { productId, from, limit }: ProductBooksQuestion,
  ): TE.TaskEither<StoreError, ProductBooksPage> =>
  async () => {
    const books: ProductBook[] = [];
    const now = clock.now();
    let place = from;
    let pageSize = 0;
    for (let seen = 0; ;) {
      const read = Math.min(limit - books.length, MAX_READ);
      const listed = await readModel.listBooksOfProduct(productId, read, place)();
      if (E.isLeft(listed)) return listed;
      const { items, next } = listed.right;
      const found = await findBooks(readModel, productId, items, now)();
      if (E.isLeft(found)) return found;
      for (const [index, book] of found.right.entries()) {
        if (book === undefined) continue;
        pageSize += JSON.stringify(book).length;
        if (books.length > 0 && pageSize > PAGE_SIZE) return E.right({ books, next: items[index] });
        books.push(book);
      }
      seen += items.length;
      if (next === undefined || books.length === limit || seen >= MAX_SEEN) return E.right({ books, next });
      place = next;
      await setImmediate();
    }
  };

export interface ProductQuestion {
  readonly priceBookId: PriceBookId;
  readonly productId: ProductId;
  /** What the tables of the product are asked with. */
  readonly parameters: PriceParameters;
}

/** What a product has of its own in a book, and what it costs there in each currency. */
export interface ProductInBook<A> extends OwnPrices {
  /** By currency, in the order of the codes; those without a list price are left out. */
  readonly prices: readonly A[];
}

const nothingOwn: OwnPrices = { adjustments: {}, percents: {}, dated: {} };

/** Everything of a product in a book, as of now. */
export const readProduct = <A>(
  readModel: Pick<ReadModel, 'findPriceBook' | 'findProduct'>,
  quote: Quote,
  clock: Clock,
  { priceBookId, productId, parameters }: ProductQuestion,
  keep: (line: QuoteLine, quoted: QuotedLine) => A,
): TE.TaskEither<StoreError | { readonly _tag: 'PriceBookNotFound' }, ProductInBook<A>> =>
  pipe(
    readModel.findPriceBook(priceBookId),
    TE.chainW(TE.fromNullable({ _tag: 'PriceBookNotFound' as const })),
    TE.bindTo('book'),
    TE.bindW('cells', ({ book }) =>
      readModel.findProduct([priceBookId, ...book.basePriceBookIds], productId),
    ),
    TE.bindW('prices', ({ cells }) => {
      const currencies = new Set(cells.flatMap((held) => Object.keys(held ?? {}) as Currency[]));
      const lines = [...currencies].sort().map((currency) => ({ productId, currency, parameters }));
      return lines.length === 0 ? TE.right([]) : quote(priceBookId, lines, whereListed(keep));
    }),
    TE.map(({ book, cells: [own = {}], prices }) => ({
      ...(ownPricesOf(own, book.basePriceBookIds.length === 0, clock.now()) ?? nothingOwn),
      prices: prices.flat(),
    })),
  );
