/** The currencies in which a product has a price, or had one. */
import { type Answer, answerOf, type Api } from '../../api/client';
import type { Chain } from '../edit/chain';

/** Currencies in which the product has something. */
export const currenciesOf = (chain: Chain): readonly string[] =>
  [
    ...new Set(
      chain.flatMap(({ product }) =>
        Object.keys({ ...product.adjustments, ...product.percents, ...product.dated }),
      ),
    ),
  ].sort();

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
