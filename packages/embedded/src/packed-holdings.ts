/**
 * Holdings as MessagePack: there are very many, every price begins with one or more, and small ones are found and read
 * faster than the same as JSON.
 */
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

const fieldsOf = (object: object): string => Object.keys(object).join();

const known = new Set(KNOWN_FIELDS.map((fields) => fields.join()));

/** Bytes from plain objects and back. Reading takes part of a buffer that is used again. */
export const createHoldingsEncoder = (): Packr =>
  new Packr({
    // It takes these as its own and adds to them what it needs.
    structures: KNOWN_FIELDS.map((fields) => [...fields]),
    maxSharedStructures: KNOWN_FIELDS.length,
    useRecords: (object: object) => known.has(fieldsOf(object)),
    mapsAsObjects: true,
  });
