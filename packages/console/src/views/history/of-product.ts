/** What of a history concerns one product. */
import { type Answer, answerOf, type Api } from '../../api/client';
import { nextCursor } from '../../api/next-cursor';
import type { Entry } from './follow';

/** The entry with what it says of the product alone; undefined where it says nothing of it. */
export const ofProduct = (entry: Entry, productId: string): Entry | undefined => {
  switch (entry.type) {
    case 'ProductPricesSet': {
      const items = entry.data.items.filter((item) => item.productId === productId);
      return items.length === 0 ? undefined : { ...entry, data: { items } };
    }
    case 'PriceBookEntriesDeleted':
      return entry.data.productIds.includes(productId)
        ? { ...entry, data: { productIds: [productId] } }
        : undefined;
    case 'AllProductsAdjusted':
      return entry;
    case 'PriceBookCreated':
    case 'PriceBookCloned':
    case 'PriceBookUpdated':
    case 'PriceBookDeleted':
    case 'PriceBookRestored':
      return undefined;
  }
};

/** All of them, newest first: the service finds them, oldest first. */
export const loadOfProduct = async (
  api: Api,
  bookId: string,
  productId: string,
  signal: AbortSignal,
): Promise<Answer<readonly Entry[]>> => {
  const entries: Entry[] = [];
  let cursor: string | undefined;
  for (;;) {
    const answer = await answerOf(
      api.GET('/v1/pricebooks/{priceBookId}/events', {
        params: {
          path: { priceBookId: bookId },
          query: { productId, limit: 1_000, ...(cursor !== undefined && { cursor }) },
        },
        signal,
      }),
    );
    if (!answer.ok) return answer;
    // The other type of the answer is that of streams.
    entries.push(...(answer.data as readonly Entry[]));
    cursor = nextCursor(answer.response);
    if (cursor === undefined) return { ...answer, data: entries.reverse() };
  }
};
