/**
 * The documents of the read model.
 *
 * `current` has one document a book, and one a holder and currency, so that none outgrows what MongoDB takes, and
 * so that a price is found by names alone; and one a boundary, in the order of whose names they are listed. What
 * changes of a document stands in `state`, the revision first: BSON compares documents field by field, so `$max` on
 * `state` takes the newer one, and skips what is not newer.
 * `history` has one row a change, and `requests` one document a name under which a request is remembered. Text of users is in values and names of documents only, never in names of fields.
 */
import {
  type BoundaryPlace,
  type DoneRequest,
  EVERY_CURRENCY,
  type HistoryRow,
  type Holder,
  placeValueOf,
  type Position,
  type PriceBookDocument,
  type RowId,
} from '@pricebook/application';
import { type Cell, type Currency, type PriceBookId, stampOf } from '@pricebook/domain';
import { Long } from 'mongodb';
import type { Named } from './server';

export type CurrencyOrEvery = HistoryRow['currency'];

export interface BookState extends PriceBookDocument {
  /** For the look-up of the books that are derived from one. */
  readonly basePriceBookId?: PriceBookId;
  /** By what it stands in lists by name: see `placeValueOf`. Absent where it is in no list. */
  readonly namePlace?: string;
  /** Something of a product was dated at some time: what an undated adjustment leaves may hang on what was there. */
  readonly hasDated?: true;
}

export interface CellState {
  /** The revision that last changed what the holder has in the currency; of every currency: that took all away. */
  readonly revision: number;
  readonly cell?: Cell | undefined;
}

export interface BookDocument extends Named {
  readonly state: BookState;
}

export interface CellDocument extends Named {
  readonly book: PriceBookId;
  readonly holder: Holder;
  readonly currency: CurrencyOrEvery;
  readonly state: CellState;
}

/** That something begins or ends; its name says what and when. */
export interface BoundaryDocument extends Named {
  /** The last revision that named it. */
  readonly state: { readonly revision: number };
}

export interface RowDocument extends Named {
  readonly book: PriceBookId;
  readonly holder: Holder;
  readonly currency: CurrencyOrEvery;
  readonly revision: number;
  readonly occurredAt: string;
  readonly actor: string;
  readonly reason?: string;
  readonly adjustment?: HistoryRow['adjustment'];
  readonly cell?: Cell | undefined;
}

export interface RequestDocument extends Named {
  /** The time has to come first: it is what `$max` looks at first. */
  readonly state: Pick<DoneRequest, 'occurredAt' | 'priceBookId' | 'revision' | 'request'>;
}

/** A position of up to 186 bits, in parts that BSON compares as numbers, the greatest first. */
interface StoredPosition {
  readonly high: Long;
  readonly middle: Long;
  readonly low: Long;
}

export interface CheckpointDocument extends Named {
  readonly position?: StoredPosition;
  /** Which events the read model is made of. */
  readonly source?: string;
  /** When a process last had it open, by the server's clock, to a minute. */
  readonly usedAt?: Date;
}

const PART_BITS = 62n;
const PART_MASK = (1n << PART_BITS) - 1n;

export const toStoredPosition = (position: Position): StoredPosition => ({
  high: Long.fromBigInt((position >> (2n * PART_BITS)) & PART_MASK),
  middle: Long.fromBigInt((position >> PART_BITS) & PART_MASK),
  low: Long.fromBigInt(position & PART_MASK),
});

/** The driver brings small ones as numbers. */
const toBigInt = (part: unknown): bigint => BigInt(String(part));

export const toPosition = ({ high, middle, low }: StoredPosition): Position =>
  (toBigInt(high) << (2n * PART_BITS)) | (toBigInt(middle) << PART_BITS) | toBigInt(low);

export const BOOK_PREFIX = 'book/';
/** The first name after all that begin with the prefix. */
export const AFTER_BOOKS = 'book0';

export const bookName = (id: PriceBookId): string => `${BOOK_PREFIX}${id}`;

/** The holder comes last: it may hold any text, the parts before it do not. */
export const cellName = (id: PriceBookId, holder: Holder, currency: CurrencyOrEvery): string =>
  `held/${id}/${currency}/${holder}`;

/** The first name after those of all that a book holds in a currency. */
export const afterCells = (id: PriceBookId, currency: CurrencyOrEvery): string => `held/${id}/${currency}0`;

/** Between the holder and the currency of a boundary: no holder has it, and it comes before all that one may have. */
const AFTER_HOLDER = '\t';

/** In the order of which the boundaries of a book are listed: texts are compared by code points. */
export const boundaryName = (id: PriceBookId, { at, holder, currency }: BoundaryPlace): string =>
  `boundary/${id}/${at}${holder === undefined ? '' : `/${holder}${AFTER_HOLDER}${currency ?? ''}`}`;

/** The first name after those of all boundaries of a book. */
export const afterBoundaries = (id: PriceBookId): string => `boundary/${id}0`;

/** What the name of a boundary says; undefined where it is none. */
export const boundaryIn = (name: string) => {
  const [, priceBookId, at, holder, currency] =
    /^boundary\/([^/]*)\/([^/]*)\/([^\t]*)\t(.*)$/s.exec(name) ?? [];
  return priceBookId === undefined || at === undefined || holder === undefined || currency === undefined
    ? undefined
    : { priceBookId, at, holder, currency };
};

export const rowName = (id: PriceBookId, holder: Holder, { currency, stamp }: RowId): string =>
  `${id}/${currency}/${String(stamp.revision)}/${holder}`;

export const toRowDocument = (id: PriceBookId, holder: Holder, row: HistoryRow): RowDocument => ({
  _id: rowName(id, holder, row),
  book: id,
  holder,
  currency: row.currency,
  ...stampOf(row.stamp),
  adjustment: row.adjustment,
  cell: row.cell,
});

export const toRow = ({ currency, adjustment, cell, ...stamp }: RowDocument): HistoryRow => ({
  currency,
  stamp: stampOf(stamp),
  ...(adjustment !== undefined && { adjustment }),
  ...(cell !== undefined && { cell }),
});

/** The revision has to come first: it is what `$max` looks at first. */
export const toBookState = (document: PriceBookDocument, before?: BookState): BookState => {
  const { revision, ...others } = document;
  const base = document.created?.basePriceBookIds[0];
  // A name that has not changed is the same object, and stands where it did.
  const hasMoved =
    before?.name !== document.name ||
    before?.created !== document.created ||
    before?.lifecycle !== document.lifecycle;
  const namePlace = hasMoved ? placeValueOf(document, 'name') : before?.namePlace;
  return {
    revision,
    ...others,
    ...(base !== undefined && { basePriceBookId: base }),
    ...(namePlace !== undefined && { namePlace }),
    ...(before?.hasDated === true && { hasDated: true }),
  };
};

export const isOneCurrency = (currency: CurrencyOrEvery): currency is Currency => currency !== EVERY_CURRENCY;
