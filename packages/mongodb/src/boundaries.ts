/** Single cells of a book, and where something that it holds begins or ends. */
import { ALL_PRODUCTS, type CellOf, type Holder, type ReadModel } from '@pricebook/application';
import type { Cell, Currency, PriceBookId } from '@pricebook/domain';
import type { Collections } from './collections';
import {
  afterBoundaries,
  type BookDocument,
  boundaryIn,
  boundaryName,
  bookName,
  type CellDocument,
  cellName,
} from './documents';
import { createLookUp } from './look-up';
import type { Named, Server } from './server';

type BoundaryLists = Pick<ReadModel, 'findCells' | 'listBoundaries'>;

export const createBoundaryLists = (
  server: Server,
  { current }: Pick<Collections, 'current'>,
): BoundaryLists => {
  const lookUp = createLookUp(current);

  /** What a book has for all products is in its own document. */
  const nameOf = (id: PriceBookId, { holder, currency }: CellOf): string =>
    holder === ALL_PRODUCTS ? bookName(id) : cellName(id, holder, currency);

  const findCells = async (
    id: PriceBookId,
    keys: readonly CellOf[],
  ): Promise<readonly (Cell | undefined)[]> => {
    if (keys.length === 0) return [];
    const found = await lookUp([...new Set(keys.map((key) => nameOf(id, key)))]);
    return keys.map((key) => {
      const document = found.get(nameOf(id, key));
      return key.holder === ALL_PRODUCTS
        ? (document as BookDocument | undefined)?.state.allProducts?.cells[key.currency]
        : (document as CellDocument | undefined)?.state.cell;
    });
  };

  return {
    findCells: (id, keys) => server.query(() => findCells(id, keys)),

    listBoundaries: (id, limit, from, until) =>
      server.query(async () => {
        const end = until === undefined ? afterBoundaries(id) : boundaryName(id, { at: until });
        const found = await current
          .find({ _id: { $gte: boundaryName(id, from), $lt: end } })
          .project<Named>({ _id: 1 })
          .sort({ _id: 1 })
          .limit(limit + 1)
          .toArray();
        const places = found.map(({ _id }) => {
          const { at = '', holder = '', currency = '' } = boundaryIn(_id) ?? {};
          return { at, holder: holder as Holder, currency: currency as Currency };
        });
        const items = places.slice(0, limit);
        const cells = await findCells(id, items);
        return {
          items: items.map((place, index) => ({ ...place, cell: cells[index] ?? {} })),
          next: places[limit],
        };
      }),
  };
};
