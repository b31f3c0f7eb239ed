/** The questions of the port. */
import {
  ALL_PRODUCTS,
  type BookHistory,
  type ChainHistory,
  deletedViewOf,
  existsAt,
  type Holder,
  type HoldingsSeries,
  type PriceBookDocument,
  type ReadModel,
  viewOf,
} from '@pricebook/application';
import type { Currency, PriceBookId, ProductId } from '@pricebook/domain';
import { createChains, rememberChains } from './chains';
import { type Collections, LISTED } from './collections';
import { type BookDocument, bookName, toRow } from './documents';
import { createLookUp } from './look-up';
import type { Server } from './server';

type Queries = Pick<
  ReadModel,
  | 'findPriceBook'
  | 'findDeletedPriceBook'
  | 'findDerivedPriceBooks'
  | 'findAllProducts'
  | 'findHoldings'
  | 'findManyHoldings'
  | 'findHoldingsHistory'
>;

interface Question {
  readonly productId: ProductId;
  readonly currency: Currency;
}

/** The rows that are asked for. */
interface Span {
  readonly after: string | undefined;
  readonly limit: number;
}

export const createQueries = (server: Server, { current, history }: Collections): Queries => {
  const chains = rememberChains();
  const lookUp = createLookUp(current);
  const { cellAt, findHoldings, findManyHoldings } = createChains(server, { history, lookUp, chains });

  const bookOf = async (id: PriceBookId): Promise<PriceBookDocument | undefined> => {
    const found = await lookUp([bookName(id)]);
    return (found.get(bookName(id)) as BookDocument | undefined)?.state;
  };

  const seriesOf = async (
    book: PriceBookId,
    holder: Holder,
    currency: Currency,
    { after, limit }: Span,
  ): Promise<HoldingsSeries> => {
    const [before, rows] = await Promise.all([
      after === undefined ? undefined : cellAt(book, holder, currency, after),
      history
        .find({ book, holder, currency, ...(after !== undefined && { occurredAt: { $gt: after } }) })
        .sort({ occurredAt: 1, revision: 1 })
        .limit(limit)
        .toArray(),
    ]);
    return { before, rows: rows.map(toRow) };
  };

  const findHistory = async (
    id: PriceBookId,
    { productId, currency }: Question,
    span: Span,
  ): Promise<ChainHistory | undefined> => {
    const historyOf = async (priceBookId: PriceBookId): Promise<BookHistory> => {
      const [book, product, allProducts] = await Promise.all([
        bookOf(priceBookId),
        seriesOf(priceBookId, productId, currency, span),
        seriesOf(priceBookId, ALL_PRODUCTS, currency, span),
      ]);
      return { priceBookId, created: book?.created, lifecycle: book?.lifecycle, product, allProducts };
    };
    const bases = chains.get(id) ?? (await bookOf(id))?.created?.basePriceBookIds;
    if (bases === undefined) return undefined;
    chains.set(id, bases);
    const [first, ...others] = await Promise.all([historyOf(id), ...bases.map(historyOf)]);
    return [first, ...others];
  };

  return {
    findPriceBook: (id) =>
      server.query(async () => {
        const book = await bookOf(id);
        return book && viewOf(book);
      }),

    findDeletedPriceBook: (id) =>
      server.query(async () => {
        const book = await bookOf(id);
        return book && deletedViewOf(book);
      }),

    findDerivedPriceBooks: (id, limit) =>
      server.query(async () => {
        const derived = await current
          .find({ ...LISTED, 'state.basePriceBookId': id })
          .limit(limit)
          .toArray();
        return derived.map(({ state }) => (state as BookDocument['state']).priceBookId);
      }),

    findAllProducts: (id) =>
      server.query(async () => {
        const book = await bookOf(id);
        if (book === undefined || !existsAt(book)) return undefined;
        return { revision: book.revision, cells: book.allProducts?.cells ?? {} };
      }),

    findHoldings,
    findManyHoldings,

    findHoldingsHistory: (id, productId, currency, after, limit) =>
      server.query(() => findHistory(id, { productId, currency }, { after, limit })),
  };
};
