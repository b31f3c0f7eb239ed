import { hashIn } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import { type FaultyLine, readHistory } from './read-history';

/** As many faults as are told. */
const MAX_FAULTS = 50;

export interface CheckedHistory {
  readonly events: number;
  readonly streams: number;
  /** How many streams have no hashes. */
  readonly unhashed: number;
  /** The first ones. */
  readonly faults: readonly FaultyLine[];
  /** How many there are in all. */
  readonly faultCount: number;
}

/**
 * Reads a file to its end.
 *
 * @param onProgress told of the bytes that are read.
 */
export const checkHistory = async (
  source: AsyncIterable<Buffer>,
  onProgress: (progress: { readonly events: number; readonly bytes: number }) => void,
): Promise<CheckedHistory> => {
  const streams = new Set<string>();
  const hashed = new Set<string>();
  const faults: FaultyLine[] = [];
  let events = 0;
  let faultCount = 0;
  for await (const entries of readHistory(source)) {
    for (const entry of entries) {
      if (E.isRight(entry)) {
        events += 1;
        const { event } = entry.right;
        streams.add(event.stream);
        if (hashIn(event) !== undefined) hashed.add(event.stream);
      } else {
        faultCount += 1;
        if (faults.length < MAX_FAULTS) faults.push(entry.left);
      }
    }
    const last = entries.findLast(E.isRight);
    if (last !== undefined) onProgress({ events, bytes: last.right.end });
  }
  return { events, streams: streams.size, unhashed: streams.size - hashed.size, faults, faultCount };
};
