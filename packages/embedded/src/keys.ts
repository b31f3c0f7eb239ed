/**
 * Binary keys. The text keys of lmdb are not injective for long texts, and a product id may be any text: ids
 * and codes are laid out byte by byte, in the order in which they are to be read.
 */
import type { Holder } from '@pricebook/application';

const UUID_BYTES = 16;
const LENGTH_BYTES = 2;
const TIME_BYTES = 6;
const REVISION_BYTES = 6;
const CURRENCY_BYTES = 3;
/** No revision is higher. */
const MAX_UINT48 = 2 ** 48 - 1;

/** 16 bytes. UUIDs of version 7 sort by the time they were made. */
export const priceBookKey = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

export const priceBookIdOf = (key: Buffer): string => {
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

/**
 * Begins all rows of one holder. The length keeps one id from being the beginning of another.
 *
 * @param room bytes for what comes after it.
 */
const rowsPrefix = (id: string, holder: Holder, room = 0): Buffer => {
  const length = Buffer.byteLength(holder, 'utf8');
  const key = Buffer.alloc(UUID_BYTES + LENGTH_BYTES + length + room);
  key.write(id.replaceAll('-', ''), 'hex');
  key.writeUInt16BE(length, UUID_BYTES);
  key.write(holder, UUID_BYTES + LENGTH_BYTES, 'utf8');
  return key;
};

/** One history row: by holder, currency, time and revision. */
export const rowKey = (
  id: string,
  holder: Holder,
  currency: string,
  { occurredAt, revision }: { readonly occurredAt: string; readonly revision: number },
): Buffer => {
  const key = rowsPrefix(id, holder, CURRENCY_BYTES + TIME_BYTES + REVISION_BYTES);
  const revisionAt = key.length - REVISION_BYTES;
  const timeAt = revisionAt - TIME_BYTES;
  key.write(currency, timeAt - CURRENCY_BYTES, 'latin1');
  // No event is from before 1970; what is asked for may be.
  key.writeUIntBE(Math.max(0, Date.parse(occurredAt)), timeAt, TIME_BYTES);
  key.writeUIntBE(revision, revisionAt, REVISION_BYTES);
  return key;
};

/** Before and after all rows. */
const FIRST = { occurredAt: '1970-01-01T00:00:00.000Z', revision: 0 };
const LAST = { occurredAt: '9999-12-31T23:59:59.999Z', revision: MAX_UINT48 };

interface KeyRange {
  readonly start: Buffer;
  readonly end: Buffer;
}

/** The rows of a currency up to and including a time, latest first. */
export const rowsUpTo = (id: string, holder: Holder, currency: string, at: string): KeyRange => {
  const start = rowKey(id, holder, currency, { occurredAt: at, revision: MAX_UINT48 });
  const end = Buffer.from(start);
  end.fill(0, end.length - TIME_BYTES - REVISION_BYTES);
  return { start, end };
};

/** The rows of a currency after a time, or all of them, earliest first. */
export const rowsAfter = (
  id: string,
  holder: Holder,
  currency: string,
  after: string | undefined,
): KeyRange => ({
  start: rowKey(
    id,
    holder,
    currency,
    after === undefined ? FIRST : { occurredAt: after, revision: MAX_UINT48 },
  ),
  end: rowKey(id, holder, currency, LAST),
});

/** All rows of a holder. */
export const rowsOf = (id: string, holder: Holder): KeyRange => {
  const start = rowsPrefix(id, holder);
  return { start, end: Buffer.concat([start, Buffer.from([0xff])]) };
};

/** The holder of holdings. */
export const holderOf = (key: Buffer): string => key.toString('utf8', UUID_BYTES);

/** What the key of a row says; undefined where it is too short for one. */
export const rowIdOf = (key: Buffer) => {
  const nameAt = UUID_BYTES + LENGTH_BYTES;
  const nameEnd = key.length < nameAt ? Infinity : nameAt + key.readUInt16BE(UUID_BYTES);
  const timeAt = nameEnd + CURRENCY_BYTES;
  if (key.length !== timeAt + TIME_BYTES + REVISION_BYTES) return undefined;
  return {
    priceBookId: priceBookIdOf(key),
    holder: key.toString('utf8', nameAt, nameEnd),
    currency: key.toString('latin1', nameEnd, timeAt).replaceAll('\0', ''),
    occurredAt: new Date(key.readUIntBE(timeAt, TIME_BYTES)).toISOString(),
    revision: key.readUIntBE(timeAt + TIME_BYTES, REVISION_BYTES),
  };
};
