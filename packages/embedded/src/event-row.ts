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

export interface EventRow extends EventText {
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  readonly checksum: number;
}

/** The columns of a row, in the order in which a statement names them. */
export const COLUMNS = 'position, stream, revision, id, type, data, metadata, checksum';

export const toText = ({ id, type, data, metadata }: NewEvent): EventText => ({
  id,
  type,
  data: JSON.stringify(data),
  metadata: JSON.stringify(metadata),
});

/** CRC-32 of everything in a row: a flipped bit is found, and so is a row in the place of another. */
export const checksumOf = ({
  position,
  stream,
  revision,
  id,
  type,
  data,
  metadata,
}: Omit<EventRow, 'checksum'>): number => {
  const place = `${String(position)} ${String(revision)} ${stream} ${id} ${type}`;
  return crc32(metadata, crc32(data, crc32(place)));
};

/** @throws Damage where the row is not as it was written. */
export const toEvent = (file: string, row: EventRow): RecordedEvent => {
  if (row.checksum !== checksumOf(row)) {
    throw new Damage(file, `the event at position ${String(row.position)} is not as it was written`);
  }
  const { position, stream, revision, id, type, data, metadata } = row;
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
