/**
 * Binary keys. The text keys of lmdb are not injective for long texts, and a product id may be any text: ids
 * and codes are laid out byte by byte, in the order in which they are to be read.
 */
import type { Holder } from '@pricebook/application';

const UUID_BYTES = 16;
const TIME_BYTES = 6;
const REVISION_BYTES = 6;
const CURRENCY_BYTES = 3;
/** No revision is higher. */
const MAX_UINT48 = 2 ** 48 - 1;

/** 16 bytes. UUIDs of version 7 sort by the time they were made. */
export const priceBookKey = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

const priceBookIdOf = (key: Buffer): string => {
  const hex = key.toString('hex', 0, UUID_BYTES);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
};

/** A derived book below its base. */
export const derivedKey = (baseId: string, derivedId: string): Buffer =>
  Buffer.concat([priceBookKey(baseId), priceBookKey(derivedId)]);

export const derivedIdOf = (key: Buffer): string => priceBookIdOf(key.subarray(UUID_BYTES));

/** The holdings of a product in a book, by the code points of the product id. */
export const holdingsKey = (id: string, holder: Holder): Buffer =>
  Buffer.concat([priceBookKey(id), Buffer.from(holder, 'utf8')]);

/** Begins all rows of one holder. The length keeps one id from being the beginning of another. */
const rowsPrefix = (id: string, holder: Holder): Buffer => {
  const name = Buffer.from(holder, 'utf8');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(name.length);
  return Buffer.concat([priceBookKey(id), length, name]);
};

const uint48 = (value: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
};

/** One history row: by holder, currency, time and revision. */
export const rowKey = (
  id: string,
  holder: Holder,
  currency: string,
  { occurredAt, revision }: { readonly occurredAt: string; readonly revision: number },
): Buffer =>
  Buffer.concat([
    rowsPrefix(id, holder),
    Buffer.from(currency.padEnd(CURRENCY_BYTES, '\0'), 'latin1'),
    uint48(Date.parse(occurredAt), TIME_BYTES),
    uint48(revision, REVISION_BYTES),
  ]);

interface KeyRange {
  readonly start: Buffer;
  readonly end: Buffer;
}

/** The rows of a currency up to and including a time, latest first. */
export const rowsUpTo = (id: string, holder: Holder, currency: string, at: string): KeyRange => ({
  start: rowKey(id, holder, currency, { occurredAt: at, revision: MAX_UINT48 }),
  end: rowKey(id, holder, currency, { occurredAt: '1970-01-01T00:00:00.000Z', revision: 0 }),
});

/** All rows of a holder. */
export const rowsOf = (id: string, holder: Holder): KeyRange => {
  const start = rowsPrefix(id, holder);
  return { start, end: Buffer.concat([start, Buffer.from([0xff])]) };
};
