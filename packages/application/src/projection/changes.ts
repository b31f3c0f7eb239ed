import {
  type Adjustments,
  type BookAtRevision,
  type Currency,
  listed,
  type Metadata,
  type OneOrMore,
  type PriceBookEvent,
  type PriceBookId,
  type ProductId,
  type RequestedAdjustment,
  type Stamp,
} from '@pricebook/domain';
import {
  type DoneRequest,
  type IdempotentRequest,
  laterRequest,
  rememberedName,
} from '../idempotency/idempotent-request';

/** Stands where a product id stands, for what a book has for all products; no product can be called so. */
export const ALL_PRODUCTS = 'all';
export type Holder = ProductId | typeof ALL_PRODUCTS;

/** How a book came into being. */
export interface Creation extends Stamp {
  readonly basePriceBookIds: readonly PriceBookId[];
  /** The source of a clone. */
  readonly clonedFrom?: BookAtRevision;
}

/** A deletion or a restoration. */
export interface LifecycleEvent extends Stamp {
  readonly type: 'PriceBookDeleted' | 'PriceBookRestored';
}

/** A book moved on: it has a new revision, and perhaps new details. */
export interface PriceBookChange {
  readonly _tag: 'PriceBookChange';
  readonly priceBookId: PriceBookId;
  readonly stamp: Stamp;
  /** Only where the book was created: its chain of bases, nearest first. */
  readonly basePriceBookIds?: readonly PriceBookId[];
  /** Only where the book was cloned: what it begins with. See `applyClone`. */
  readonly clonedFrom?: BookAtRevision;
  /** The bases of the source that were flattened into the clone, nearest first. */
  readonly flattenedBases?: readonly BookAtRevision[];
  readonly name?: string;
  readonly description?: string;
  /** Null takes it away. */
  readonly key?: string | null;
  /** All of it. */
  readonly metadata?: Metadata;
  /** Only where the book was deleted or restored. */
  readonly lifecycle?: LifecycleEvent['type'];
  /** Where the request that moved it on is remembered: by which name, and what tells the request from others. */
  readonly remembered?: { readonly name: string; readonly request: string };
}

/** What a product, or a book for all products, holds was changed. */
export interface HoldingsChange {
  readonly _tag: 'HoldingsChange';
  readonly priceBookId: PriceBookId;
  readonly holder: Holder;
  readonly stamp: Stamp;
  /** By currency; or everything that is held, in every currency, is taken away. */
  readonly adjustments: Adjustments | 'removeAll';
}

export type ReadModelChange = PriceBookChange | HoldingsChange;

const holdingsChanges = (
  priceBookId: PriceBookId,
  event: PriceBookEvent,
  stamp: Stamp,
): readonly HoldingsChange[] => {
  const change = (holder: Holder, adjustments: HoldingsChange['adjustments']): HoldingsChange => ({
    _tag: 'HoldingsChange',
    priceBookId,
    holder,
    stamp,
    adjustments,
  });
  switch (event.type) {
    case 'ProductPricesSet':
      return event.data.items.map((item) => change(item.productId, item.adjustments));
    case 'AllProductsAdjusted':
      return [change(ALL_PRODUCTS, event.data.adjustments)];
    case 'PriceBookEntriesDeleted':
      return event.data.productIds.map((productId) => change(productId, 'removeAll'));
    case 'PriceBookCreated':
    case 'PriceBookCloned':
    case 'PriceBookUpdated':
    case 'PriceBookDeleted':
    case 'PriceBookRestored':
      return [];
  }
};

/** What an event changes of the book itself. */
const detailsIn = ({
  type,
  data,
}: PriceBookEvent): Omit<PriceBookChange, '_tag' | 'priceBookId' | 'stamp'> => {
  switch (type) {
    case 'PriceBookCreated':
    case 'PriceBookCloned':
    case 'PriceBookUpdated':
      return data;
    case 'PriceBookDeleted':
    case 'PriceBookRestored':
      return { ...data, lifecycle: type };
    case 'ProductPricesSet':
    case 'AllProductsAdjusted':
    case 'PriceBookEntriesDeleted':
      return {};
  }
};

/**
 * What an event of a price book changes in the read model.
 *
 * @param idempotency of the request that it is of, where that is remembered.
 */
export const changesOf = (
  priceBookId: PriceBookId,
  event: PriceBookEvent,
  stamp: Stamp,
  idempotency?: IdempotentRequest,
): readonly ReadModelChange[] => {
  const details = detailsIn(event);
  const remembered = idempotency && {
    name: rememberedName(stamp.actor, idempotency),
    request: idempotency.request,
  };
  return [
    { _tag: 'PriceBookChange', priceBookId, stamp, ...details, ...(remembered && { remembered }) },
    ...holdingsChanges(priceBookId, event, stamp),
  ];
};

/** An instant at which something that a change sets begins or ends. */
export interface BoundaryOf {
  readonly currency: Currency;
  /** ISO 8601, UTC. */
  readonly at: string;
}

/**
 * The boundaries of what a change sets, each once. The read model keeps them for good, each with the last revision
 * that named it: whether something still begins or ends there, the holder's cell tells.
 */
export const boundariesIn = ({ adjustments }: HoldingsChange): readonly BoundaryOf[] => {
  if (adjustments === 'removeAll') return [];
  const boundaries: BoundaryOf[] = [];
  for (const [currency, asked] of Object.entries(adjustments) as [
    Currency,
    OneOrMore<RequestedAdjustment>,
  ][]) {
    const instants = new Set<string>();
    for (const { type, validFrom, validUntil } of listed(asked)) {
      if (type === 'cancel') continue;
      if (validFrom !== undefined) instants.add(validFrom);
      if (validUntil !== undefined) instants.add(validUntil);
    }
    for (const at of instants) boundaries.push({ currency, at });
  }
  return boundaries;
};

/** What a change says of the request that it is of, and by which name; undefined where that is not remembered. */
const rememberedBy = (
  change: ReadModelChange,
): { readonly name: string; readonly done: DoneRequest } | undefined => {
  if (change._tag !== 'PriceBookChange' || change.remembered === undefined) return undefined;
  const { priceBookId, stamp, remembered } = change;
  const { revision, occurredAt } = stamp;
  return { name: remembered.name, done: { request: remembered.request, priceBookId, revision, occurredAt } };
};

/** The requests that changes tell of, each once by its name. */
export const rememberedIn = (changes: readonly ReadModelChange[]): ReadonlyMap<string, DoneRequest> => {
  const requests = new Map<string, DoneRequest>();
  for (const change of changes) {
    const found = rememberedBy(change);
    if (found === undefined) continue;
    const { name, done } = found;
    const other = requests.get(name);
    requests.set(name, other === undefined ? done : laterRequest(other, done));
  }
  return requests;
};
