/** A book and its bases, with what each of them has of a product. */
import type { Answer, Api, Schemas } from '../../api/client';
import { answerOf } from '../../api/client';
import { type AnyAdjustment, rowWords, tableOf, textOf } from '../../ui/adjustment-words';
import { loadProduct, noQuestion } from './question';

interface Link {
  readonly book: Schemas['PriceBook'];
  readonly own: Schemas['Product'];
}

/** From the book that is asked to its root. */
export type Chain = readonly [Link, ...Link[]];

const loadLink = async (
  api: Api,
  priceBookId: string,
  productId: string,
  signal: AbortSignal,
): Promise<Answer<Link>> => {
  const [book, own] = await Promise.all([
    answerOf(api.GET('/v1/pricebooks/{priceBookId}', { params: { path: { priceBookId } }, signal })),
    loadProduct(api, { priceBookId, productId }, noQuestion, signal),
  ]);
  if (!book.ok) return book;
  return own.ok ? { ...own, data: { book: book.data, own: own.data } } : own;
};

export const loadChain = async (
  api: Api,
  bookId: string,
  productId: string,
  signal: AbortSignal,
): Promise<Answer<Chain>> => {
  const first = await loadLink(api, bookId, productId, signal);
  if (!first.ok) return first;
  const bases: Link[] = [];
  let next = first.data.book.basePriceBookId;
  while (next !== undefined) {
    const link = await loadLink(api, next, productId, signal);
    if (!link.ok) return link;
    bases.push(link.data);
    next = link.data.book.basePriceBookId;
  }
  return { ...first, data: [first.data, ...bases] };
};

/** What is set for the product in a currency, whatever its dates. */
export const ownAdjustments = (own: Schemas['Product'], currency: string): readonly AnyAdjustment[] => {
  const { adjustments, percents, dated } = own;
  return [adjustments[currency], percents[currency], ...(dated?.[currency] ?? [])].filter(
    (one) => one !== undefined,
  );
};

/** Currencies in which the product has something, or had when nothing is left. */
export const currenciesOf = (chain: Chain): readonly string[] => {
  const found = chain.flatMap(({ own }) => [
    ...own.prices.map(({ currency }) => currency),
    ...Object.keys({ ...own.adjustments, ...own.percents, ...own.dated }),
  ]);
  return [...new Set(found)].sort();
};

/** A property that a table reads, and what it takes. */
export interface AskedProperty {
  readonly name: string;
  readonly hint: string;
  readonly isNumber: boolean;
}

const LISTED = 8;

const listed = (values: readonly string[]): string =>
  values.slice(0, LISTED).join(', ') +
  (values.length > LISTED ? ` and ${(values.length - LISTED).toLocaleString()} more` : '');

/** Properties that tables of the product read, in any book of the chain; `quantity` has a box of its own. */
export const askedProperties = (chain: Chain, currency: string): readonly AskedProperty[] => {
  const found = new Map<string, AskedProperty>();
  for (const adjustment of chain.flatMap(({ own }) => ownAdjustments(own, currency))) {
    const table = tableOf(adjustment);
    if (table === undefined) continue;
    const { property, rows, rowName } = table;
    const isNumber = rowName !== 'value';
    const values = listed(rows.map((row) => textOf(rowWords(row))));
    found.set(property, { name: property, hint: `${isNumber ? 'A number' : 'One of'}: ${values}`, isNumber });
  }
  found.delete('quantity');
  return [...found.values()];
};

/** Currencies that events of the product name: where nothing of it is left, its history still shows. */
export const formerCurrencies = async (
  api: Api,
  bookId: string,
  productId: string,
  signal: AbortSignal,
): Promise<Answer<readonly string[]>> => {
  const answer = await answerOf(
    api.GET('/v1/pricebooks/{priceBookId}/events', {
      params: { path: { priceBookId: bookId }, query: { productId, limit: 100 } },
      signal,
    }),
  );
  if (!answer.ok) return answer;
  const entries = typeof answer.data === 'string' ? [] : answer.data;
  const found = entries.flatMap((entry) =>
    entry.type === 'ProductPricesSet'
      ? entry.data.items
          .filter((item) => item.productId === productId)
          .flatMap(({ adjustments }) => Object.keys(adjustments))
      : [],
  );
  return { ...answer, data: [...new Set(found)].sort() };
};
