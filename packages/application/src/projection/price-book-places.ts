/** Where books stand in lists that are sorted by something else than their creation. */
import { caseless } from '../caseless';
import type { BookPlace, BookSort, PriceBookView } from '../ports/read-model';
import { existsAt, type PriceBookDocument } from './price-book-document';

/** What an index is needed for. */
export type IndexedSort = Exclude<BookSort, 'createdAt'>;

export const INDEXED_SORTS: readonly IndexedSort[] = ['name', 'updatedAt'];

/** As much of a name as its place goes by, 200 code points: keys of stores are bounded. */
const beginning = /^.{0,200}/su;

/** Names go by their form in any letter case. Keys of stores end texts by a NUL. */
const valueOf = (sort: IndexedSort, name: string, updatedAt: string): string =>
  sort === 'updatedAt' ? updatedAt : (beginning.exec(caseless(name))?.[0] ?? '').replaceAll('\0', ' ');

/**
 * The value by which a book stands in a list, in the order of code points; books of the same one go by their ids.
 *
 * @returns undefined where it is in no list: it is deleted, or its creation has not come yet.
 */
export const placeValueOf = (
  document: PriceBookDocument | undefined,
  sort: IndexedSort,
): string | undefined =>
  document !== undefined && existsAt(document)
    ? valueOf(sort, document.name?.value ?? '', document.updatedAt)
    : undefined;

/** The place of a book that is in a list. */
export const placeOf = ({ priceBookId, name, updatedAt }: PriceBookView, sort: BookSort): BookPlace =>
  sort === 'createdAt' ? { priceBookId } : { priceBookId, value: valueOf(sort, name, updatedAt) };

/** The key of a book that has one and exists. */
export const keyOf = (document: PriceBookDocument | undefined): string | undefined =>
  document !== undefined && existsAt(document) ? (document.key?.value ?? undefined) : undefined;
