/**
 * Binary keys. The text keys of lmdb are not injective for long texts, and a product id may be any text: ids
 * and codes are laid out byte by byte, in the order in which they are to be read.
 */
import { ALL_PRODUCTS, type BookPlace, type Holder, type IndexedSort } from '@pricebook/application';
import type { PriceBookId } from '@pricebook/domain';

interface KeyRange {
  readonly start: Buffer;
  readonly end: Buffer;
}

const UUID_BYTES = 16;
const LENGTH_BYTES = 2;
const TIME_BYTES = 6;
const REVISION_BYTES = 6;
const CURRENCY_BYTES = 3;
/** What the key of a row has after the holder. */
const AFTER_HOLDER_BYTES = CURRENCY_BYTES + TIME_BYTES + REVISION_BYTES;
/** No revision is higher. */
const MAX_UINT48 = 2 ** 48 - 1;

/** 16 bytes, which begin or stand in all keys of a book. UUIDs of version 7 sort by the time they were made. */
export const priceBookKey = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

export const priceBookIdOf = (key: Buffer): string => {
  const hex = key.toString('hex', 0, UUID_BYTES);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};

/** A derived book below its base. */
export const derivedKey = (baseId: string, derivedId: string): Buffer =>
  Buffer.concat([priceBookKey(baseId), priceBookKey(derivedId)]);

export const derivedIdOf = (key: Buffer): string => priceBookIdOf(key.subarray(UUID_BYTES));

/** The holdings of a product in the book of a key, by the code points of the product id. */
export const holdingsKey = (book: Buffer, productId: string): Buffer => {
  const key = Buffer.allocUnsafe(UUID_BYTES + Buffer.byteLength(productId, 'utf8'));
  key.set(book);
  key.write(productId, UUID_BYTES, 'utf8');
  return key;
};

/** The holdings of the products of a book, from one on or all of them. No byte of UTF-8 is as great as the last one. */
export const holdingsFrom = (book: Buffer, productId: string | undefined): KeyRange => ({
  start: productId === undefined ? book : holdingsKey(book, productId),
  end: Buffer.concat([book, Buffer.from([0xff])]),
});

/** Between a product and a book is a byte 0, which no product id has, and which comes before all that one may have. */
const AFTER_PRODUCT_BYTES = 1;

/** That a product is in the book of a key. */
export const productBookKey = (productId: string, book: Buffer): Buffer => {
  const length = Buffer.byteLength(productId, 'utf8');
  const key = Buffer.allocUnsafe(length + AFTER_PRODUCT_BYTES + book.length);
  key.write(productId, 0, 'utf8');
  key[length] = 0;
  key.set(book, length + AFTER_PRODUCT_BYTES);
  return key;
};

/** The books of a product, from one on or all of them. */
export const booksOfProduct = (productId: string, from: string | undefined): KeyRange => ({
  start: productBookKey(productId, from === undefined ? Buffer.alloc(0) : priceBookKey(from)),
  end: Buffer.from(`${productId}\u0001`, 'utf8'),
});

/** The key of the book in that of a product's book. */
export const bookOfProduct = (key: Buffer): Buffer => key.subarray(Math.max(0, key.length - UUID_BYTES));

/** The product in the key of a product's book. */
export const productOfBook = (key: Buffer): string =>
  key.toString('utf8', 0, Math.max(0, key.length - UUID_BYTES - AFTER_PRODUCT_BYTES));

/**
 * Begins all rows of one holder. The length keeps one id from being the beginning of another; it stands first, and
 * is 0 for what books have for all products, so that those few rows, which every product's price at a time asks
 * for, are side by side.
 *
 * @param room bytes for what comes after it, to be written by the caller.
 */
const rowsPrefix = (book: Buffer, holder: Holder, room = 0): Buffer => {
  const length = holder === ALL_PRODUCTS ? 0 : Buffer.byteLength(holder, 'utf8');
  const key = Buffer.allocUnsafe(LENGTH_BYTES + UUID_BYTES + length + room);
  key.writeUInt16BE(length, 0);
  key.set(book, LENGTH_BYTES);
  if (length > 0) key.write(holder, LENGTH_BYTES + UUID_BYTES, 'utf8');
  return key;
};

