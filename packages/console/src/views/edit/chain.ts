/** All that decides a price: what a book and its bases hold for a product. */
import { type Answer, answerOf, type Api, type Schemas } from '../../api/client';
import { type Own, ownOfAll, ownOfProduct } from './own';

export interface KnownBook {
  readonly id: string;
  readonly product: Own;
  readonly all: Own;
}

const loadBook = async (api: Api, id: string, productId: string): Promise<Answer<KnownBook>> => {
  const [product, all] = await Promise.all([ownOfProduct(api, id, productId), ownOfAll(api, id)]);
  if (!product.ok) return product;
  if (!all.ok) return all;
  return { ...product, data: { id, product: product.data, all: all.data } };
};

/** The book first, then its base, and so on. */
export const loadChain = async (
  api: Api,
  book: Schemas['PriceBook'],
  productId: string,
): Promise<Answer<readonly KnownBook[]>> => {
  const chain: KnownBook[] = [];
  for (let next = book; ;) {
    const loaded = await loadBook(api, next.id, productId);
    if (!loaded.ok) return loaded;
    chain.push(loaded.data);
    if (next.basePriceBookId === undefined) return { ...loaded, data: chain };
    const base = await answerOf(
      api.GET('/v1/pricebooks/{priceBookId}', { params: { path: { priceBookId: next.basePriceBookId } } }),
    );
    if (!base.ok) return base;
    next = base.data;
  }
};
