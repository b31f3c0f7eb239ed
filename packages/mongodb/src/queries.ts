/** The questions of the port. */
import {
  ALL_PRODUCTS,
  type BookHistory,
  type ChainHistory,
  existsAt,
  type Holder,
  type HoldingsSeries,
  type PriceBookDocument,
  type ReadModel,
  viewOf,
} from '@pricebook/application';
import type { Currency, PriceBookId, ProductId } from '@pricebook/domain';
import { createChains, rememberChains } from './chains';
import type { Collections } from './collections';
import { type BookDocument, bookName, toRow } from './documents';
import { createLookUp } from './look-up';
import type { Server } from './server';

type Queries = Pick<
  ReadModel,
  | 'findPriceBook'
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
    const bookOf = async (priceBookId: PriceBookId): Promise<PriceBookDocument | undefined> => {
      const found = await lookUp([bookName(priceBookId)]);
      return (found.get(bookName(priceBookId)) as BookDocument | undefined)?.state;
    };
    const historyOf = async (priceBookId: PriceBookId): Promise<BookHistory> => {
      const [book, product, allProducts] = await Promise.all([
        bookOf(priceBookId),
        seriesOf(priceBookId, productId, currency, span),
        seriesOf(priceBookId, ALL_PRODUCTS, currency, span),
      ]);
      return { priceBookId, created: book?.created, deleted: book?.deleted, product, allProducts };
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
        const found = await lookUp([bookName(id)]);
        const book = found.get(bookName(id)) as BookDocument | undefined;
        return book === undefined ? undefined : viewOf(book.state);
      }),

    findDerivedPriceBooks: (id, limit) =>
      server.query(async () => {
        const derived = await current
          .find({ 'state.basePriceBookId': id, 'state.deleted': null })
          .limit(limit)
          .toArray();
        return derived.map(({ state }) => (state as BookDocument['state']).priceBookId);
      }),

    findAllProducts: (id) =>
      server.query(async () => {
        const found = await lookUp([bookName(id)]);
        const state = (found.get(bookName(id)) as BookDocument | undefined)?.state;
        if (state === undefined || !existsAt(state)) return undefined;
        return { revision: state.revision, cells: state.allProducts?.cells ?? {} };
      }),

    findHoldings,
    findManyHoldings,

    findHoldingsHistory: (id, productId, currency, after, limit) =>
      server.query(() => findHistory(id, { productId, currency }, { after, limit })),
  };
};
