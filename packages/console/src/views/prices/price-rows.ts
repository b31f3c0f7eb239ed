/** The rows of the grid, a page after the other: what products cost, beside what the book says of them itself. */
import { byCodePoints } from '@pricebook/domain';
import { type Answer, answerOf, type Api, type Problem, type Schemas } from '../../api/client';
import { nextCursor } from '../../api/next-cursor';

type OwnPrices = Schemas['ProductOwnPrices'];

export interface PriceRow {
  readonly effective: Schemas['ListedPrice'];
  /** Absent where the book says nothing of the product: its price is that of a base. */
  readonly own: OwnPrices | undefined;
}

export interface RowsQuestion {
  readonly bookId: string;
  readonly currency: string;
  /** Empty for all products. */
  readonly prefix: string;
}

const PAGE = 200;
/** What is seen first comes sooner. */
const FIRST_PAGE = 50;

interface Page<A> {
  readonly items: readonly A[];
  readonly cursor: string | undefined;
}

/** Where a list is to be read on; `false` at its end. */
type Place = string | undefined | false;

/** The documents say that it may be CSV, for which this does not ask. */
const pageOf = <A>(answer: Answer<string | A[]>): Answer<Page<A>> => {
  if (!answer.ok) return answer;
  const { data, response } = answer;
  return { ...answer, data: { items: typeof data === 'string' ? [] : data, cursor: nextCursor(response) } };
};

/** Reads both lists, which are sorted by product id, side by side. */
export const createPriceRows = (
  api: Api,
  { bookId, currency, prefix }: RowsQuestion,
  signal: AbortSignal,
) => {
  const path = { priceBookId: bookId };
  const filter = { currency, ...(prefix !== '' && { productIdPrefix: prefix }) };
  const from = (cursor: string | undefined) =>
    cursor === undefined ? { ...filter, limit: FIRST_PAGE } : { ...filter, limit: PAGE, cursor };
  const readEffective = async (cursor: string | undefined) =>
    pageOf(
      await answerOf(
        api.GET('/v1/pricebooks/{priceBookId}/effective-prices', {
          params: { path, query: from(cursor) },
          signal,
        }),
      ),
    );
  const readOwn = async (cursor: string | undefined) =>
    pageOf(
      await answerOf(
        api.GET('/v1/pricebooks/{priceBookId}/prices', { params: { path, query: from(cursor) }, signal }),
      ),
    );

  const rows: PriceRow[] = [];
  let place: Place = undefined;
  let ownPlace: Place = undefined;
  let waiting = new Map<string, OwnPrices>();
  /** All products up to this one have been read of the book's own list. */
  let ownUntil = '';

  const isBehind = (productId: string): boolean =>
    ownPlace !== false && byCodePoints(ownUntil, productId) < 0;

  const keepOwn = (page: Page<OwnPrices>): void => {
    for (const own of page.items) waiting.set(own.productId, own);
    ownUntil = page.items.at(-1)?.productId ?? ownUntil;
    ownPlace = page.cursor ?? false;
  };

  /** @returns why there are no more rows than before; undefined where they have come. */
  const readPage = async (): Promise<Problem | undefined> => {
    if (place === false) return undefined;
    // Both at once, unless the own list is ahead already.
    const isOwnDue = ownPlace !== false && waiting.size < PAGE;
    const [effective, own] = await Promise.all([
      readEffective(place),
      isOwnDue ? readOwn(ownPlace === false ? undefined : ownPlace) : undefined,
    ]);
    if (!effective.ok) return effective.problem;
    if (own?.ok === false) return own.problem;
    if (own !== undefined) keepOwn(own.data);
    const last = effective.data.items.at(-1)?.productId;
    while (last !== undefined && isBehind(last)) {
      const more = await readOwn(ownPlace === false ? undefined : ownPlace);
      if (!more.ok) return more.problem;
      keepOwn(more.data);
    }
    for (const one of effective.data.items) {
      rows.push({ effective: one, own: waiting.get(one.productId) });
      waiting.delete(one.productId);
    }
    // Products without a price are in one list alone.
    if (last !== undefined) {
      waiting = new Map([...waiting].filter(([productId]) => byCodePoints(productId, last) > 0));
    }
    place = effective.data.cursor ?? false;
    return undefined;
  };

  return {
    rows: rows as readonly PriceRow[],
    isDone: () => place === false,
    /** Reads until there are so many rows, at least one page; pages may be empty and not the last. */
    readTo: async (count: number): Promise<Problem | undefined> => {
      do {
        const problem = await readPage();
        if (problem !== undefined || signal.aborted) return problem;
      } while (rows.length < count && place !== false);
      return undefined;
    },
  };
};

export type PriceRows = ReturnType<typeof createPriceRows>;
