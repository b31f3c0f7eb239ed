/** What the books of a chain hold for products, now or at a time. */
import {
  ALL_PRODUCTS,
  existsAt,
  type Holder,
  type HoldingsQuestion,
  isKnownAt,
  type PriceBookDocument,
  type ReadModel,
} from '@pricebook/application';
import type { BookHoldings, Cell, ChainHoldings, Currency, PriceBookId, ProductId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { LRUCache } from 'lru-cache';
import type { Collections } from './collections';
import { type BookDocument, bookName, type BoundaryDocument, type CellDocument, cellName } from './documents';
import type { LookUp } from './look-up';
import { chunksOf, type Server } from './server';

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

const nothingOf = (priceBookId: PriceBookId): BookHoldings<Cell> => ({
  priceBookId,
  product: undefined,
  allProducts: undefined,
});

/** The bases of books, by the id of the book. */
export type RememberedChains = LRUCache<PriceBookId, readonly PriceBookId[]>;

export const rememberChains = (): RememberedChains => new LRUCache({ max: REMEMBERED_CHAINS });

interface Parts extends Pick<Collections, 'history'> {
  readonly lookUp: LookUp<BookDocument | CellDocument | BoundaryDocument>;
  readonly chains: RememberedChains;
}

/** What a holder had at a time: ISO 8601, UTC. */
type CellAt = (
  book: PriceBookId,
  holder: Holder,
  currency: Currency,
  at: string,
) => Promise<Cell | undefined>;

/** Asks for the same cell once, such as what a book has for all products, which each of them needs. */
const askOnce = (cellAt: CellAt): CellAt => {
  const asked = new Map<string, ReturnType<CellAt>>();
  return (book, holder, currency, at) => {
    // The holder comes last: it may be any text.
    const name = [book, currency, at, holder].join(' ');
    const cell = asked.get(name) ?? cellAt(book, holder, currency, at);
    asked.set(name, cell);
    return cell;
  };
};

interface Chains extends Pick<ReadModel, 'findHoldings' | 'findManyHoldings'> {
  readonly cellAt: CellAt;
}

export const createChains = (server: Server, { history, lookUp, chains }: Parts): Chains => {
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

  const cellAt: CellAt = async (book, holder, currency, at) => {
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
    find: CellAt,
  ): Promise<readonly FoundBook[]> => {
    const [books, ...held] = await Promise.all([
      lookUp(ids.map(bookName)),
      ...ids.map(async (id): Promise<BookHoldings<Cell>> => {
        const [product, allProducts] = await Promise.all([
          find(id, productId, currency, at),
          find(id, ALL_PRODUCTS, currency, at),
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
    find = cellAt,
  ): Promise<ChainHoldings<Cell> | undefined> => {
    const chain = await findChains(
      id,
      (ids) => (at === undefined ? findNow(ids, [question]) : findThen(ids, question, at, find)),
      at,
    );
    return chain?.(question);
  };

  /** What is asked of now is found together, what is asked of a time a few at a time. */
  const findManyHoldings =
    (id: PriceBookId, questions: readonly HoldingsQuestion[]): ReturnType<Chains['findManyHoldings']> =>
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
        const found = await server.query(() => {
          // Of this query alone, which asks everything again where the primary has changed.
          const find = askOnce(cellAt);
          return Promise.all(together.map((question) => findChain(id, question, question.at, find)));
        })();
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

  return {
    cellAt,
    findHoldings: (id, productId, currency, at) =>
      server.query(() => findChain(id, { productId, currency }, at)),
    findManyHoldings,
  };
};
