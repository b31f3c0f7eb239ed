/** What a book has for a product, or for all its products, and what has been changed there since. */
import { v4 as newId } from 'uuid';
import { type Answer, answerOf, type Api, type Schemas } from '../../api/client';
import { nextCursor } from '../../api/next-cursor';
import type { Adjustment, Scope } from './draft';

/** A state of a book, by which a write is refused if it is no longer the current one. */
export interface Base {
  readonly revision: number;
  readonly updatedAt: string;
}

type ByCurrency<A> = Readonly<Partial<Record<string, A>>>;

export interface Own {
  readonly adjustments: ByCurrency<Adjustment>;
  readonly percents: ByCurrency<Adjustment>;
  readonly dated: ByCurrency<readonly Adjustment[]>;
}

const nothing: Own = { adjustments: {}, percents: {}, dated: {} };

export interface Held {
  readonly base: Base;
  readonly own: Own;
}

export const ownOfProduct = async (
  api: Api,
  bookId: string,
  productId: string,
  signal?: AbortSignal,
): Promise<Answer<Own>> => {
  const answer = await answerOf(
    api.GET('/v1/products/{productId}/pricebooks/{priceBookId}', {
      params: { path: { priceBookId: bookId, productId } },
      ...(signal && { signal }),
    }),
  );
  if (!answer.ok) return answer;
  const { adjustments, percents, dated = {} } = answer.data;
  return { ...answer, data: { adjustments, percents, dated } };
};

const mapped = <A, B>(record: Readonly<Record<string, A>>, of: (one: A) => B | undefined): ByCurrency<B> =>
  Object.fromEntries(
    Object.entries(record).flatMap(([currency, one]) => {
      const made = of(one);
      return made === undefined ? [] : [[currency, made]];
    }),
  );

export const ownOfAll = async (api: Api, bookId: string, signal?: AbortSignal): Promise<Answer<Own>> => {
  const answer = await answerOf(
    api.GET('/v1/pricebooks/{priceBookId}/percents', {
      params: { path: { priceBookId: bookId } },
      ...(signal && { signal }),
    }),
  );
  if (!answer.ok) return answer;
  return {
    ...answer,
    data: {
      adjustments: {},
      percents: mapped<Schemas['BookPercent'], Adjustment>(
        answer.data,
        ({ adjustment }) => adjustment ?? undefined,
      ),
      dated: mapped<Schemas['BookPercent'], readonly Adjustment[]>(answer.data, ({ dated }) => dated),
    },
  };
};

const loadBase = async (api: Api, bookId: string, signal?: AbortSignal): Promise<Answer<Base>> => {
  const answer = await answerOf(
    api.GET('/v1/pricebooks/{priceBookId}', {
      params: { path: { priceBookId: bookId } },
      ...(signal && { signal }),
    }),
  );
  if (!answer.ok) return answer;
  const { revision, updatedAt } = answer.data;
  return { ...answer, data: { revision, updatedAt } };
};

/** The state comes first: what is changed between the two requests is then seen as a conflict, and not overlooked. */
export const loadHeld = async (
  api: Api,
  {
    bookId,
    scope,
    productId,
    signal,
  }: { bookId: string; scope: Scope; productId: string; signal?: AbortSignal },
): Promise<Answer<Held>> => {
  const base = await loadBase(api, bookId, signal);
  if (!base.ok) return base;
  // Which product it is may not be known yet.
  if (scope === 'product' && productId === '') return { ...base, data: { base: base.data, own: nothing } };
  const own = await (scope === 'all'
    ? ownOfAll(api, bookId, signal)
    : ownOfProduct(api, bookId, productId, signal));
  if (!own.ok) return own;
  return { ...own, data: { base: base.data, own: own.data } };
};

/** A change that another person made to what is being edited. */
export interface OtherChange {
  readonly revision: number;
  readonly at: string;
  readonly actor: string;
  readonly of: 'product' | 'all' | 'deleted';
  readonly adjustments: readonly Schemas['RequestedAdjustment'][];
}

const listed = <A>(asked: A | A[] | undefined): readonly A[] =>
  asked === undefined ? [] : Array.isArray(asked) ? asked : [asked];

const changeIn = (
  entry: Schemas['HistoryEntry'],
  { productId, currency }: { productId: string; currency: string },
): OtherChange | undefined => {
  const about = { revision: entry.revision, at: entry.occurredAt, actor: entry.actor };
  if (entry.type === 'ProductPricesSet') {
    const item = entry.data.items.find((one) => one.productId === productId);
    const adjustments = listed(item?.adjustments[currency]);
    return adjustments.length === 0 ? undefined : { ...about, of: 'product', adjustments };
  }
  if (entry.type === 'AllProductsAdjusted') {
    const adjustments = listed(entry.data.adjustments[currency]);
    return adjustments.length === 0 ? undefined : { ...about, of: 'all', adjustments };
  }
  return entry.type === 'PriceBookEntriesDeleted' && entry.data.productIds.includes(productId)
    ? { ...about, of: 'deleted', adjustments: [] }
    : undefined;
};

/** What others have changed since a state of the book that concerns what is being edited. */
export const changesSince = async (
  api: Api,
  target: {
    readonly bookId: string;
    readonly scope: Scope;
    readonly productId: string;
    readonly currency: string;
  },
  { revision, updatedAt }: Base,
): Promise<Answer<readonly OtherChange[]>> => {
  // No product has a new id: of its history only what was set for all products is left.
  const productId = target.scope === 'all' ? newId() : target.productId;
  const found: OtherChange[] = [];
  for (let cursor: string | undefined; ;) {
    const answer = await answerOf(
      api.GET('/v1/pricebooks/{priceBookId}/events', {
        params: {
          path: { priceBookId: target.bookId },
          query: { productId, since: updatedAt, limit: 1_000, ...(cursor !== undefined && { cursor }) },
        },
      }),
    );
    if (!answer.ok) return answer;
    for (const entry of answer.data) {
      // Only a stream is text.
      if (typeof entry === 'string') continue;
      const change = entry.revision > revision ? changeIn(entry, { ...target, productId }) : undefined;
      if (change !== undefined) found.push(change);
    }
    cursor = nextCursor(answer.response);
    if (cursor === undefined) return { ...answer, data: found };
  }
};
