/**
 * An event on disk: a CRC-32 of 4 bytes, then JSON as UTF-8. The checksum covers the position as well, so that
 * a record in the wrong place is told like one with a flipped bit.
 */
import { crc32 } from 'node:zlib';
import type { NewEvent, RecordedEvent } from '@pricebook/application';

export const CHECKSUM_BYTES = 4;

/** Everything in a record but for its position. */
export type RecordBody = Omit<RecordedEvent, 'position'>;

export const encodeBody = (
  stream: string,
  revision: number,
  { id, type, data, metadata }: NewEvent,
): Buffer =>
  Buffer.from(JSON.stringify({ stream, revision, id, type, data, metadata } satisfies RecordBody), 'utf8');

const checksumOf = (body: Buffer, position: number): number => crc32(body, position);

export const encodeRecord = (body: Buffer, position: number): Buffer => {
  const record = Buffer.allocUnsafe(CHECKSUM_BYTES + body.length);
  record.writeUInt32BE(checksumOf(body, position));
  body.copy(record, CHECKSUM_BYTES);
  return record;
};

export const isAsWritten = (record: Buffer, position: number): boolean =>
  record.length >= CHECKSUM_BYTES &&
  record.readUInt32BE() === checksumOf(record.subarray(CHECKSUM_BYTES), position);

/** The event in a record; undefined where the record is not as it was written. */
export const decodeRecord = (record: Buffer, position: number): RecordedEvent | undefined => {
  if (!isAsWritten(record, position)) return undefined;
  const body = record.subarray(CHECKSUM_BYTES);
  return { ...(JSON.parse(body.toString('utf8')) as RecordBody), position: BigInt(position) };
};
