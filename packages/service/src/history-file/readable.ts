/** Whether this version can read an event: what it cannot read would stop the service. */
import { API_KEYS_STREAM, decodeRecorded, priceBookOf, readIssuedKeys } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import type { HistoryEvent } from './history-line';

/** @returns why the event cannot be read; undefined where it can, or where nobody reads its stream. */
export const unreadable = async (event: HistoryEvent): Promise<string | undefined> => {
  const recorded = { ...event, position: 0n };
  // Keys are read as the service reads them, from a store that holds just this one.
  const decoded =
    event.stream === API_KEYS_STREAM
      ? await readIssuedKeys({ read: () => TE.right([recorded]) })()
      : priceBookOf(event.stream) === undefined
        ? E.right(undefined)
        : decodeRecorded(recorded);
  return E.isLeft(decoded) ? `this version cannot read it: ${decoded.left.reason}` : undefined;
};
