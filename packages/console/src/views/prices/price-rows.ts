/** The rows of the grid, a page after the other: what products cost, and how that comes about. */
import { type Answer, answerOf, type Api, type Problem, type Schemas } from '../../api/client';
import { tableOf } from '../../ui/adjustment-words';
import { nextCursor } from '../../api/next-cursor';

type RelativeAdjustment = Schemas['AppliedChange']['adjustment'];

/** What the grid shows of a price; explanations are too large to keep very many. */
export interface PriceRow {
  readonly productId: string;
  readonly currency: string;
  /** Absent where there is none for one piece and no properties. */
  readonly price: number | undefined;
  readonly since: string | undefined;
  /** Why there is no price. */
  readonly problem: string | undefined;
  /** What the book, or the nearest of its bases that enters a price, enters. */
  readonly listPrice: number | undefined;
  /** The property that chooses the list price. */
  readonly table: string | undefined;
  /** By what the book changes the price of this product itself. */
  readonly ownChange: RelativeAdjustment | undefined;
  /** By what the book changes this price as those of all its products. */
  readonly changeForAll: RelativeAdjustment | undefined;
}

export interface RowsQuestion {
  readonly bookId: string;
  readonly currency: string;
  /** Empty for all products. */
  readonly prefix: string;
}

/** As many as the service explains at once. */
const PAGE = 100;
/** What is seen first comes sooner. */
const FIRST_PAGE = 50;

const rowOf = (listed: Schemas['ListedPrice']): PriceRow => {
  const { productId, currency, price, effectiveDate, problem, explanation } = listed;
  const first = explanation?.steps.at(0);
  const change = explanation?.steps.at(-1)?.change;
  return {
    productId,
    currency,
    price,
    since: effectiveDate,
    problem: problem?.detail,
    listPrice: first?.listPrice,
    table: first?.entered && tableOf(first.entered.adjustment)?.property,
    ownChange: change?.of === 'product' ? change.adjustment : undefined,
    changeForAll: change?.of === 'allProducts' ? change.adjustment : undefined,
  };
};

export const createPriceRows = (
  api: Api,
  { bookId, currency, prefix }: RowsQuestion,
  signal: AbortSignal,
) => {
  /** The prices of products whose ids begin with a text, from a cursor on. */
  const list = async (
    productIdPrefix: string,
    page: { readonly limit: number; readonly cursor?: string },
  ): Promise<Answer<readonly PriceRow[]>> => {
    const answer = await answerOf(
      api.GET('/v1/pricebooks/{priceBookId}/effective-prices', {
        params: {
          path: { priceBookId: bookId },
          query: { currency, explain: true, ...(productIdPrefix !== '' && { productIdPrefix }), ...page },
        },
        signal,
      }),
    );
    if (!answer.ok) return answer;
    // The document says that it may be CSV, for which this does not ask.
    return { ...answer, data: typeof answer.data === 'string' ? [] : answer.data.map(rowOf) };
  };
  const rows: PriceRow[] = [];
  /** Where the list is to be read on; null at its end. */
  let place: string | undefined | null;

  const readPage = async (cursor: string | undefined): Promise<Problem | undefined> => {
    const answer = await list(prefix, cursor === undefined ? { limit: FIRST_PAGE } : { limit: PAGE, cursor });
    if (!answer.ok) return answer.problem;
    rows.push(...answer.data);
    place = nextCursor(answer.response) ?? null;
    return undefined;
  };

  return {
    rows: rows as readonly PriceRow[],
    isDone: () => place === null,
    /** Brings the row of a product up to date. */
    refresh: async (productId: string): Promise<Problem | undefined> => {
      // No product id that begins with it comes before it.
      const answer = await list(productId, { limit: 1 });
      if (!answer.ok) return answer.problem;
      const at = rows.findIndex((one) => one.productId === productId);
      if (at !== -1) rows.splice(at, 1, ...answer.data.filter((one) => one.productId === productId));
      return undefined;
    },
    /**
     * Reads until there are so many rows; pages may be empty and not the last.
     *
     * @returns why there are fewer; undefined where they have come, or the end has.
     */
    readTo: async (count: number): Promise<Problem | undefined> => {
      while (rows.length < count && place !== null && !signal.aborted) {
        const problem = await readPage(place);
        if (problem !== undefined) return problem;
      }
      return undefined;
    },
  };
};

export type PriceRows = ReturnType<typeof createPriceRows>;
