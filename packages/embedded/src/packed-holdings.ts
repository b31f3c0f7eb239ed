/**
 * How holdings are kept. There are very many, every price begins with one or more, and nearly all are short: as
 * MessagePack these are found and read faster than as JSON.
 */
import type { HoldingsDocument } from '@pricebook/application';
import { Packr } from 'msgpackr';

/**
 * The fields of nearly all objects in them, in order: a document has the number of its list in place of the names. A part
 * of the layout of the read model. Objects with other fields, such as tables, name these themselves.
 */
const KNOWN_FIELDS: readonly (readonly string[])[] = [
  ['revision', 'cells'],
  ['absolute'],
  ['relative'],
  ['absolute', 'relative'],
  ['adjustment', 'revision', 'occurredAt', 'actor'],
  ['adjustment', 'revision', 'occurredAt', 'actor', 'reason'],
  ['type', 'amount'],
];

/** From this length on msgpackr makes all texts parts of one, which take V8 three times as long to compare. */
const LONG_BYTES = 140;

/** JSON of an object begins with it, and nothing else does. */
const BRACE = 0x7b;

const fieldsOf = (object: object): string => Object.keys(object).join();

const known = new Set(KNOWN_FIELDS.map((fields) => fields.join()));

const packr = new Packr({
  // It takes these as its own and adds to them what it needs.
  structures: KNOWN_FIELDS.map((fields) => [...fields]),
  maxSharedStructures: KNOWN_FIELDS.length,
  useRecords: (object: object) => known.has(fieldsOf(object)),
  mapsAsObjects: true,
});

const asJson = (document: HoldingsDocument): Buffer => Buffer.from(JSON.stringify(document));

/** Short holdings as MessagePack, long ones as JSON; in the form in which lmdb takes encoders. */
export const holdingsEncoder = {
  encode: (document: HoldingsDocument): Buffer => {
    const packed = packr.pack(document);
    return packed.length < LONG_BYTES ? packed : asJson(document);
  },
  /** @param bytes lmdb's buffer for all look-ups, whose length is that of the value. */
  decode: (bytes: Buffer, length = bytes.length): HoldingsDocument =>
    (bytes[0] === BRACE
      ? JSON.parse(bytes.toString('utf8', 0, length))
      : packr.unpack(bytes, length)) as HoldingsDocument,
};