/** One history row: by holder, currency, time and revision. */
export const rowKey = (
  book: Buffer,
  holder: Holder,
  currency: string,
  { occurredAt, revision }: { readonly occurredAt: string; readonly revision: number },
): Buffer => {
  const key = rowsPrefix(book, holder, AFTER_HOLDER_BYTES);
  const revisionAt = key.length - REVISION_BYTES;
  const timeAt = revisionAt - TIME_BYTES;
  key.fill(0, timeAt - CURRENCY_BYTES, timeAt);
  key.write(currency, timeAt - CURRENCY_BYTES, 'latin1');
  // No event is from before 1970; what is asked for may be.
  key.writeUIntBE(Math.max(0, Date.parse(occurredAt)), timeAt, TIME_BYTES);
  key.writeUIntBE(revision, revisionAt, REVISION_BYTES);
  return key;
};

/** Before and after all rows. */
const FIRST = { occurredAt: '1970-01-01T00:00:00.000Z', revision: 0 };
const LAST = { occurredAt: '9999-12-31T23:59:59.999Z', revision: MAX_UINT48 };

/**
 * The key that comes after the rows of a currency up to and including a time, and before all others of it, in any
 * book: what it has in common for the books of a chain is made once.
 */
export const latestRowKeys = (holder: Holder, currency: string, at: string): ((book: Buffer) => Buffer) => {
  const ofNoBook = rowKey(Buffer.alloc(UUID_BYTES), holder, currency, {
    occurredAt: at,
    revision: MAX_UINT48,
  });
  return (book) => {
    const key = Buffer.from(ofNoBook);
    key.set(book, LENGTH_BYTES);
    return key;
  };
};

/** Whether two keys are of rows of the same holder and currency. */
export const isOfSameSeries = (a: Buffer, b: Buffer): boolean => {
  const end = a.length - TIME_BYTES - REVISION_BYTES;
  return a.length === b.length && a.compare(b, 0, end, 0, end) === 0;
};

/** The rows of a currency after a time, or all of them, earliest first. */
export const rowsAfter = (
  book: Buffer,
  holder: Holder,
  currency: string,
  after: string | undefined,
): KeyRange => ({
  start: rowKey(
    book,
    holder,
    currency,
    after === undefined ? FIRST : { occurredAt: after, revision: MAX_UINT48 },
  ),
  end: rowKey(book, holder, currency, LAST),
});

/** All rows of a holder. */
export const rowsOf = (book: Buffer, holder: Holder): KeyRange => {
  const start = rowsPrefix(book, holder);
  return { start, end: Buffer.concat([start, Buffer.from([0xff])]) };
};

/** The holder of holdings. */
export const holderOf = (key: Buffer): string => key.toString('utf8', UUID_BYTES);

/** The currency in the key of a row, or what stands for all of them. */
export const rowCurrencyOf = (key: Buffer): string => {
  const currencyAt = key.length - AFTER_HOLDER_BYTES;
  return key.toString('latin1', currencyAt, currencyAt + CURRENCY_BYTES).replaceAll('\0', '');
};

/** What the key of a row says; undefined where it is too short for one. */
export const rowIdOf = (key: Buffer) => {
  const nameAt = LENGTH_BYTES + UUID_BYTES;
  const nameEnd = key.length < nameAt ? Infinity : nameAt + key.readUInt16BE(0);
  const timeAt = nameEnd + CURRENCY_BYTES;
  if (key.length !== timeAt + TIME_BYTES + REVISION_BYTES) return undefined;
  return {
    priceBookId: priceBookIdOf(key.subarray(LENGTH_BYTES)),
    holder: nameEnd === nameAt ? ALL_PRODUCTS : key.toString('utf8', nameAt, nameEnd),
    currency: rowCurrencyOf(key),
    occurredAt: new Date(key.readUIntBE(timeAt, TIME_BYTES)).toISOString(),
    revision: key.readUIntBE(timeAt + TIME_BYTES, REVISION_BYTES),
  };
};

/** Between the holder and the currency of a boundary: no holder has it, and it comes before all that one may have. */
const AFTER_HOLDER = '\0';

interface BoundaryPlace {
  /** ISO 8601, UTC, milliseconds: always as long, and in the order of time. */
  readonly at: string;
  readonly holder: string;
  readonly currency: string;
}

