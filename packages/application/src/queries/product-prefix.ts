/** Lists of products whose ids begin with a text: in the order of code points these are one piece, which begins there. */
import type { ProductId } from '@pricebook/domain';
import { byCodePoints } from '../code-points';
import type { Part } from '../ports/read-model';

/** Where such a list begins: lists begin at any text, whether or not a product can have it as its id. */
export const beginningWith = (
  prefix: string | undefined,
  from: ProductId | undefined,
): ProductId | undefined =>
  prefix === undefined || (from !== undefined && byCodePoints(prefix, from) < 0)
    ? from
    : (prefix as ProductId);

/** What of a part of all products is in such a list, which ends at the first product that is not. */
export const whereBeginsWith = <Item>(
  prefix: string | undefined,
  { items, next }: Part<Item, ProductId>,
  idOf: (item: Item) => ProductId,
): Part<Item, ProductId> => {
  if (prefix === undefined) return { items, next };
  const end = items.findIndex((item) => !idOf(item).startsWith(prefix));
  return end === -1
    ? { items, next: next?.startsWith(prefix) === true ? next : undefined }
    : { items: items.slice(0, end), next: undefined };
};
