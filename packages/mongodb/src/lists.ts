/** The lists of the port: by the names of documents, or by an index, from wherever they are to begin. */
import {
  type BookOrder,
  type BookPlace,
  type BookSort,
  OLDEST_FIRST,
  type Part,
  type ProductHoldings,
  type ReadModel,
  viewOf,
} from '@pricebook/application';
import type { Cell, Currency, PriceBookId, ProductId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type { FindCursor } from 'mongodb';
import { type Collections, LISTED } from './collections';
import {
  AFTER_BOOKS,
  afterCells,
  BOOK_PREFIX,
  type BookDocument,
  bookName,
  type CellDocument,
  cellName,
  isOneCurrency,
} from './documents';
import type { Named, Server } from './server';

type Lists = Pick<
  ReadModel,
  | 'listPriceBooks'
  | 'countPriceBooks'
  | 'findByKey'
  | 'listHoldings'
  | 'listProducts'
  | 'listBooksOfProduct'
  | 'findProduct'
>;

/** The names of what a book holds in a currency, for a product and those after it. */
const namesFrom = (book: PriceBookId, currency: Currency, from: ProductId | undefined) => ({
  $gte: cellName(book, from ?? ('' as ProductId), currency),
  $lt: afterCells(book, currency),
});

/** The fields that lists are sorted by. */
const SORTED = { name: 'state.namePlace', updatedAt: 'state.updatedAt' } as const;

export const createLists = (server: Server, { current }: Pick<Collections, 'current'>): Lists => {
  const books = (
    limit: number,
    from: BookPlace | undefined,
    { by, isDescending }: BookOrder,
  ): Promise<BookDocument[]> => {
    const way = isDescending ? -1 : 1;
    const onwards = isDescending ? '$lte' : '$gte';
    const beyond = isDescending ? '$lt' : '$gt';
    const name = from && bookName(from.priceBookId);
    const value = from?.value ?? '';
    const found =
      by === 'createdAt'
        ? current
            .find({
              _id: { $gte: BOOK_PREFIX, $lt: AFTER_BOOKS, ...(name !== undefined && { [onwards]: name }) },
            })
            .sort({ _id: way })
        : current
            .find({
              ...LISTED,
              ...(name !== undefined && {
                [SORTED[by]]: { [onwards]: value },
                $or: [
                  { [SORTED[by]]: { [beyond]: value } },
                  { [SORTED[by]]: value, _id: { [onwards]: name } },
                ],
              }),
            })
            .sort({ [SORTED[by]]: way, _id: way });
    return found.project<BookDocument>({ 'state.allProducts': 0 }).limit(limit).toArray();
  };

  const placeOf = (
    { state: { priceBookId, namePlace = '', updatedAt } }: BookDocument,
    by: BookSort,
  ): BookPlace =>
    by === 'createdAt' ? { priceBookId } : { priceBookId, value: by === 'name' ? namePlace : updatedAt };

  /**
   * Documents of products, in the order of the products. MongoDB compares texts byte by byte, which for UTF-8 is by
   * code points.
   */
  const cells = (
    book: PriceBookId,
    from: ProductId | undefined,
    currency: Currency | undefined,
  ): FindCursor<CellDocument> => {
    const found =
      currency === undefined
        ? current.find({ book, ...(from !== undefined && { holder: { $gte: from } }) }).sort({ holder: 1 })
        : current.find({ _id: namesFrom(book, currency, from) }).sort({ _id: 1 });
    return found as unknown as FindCursor<CellDocument>;
  };

  return {
    listPriceBooks: (limit, from, order = OLDEST_FIRST) =>
      server.query(async () => {
        const found = await books(limit + 1, from, order);
        const items = found.slice(0, limit).map(({ state }) => viewOf(state));
        const next = found[limit];
        return { items: items.filter((view) => view !== undefined), next: next && placeOf(next, order.by) };
      }),

    countPriceBooks: () => server.query(() => current.countDocuments(LISTED, { hint: 'name' })),

    findByKey: (key) =>
      server.query(async () => {
        const [found] = await current
          .find({ ...LISTED, 'state.key.value': key })
          .project<BookDocument>({ 'state.priceBookId': 1 })
          .sort({ _id: 1 })
          .limit(1)
          .toArray();
        return found?.state.priceBookId;
      }),

    listHoldings: (id, limit, from, currency) => async () => {
      const products = new Map<ProductId, { revision: number; cells: Partial<Record<Currency, Cell>> }>();
      let next: ProductId | undefined;
      const walked = await server.walk(
        cells(id, from, currency).batchSize(limit + 1),
        ({ holder, currency: code, state: { cell, revision } }) => {
          const productId = holder as ProductId;
          const held = products.get(productId) ?? { revision: -1, cells: {} };
          if (!products.has(productId) && products.size === limit) {
            next = productId;
            return false;
          }
          if (isOneCurrency(code) && cell !== undefined) held.cells[code] = cell;
          held.revision = Math.max(held.revision, revision);
          products.set(productId, held);
          return true;
        },
      )();
      if (E.isLeft(walked)) return walked;
      const items = [...products].map(([productId, held]): ProductHoldings => ({ productId, ...held }));
      return E.right<never, Part<ProductHoldings, ProductId>>({ items, next });
    },

    listBooksOfProduct: (productId, limit, from) => async () => {
      const books = new Set<PriceBookId>();
      let next: PriceBookId | undefined;
      const found = current
        .find({ holder: productId, ...(from !== undefined && { book: { $gte: from } }) })
        .project<Pick<CellDocument, 'book'>>({ _id: 0, book: 1 })
        .sort({ book: 1 });
      const walked = await server.walk(found.batchSize(limit + 1), ({ book }) => {
        // There is a document for each currency.
        if (!books.has(book) && books.size === limit) {
          next = book;
          return false;
        }
        books.add(book);
        return true;
      })();
      return E.isLeft(walked) ? walked : E.right({ items: [...books], next });
    },

    findProduct: (ids, productId) =>
      server.query(async () => {
        const found = (await current
          .find({ book: { $in: [...ids] }, holder: productId })
          .toArray()) as readonly CellDocument[];
        return ids.map((id) => {
          const cells = found.flatMap(({ book, currency, state: { cell } }): [Currency, Cell][] =>
            book === id && isOneCurrency(currency) && cell !== undefined ? [[currency, cell]] : [],
          );
          return cells.length === 0 ? undefined : Object.fromEntries(cells);
        });
      }),

    listProducts: (id, currency, limit, from) =>
      server.query(async () => {
        const found = await current
          .find({ _id: namesFrom(id, currency, from) })
          .project<Named>({ _id: 1 })
          .sort({ _id: 1 })
          .limit(limit + 1)
          .toArray();
        const { length } = cellName(id, '' as ProductId, currency);
        const ids = found.map(({ _id }) => _id.slice(length) as ProductId);
        return { items: ids.slice(0, limit), next: ids[limit] };
      }),
  };
};
