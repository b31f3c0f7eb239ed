/** Between events and the rows that keep them. */
import { crc32 } from 'node:zlib';
import type { NewEvent, RecordedEvent } from '@pricebook/application';
import { Damage } from './damage';

/** An event as it is kept, but for its place in the order of all. */
export interface EventText {
  readonly id: string;
  readonly type: string;
  /** JSON. */
  readonly data: string;
  /** JSON. */
  readonly metadata: string;
}

/** The columns of a row, in the order in which statements name them: rows as arrays are read twice as fast as objects. */
export type EventRow = readonly [
  position: number,
  stream: string,
  revision: number,
  id: string,
  type: string,
  data: string,
  metadata: string,
  checksum: number,
];

export const COLUMNS = 'position, stream, revision, id, type, data, metadata, checksum';

export const toText = ({ id, type, data, metadata }: NewEvent): EventText => ({
  id,
  type,
  data: JSON.stringify(data),
  metadata: JSON.stringify(metadata),
});

/** CRC-32 of everything in a row: it finds a flipped bit, and a row in the place of another. */
const checksumOf = (
  position: number,
  stream: string,
  revision: number,
  id: string,
  type: string,
  data: string,
  metadata: string,
): number => crc32(`${String(position)} ${stream} ${String(revision)} ${id} ${type} ${data} ${metadata}`);

export const toRow = (
  position: number,
  stream: string,
  revision: number,
  { id, type, data, metadata }: EventText,
): EventRow => {
  const checksum = checksumOf(position, stream, revision, id, type, data, metadata);
  return [position, stream, revision, id, type, data, metadata, checksum];
};

/** @throws Damage where the row is not as it was written. */
export const toEvent = (file: string, row: EventRow): RecordedEvent => {
  const [position, stream, revision, id, type, data, metadata, checksum] = row;
  if (checksum !== checksumOf(position, stream, revision, id, type, data, metadata)) {
    throw new Damage(file, `the event at position ${String(position)} is not as it was written`);
  }
  return {
    stream,
    revision,
    id,
    type,
    data: JSON.parse(data),
    metadata: JSON.parse(metadata),
    position: BigInt(position),
  };
};
