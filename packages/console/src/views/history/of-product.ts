/** What of a history concerns one product. */
import { type Answer, answerOf, type Api } from '../../api/client';
import { nextCursor } from '../../api/next-cursor';
import type { Entry } from './follow';

/** Entries are sent whole, also those that set 10,000 products. */
const PAGE = 100;

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

/** All of them, newest first. The service finds them, oldest first. */
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
          query: { productId, limit: PAGE, ...(cursor !== undefined && { cursor }) },
        },
        signal,
      }),
    );
    if (!answer.ok) return answer;
    // The other type of the answer is that of streams.
    const page = answer.data as readonly Entry[];
    entries.push(...page.flatMap((entry) => ofProduct(entry, productId) ?? []));
    cursor = nextCursor(answer.response);
    if (cursor === undefined) return { ...answer, data: entries.reverse() };
  }
};
