import type { PriceBookId, Stamp } from '@pricebook/domain';
import type { PriceBookView } from '../ports/read-model';
import type { Creation, LifecycleEvent, PriceBookChange } from './changes';
import type { HoldingsDocument } from './holdings-document';

interface Detail<A> {
  readonly value: A;
  readonly revision: number;
}

/** Name and text: names of clients are no names of fields, which not every store takes. */
type MetadataEntry = readonly [string, string];

/**
 * All that the read model keeps of a book, but for its products. Each part carries the revision that it stands
 * for, so changes give the same document in whatever order they come. A deleted book stays, so that no change
 * that comes late brings it back.
 */
export interface PriceBookDocument {
  readonly priceBookId: PriceBookId;
  readonly revision: number;
  readonly updatedAt: string;
  readonly created?: Creation;
  readonly name?: Detail<string>;
  readonly description?: Detail<string>;
  /** Null where it was taken away. */
  readonly key?: Detail<string | null>;
  readonly metadata?: Detail<readonly MetadataEntry[]>;
  /** By revision; absent where the book was never deleted. */
  readonly lifecycle?: readonly LifecycleEvent[];
  /** What the book has for all products. */
  readonly allProducts?: HoldingsDocument;
}

const newer = <A>(
  detail: Detail<A> | undefined,
  value: A | undefined,
  revision: number,
): Detail<A> | undefined =>
  value === undefined || (detail !== undefined && detail.revision >= revision) ? detail : { value, revision };

/** With one more deletion or restoration, in its place. */
const lifecycleAfter = (
  lifecycle: readonly LifecycleEvent[] | undefined,
  { lifecycle: type, stamp }: PriceBookChange,
): readonly LifecycleEvent[] | undefined =>
  type === undefined || lifecycle?.some(({ revision }) => revision === stamp.revision) === true
    ? lifecycle
    : [...(lifecycle ?? []), { type, ...stamp }].sort((a, b) => a.revision - b.revision);

/** A document after a change. */
export const foldPriceBook = (
  document: PriceBookDocument | undefined,
  change: PriceBookChange,
): PriceBookDocument => {
  const { priceBookId, stamp, basePriceBookIds, clonedFrom, name, description } = change;
  const { revision, occurredAt } = stamp;
  const isLast = document === undefined || revision > document.revision;
  const created =
    basePriceBookIds === undefined
      ? document?.created
      : { ...stamp, basePriceBookIds, ...(clonedFrom !== undefined && { clonedFrom }) };
  const newName = newer(document?.name, name, revision);
  const newDescription = newer(document?.description, description, revision);
  const newKey = newer(document?.key, change.key, revision);
  const metadata = change.metadata && Object.entries(change.metadata);
  const newMetadata = newer(document?.metadata, metadata, revision);
  const lifecycle = lifecycleAfter(document?.lifecycle, change);
  const allProducts = document?.allProducts;
  // Fields that are not known are left out: stores tell undefined from absent.
  return {
    priceBookId,
    revision: isLast ? revision : document.revision,
    updatedAt: isLast ? occurredAt : document.updatedAt,
    ...(created !== undefined && { created }),
    ...(newName !== undefined && { name: newName }),
    ...(newDescription !== undefined && { description: newDescription }),
    ...(newKey !== undefined && { key: newKey }),
    ...(newMetadata !== undefined && { metadata: newMetadata }),
    ...(lifecycle !== undefined && { lifecycle }),
    ...(allProducts !== undefined && { allProducts }),
  };
};

/** All that clients see of a book while it is not deleted; undefined where its creation has not come yet. */
const detailsOf = (document: PriceBookDocument): PriceBookView | undefined => {
  const { priceBookId, revision, updatedAt, created, name, description, key, metadata } = document;
  if (created === undefined) return undefined;
  return {
    priceBookId,
    revision,
    name: name?.value ?? '',
    nameRevision: name?.revision ?? 0,
    description: description?.value ?? '',
    descriptionRevision: description?.revision ?? 0,
    key: key?.value ?? null,
    keyRevision: key?.revision ?? 0,
    metadata: Object.fromEntries(metadata?.value ?? []),
    metadataRevision: metadata?.revision ?? 0,
    basePriceBookIds: created.basePriceBookIds,
    ...(created.clonedFrom !== undefined && { clonedFrom: created.clonedFrom }),
    createdAt: created.occurredAt,
    updatedAt,
  };
};

/** The book as clients see it; undefined where it is deleted, or its creation has not come yet. */
export const viewOf = (document: PriceBookDocument): PriceBookView | undefined =>
  existsAt(document) ? detailsOf(document) : undefined;

/** A deleted book as it would be without its deletion; undefined where it is not deleted. */
export const deletedViewOf = (document: PriceBookDocument): PriceBookView | undefined =>
  existsAt(document) ? undefined : detailsOf(document);

/** Whether a question about the book at a time has an answer, if only that there was nothing. */
export const isKnownAt = (document: PriceBookDocument, at?: string): boolean =>
  at === undefined ? existsAt(document) : document.created !== undefined;

/** Whether the book existed at a time; without one, whether it exists now. */
export const existsAt = (
  {
    created,
    lifecycle,
  }: {
    readonly created?: Stamp | undefined;
    readonly lifecycle?: readonly LifecycleEvent[] | undefined;
  },
  at?: string,
): boolean => {
  if (created === undefined || (at !== undefined && created.occurredAt > at)) return false;
  if (lifecycle === undefined) return true;
  const last = at === undefined ? lifecycle.at(-1) : lifecycle.findLast(({ occurredAt }) => occurredAt <= at);
  return last?.type !== 'PriceBookDeleted';
};
