/** The questions of the port. */
import {
  ALL_PRODUCTS,
  type BookHistory,
  type ChainHistory,
  existsAt,
  type Holder,
  type HoldingsQuestion,
  type HoldingsSeries,
  isKnownAt,
  type PriceBookDocument,
  type ReadModel,
  viewOf,
} from '@pricebook/application';
import type { BookHoldings, Cell, ChainHoldings, Currency, PriceBookId, ProductId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { LRUCache } from 'lru-cache';
import type { Collections } from './collections';
import { type BookDocument, bookName, type CellDocument, cellName, toRow } from './documents';
import { createLookUp } from './look-up';
import { chunksOf, type Server } from './server';

type Queries = Pick<
  ReadModel,
  | 'findPriceBook'
  | 'findDerivedPriceBooks'
  | 'findAllProducts'
  | 'findHoldings'
  | 'findManyHoldings'
  | 'findHoldingsHistory'
>;

/** As many chains of bases as are remembered. A chain never changes: remembered ones are never stale. */
const REMEMBERED_CHAINS = 10_000;

/** As many questions of a time as are asked at once: each asks for two rows of each book. */
const PAST_TOGETHER = 10;

interface Question {
  readonly productId: ProductId;
  readonly currency: Currency;
}

/** A book, and what it holds for the products that were asked for. */
interface FoundBook {
  readonly priceBookId: PriceBookId;
  readonly book: PriceBookDocument | undefined;
  readonly heldFor: (question: Question) => BookHoldings<Cell>;
}

/** The rows that are asked for. */
interface Span {
  readonly after: string | undefined;
  readonly limit: number;
}

const nothingOf = (priceBookId: PriceBookId): BookHoldings<Cell> => ({
  priceBookId,
  product: undefined,
  allProducts: undefined,
});

export const createQueries = (server: Server, { current, history }: Collections): Queries => {
  const chains = new LRUCache<PriceBookId, readonly PriceBookId[]>({ max: REMEMBERED_CHAINS });
  const lookUp = createLookUp(current);

  /** Books, and what they hold for products, found together. */
  const findNow = async (
    ids: readonly PriceBookId[],
    questions: readonly Question[],
  ): Promise<readonly FoundBook[]> => {
    const found = await lookUp(
      ids.flatMap((id) => [
        bookName(id),
        ...questions.map(({ productId, currency }) => cellName(id, productId, currency)),
      ]),
    );
    return ids.map((id) => {
      const book = (found.get(bookName(id)) as BookDocument | undefined)?.state;
      return {
        priceBookId: id,
        book,
        heldFor: ({ productId, currency }) => ({
          priceBookId: id,
          product: (found.get(cellName(id, productId, currency)) as CellDocument | undefined)?.state.cell,
          allProducts: book?.allProducts?.cells[currency],
        }),
      };
    });
  };

  const cellAt = async (
    book: PriceBookId,
    holder: Holder,
    currency: Currency,
    at: string,
  ): Promise<Cell | undefined> => {
    const [row] = await history
      .find({ book, holder, currency, occurredAt: { $lte: at } })
      .sort({ occurredAt: -1, revision: -1 })
      .limit(1)
      .toArray();
    return row?.cell;
  };

  const findThen = async (
    ids: readonly PriceBookId[],
    { productId, currency }: Question,
    at: string,
  ): Promise<readonly FoundBook[]> => {
    const [books, ...held] = await Promise.all([
      lookUp(ids.map(bookName)),
      ...ids.map(async (id): Promise<BookHoldings<Cell>> => {
        const [product, allProducts] = await Promise.all([
          cellAt(id, productId, currency, at),
          cellAt(id, ALL_PRODUCTS, currency, at),
        ]);
        return { priceBookId: id, product, allProducts };
      }),
    ]);
    return held.map((holdings) => ({
      priceBookId: holdings.priceBookId,
      book: (books.get(bookName(holdings.priceBookId)) as BookDocument | undefined)?.state,
      heldFor: () => holdings,
    }));
  };

  /** The chain of a book for each question; undefined where there is no such book. */
  const findChains = async (
    id: PriceBookId,
    find: (ids: readonly PriceBookId[]) => Promise<readonly FoundBook[]>,
    at?: string,
  ): Promise<((question: Question) => ChainHoldings<Cell>) | undefined> => {
    const remembered = chains.get(id);
    const [first, ...others] = await find([id, ...(remembered ?? [])]);
    const book = first?.book;
    if (first === undefined || book === undefined || !isKnownAt(book, at)) return undefined;
    const bases = book.created?.basePriceBookIds ?? [];
    if (remembered === undefined) chains.set(id, bases);
    if (!existsAt(book, at)) return () => [nothingOf(id)];
    const found = remembered === undefined && bases.length > 0 ? await find(bases) : others;
    return (question) => [
      first.heldFor(question),
      ...found.map(({ priceBookId, book: base, heldFor }) =>
        base !== undefined && existsAt(base, at) ? heldFor(question) : nothingOf(priceBookId),
      ),
    ];
  };

  const findChain = async (
    id: PriceBookId,
    question: Question,
    at: string | undefined,
  ): Promise<ChainHoldings<Cell> | undefined> => {
    const chain = await findChains(
      id,
      (ids) => (at === undefined ? findNow(ids, [question]) : findThen(ids, question, at)),
      at,
    );
    return chain?.(question);
  };

  /** What is asked of now is found together, what is asked of a time a few at a time. */
  const findManyHoldings =
    (id: PriceBookId, questions: readonly HoldingsQuestion[]): ReturnType<Queries['findManyHoldings']> =>
    async () => {
      const ofNow = questions.filter(({ at }) => at === undefined);
      const now =
        ofNow.length === 0
          ? E.right(undefined)
          : await server.query(() => findChains(id, (ids) => findNow(ids, ofNow)))();
      if (E.isLeft(now)) return now;
      const ofPast = questions.filter(({ at }) => at !== undefined);
      const past: (ChainHoldings<Cell> | undefined)[] = [];
      for (const together of chunksOf(ofPast, PAST_TOGETHER)) {
        const found = await server.query(() =>
          Promise.all(together.map((question) => findChain(id, question, question.at))),
        )();
        if (E.isLeft(found)) return found;
        past.push(...found.right);
      }
      const nextPast = past.values();
      return E.right(
        questions.map((question) =>
          question.at === undefined ? now.right?.(question) : nextPast.next().value,
        ),
      );
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

    findHoldings: (id, productId, currency, at) =>
      server.query(() => findChain(id, { productId, currency }, at)),

    findManyHoldings,

    findHoldingsHistory: (id, productId, currency, after, limit) =>
      server.query(() => findHistory(id, { productId, currency }, { after, limit })),
  };
};
