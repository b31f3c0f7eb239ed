/** All that decides a price: what a book and its bases hold for a product. */
import { type Answer, answerOf, type Api, type Schemas } from '../../api/client';
import type { Adjustment } from './draft';
import { type Own, ownOfAll, ownOfProduct } from './own';

export interface Link {
  readonly book: Schemas['PriceBook'];
  readonly product: Own;
  readonly all: Own;
}

/** The book first, then its base, and so on. */
export type Chain = readonly [Link, ...Link[]];

const loadLink = async (
  api: Api,
  priceBookId: string,
  productId: string,
  signal?: AbortSignal,
): Promise<Answer<Link>> => {
  const [book, product, all] = await Promise.all([
    answerOf(
      api.GET('/v1/pricebooks/{priceBookId}', {
        params: { path: { priceBookId } },
        ...(signal && { signal }),
      }),
    ),
    ownOfProduct(api, priceBookId, productId, signal),
    ownOfAll(api, priceBookId, signal),
  ]);
  if (!book.ok) return book;
  if (!product.ok) return product;
  if (!all.ok) return all;
  return { ...book, data: { book: book.data, product: product.data, all: all.data } };
};

export const loadChain = async (
  api: Api,
  bookId: string,
  productId: string,
  signal?: AbortSignal,
): Promise<Answer<Chain>> => {
  const first = await loadLink(api, bookId, productId, signal);
  if (!first.ok) return first;
  const bases: Link[] = [];
  for (let next = first.data.book.basePriceBookId; next !== undefined;) {
    const link = await loadLink(api, next, productId, signal);
    if (!link.ok) return link;
    bases.push(link.data);
    next = link.data.book.basePriceBookId;
  }
  return { ...first, data: [first.data, ...bases] };
};

/** What is set in a currency, whatever its dates. */
export const ownAdjustments = (
  { adjustments, percents, dated }: Own,
  currency: string,
): readonly Adjustment[] =>
  [adjustments[currency], percents[currency], ...(dated[currency] ?? [])].filter((one) => one !== undefined);