/** By book, instant, holder in the order of code points, and currency. */
export const boundaryKey = (book: Buffer, { at, holder, currency }: BoundaryPlace): Buffer =>
  Buffer.concat([book, Buffer.from(`${at}${holder}${AFTER_HOLDER}${currency}`, 'utf8')]);

/** The boundaries of a book from a place on, to those before an instant or to all. */
export const boundariesFrom = (
  book: Buffer,
  { at, holder, currency = '' }: Pick<BoundaryPlace, 'at'> & Partial<BoundaryPlace>,
  until: string | undefined,
): KeyRange => ({
  start:
    holder === undefined
      ? Buffer.concat([book, Buffer.from(at, 'utf8')])
      : boundaryKey(book, { at, holder, currency }),
  end: Buffer.concat([book, until === undefined ? Buffer.from([0xff]) : Buffer.from(until, 'utf8')]),
});

/** What the key of a boundary says after the book; parts that it is too short for are empty. */
export const boundaryPlaceOf = (key: Buffer): BoundaryPlace => {
  const [, at = '', holder = '', currency = ''] =
    /^(.{24})([^\0]*)\0(.*)$/s.exec(key.toString('utf8', UUID_BYTES)) ?? [];
  return { at, holder, currency };
};

/** By what books stand in the table of places. */
export type PlaceKind = IndexedSort | 'key';

const KIND_BYTES: Readonly<Record<PlaceKind, number>> = { name: 1, updatedAt: 2, key: 3 };

/** Ends the value of a place, which has none itself: so values come in their order, whatever the ids. */
const AFTER_VALUE = 0;

const placeStart = (kind: PlaceKind, value: string): Buffer =>
  Buffer.concat([Buffer.from([KIND_BYTES[kind]]), Buffer.from(value, 'utf8'), Buffer.from([AFTER_VALUE])]);

/** Bytes before the id of a book in a list by update: each write to a book comes through here. */
const UPDATE_BYTES = 1 + TIME_BYTES;

const updatePlaceKey = (updatedAt: string, book: Buffer): Buffer => {
  const key = Buffer.allocUnsafe(UPDATE_BYTES + UUID_BYTES);
  const time = Date.parse(updatedAt);
  key[0] = KIND_BYTES.updatedAt;
  // A cursor may hold anything.
  key.writeUIntBE(time >= 0 ? time : 0, 1, TIME_BYTES);
  key.set(book, UPDATE_BYTES);
  return key;
};

/**
 * The place of a book: by kind, value in the order of code points, and id.
 *
 * @param book the key of the book.
 */
export const placeKey = (kind: PlaceKind, value: string, book: Buffer): Buffer =>
  kind === 'updatedAt' ? updatePlaceKey(value, book) : Buffer.concat([placeStart(kind, value), book]);

/** The books of a value. */
export const placesOfValue = (kind: PlaceKind, value: string): KeyRange => {
  const start = placeStart(kind, value);
  return { start, end: Buffer.concat([start, Buffer.alloc(UUID_BYTES + 1, 0xff)]) };
};

/** The places of a kind from one on or all of them; backwards, the range begins at its end. */
export const placesFrom = (kind: PlaceKind, from: BookPlace | undefined, isDescending: boolean): KeyRange => {
  const [first, last] = [Buffer.from([KIND_BYTES[kind]]), Buffer.from([KIND_BYTES[kind] + 1])];
  const place = from && placeKey(kind, from.value ?? '', priceBookKey(from.priceBookId));
  return isDescending ? { start: place ?? last, end: first } : { start: place ?? first, end: last };
};

/** What the key of a place says. */
export const placeOfKey = (key: Buffer): BookPlace & { readonly value: string } => {
  const idAt = Math.max(1, key.length - UUID_BYTES);
  const isUpdate = key[0] === KIND_BYTES.updatedAt && idAt === UPDATE_BYTES;
  return {
    priceBookId: priceBookIdOf(key.subarray(idAt)) as PriceBookId,
    value: isUpdate
      ? new Date(key.readUIntBE(1, TIME_BYTES)).toISOString()
      : key.toString('utf8', 1, Math.max(1, idAt - 1)),
  };
};
