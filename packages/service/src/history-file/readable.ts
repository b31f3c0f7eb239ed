/** Whether this version can read an event: what it cannot read would stop the service. */
import { API_KEYS_STREAM, decodeKeyEvent, decodeRecorded, priceBookOf } from '@pricebook/application';
import * as E from 'fp-ts/Either';
import type { HistoryEvent } from './history-line';

/** @returns why the event cannot be read; undefined where it can, or where nobody reads its stream. */
export const unreadable = (event: HistoryEvent): string | undefined => {
  const recorded = { ...event, position: 0n };
  const decoded =
    event.stream === API_KEYS_STREAM
      ? decodeKeyEvent(recorded)
      : priceBookOf(event.stream) === undefined
        ? E.right(undefined)
        : decodeRecorded(recorded);
  return E.isLeft(decoded) ? `this version cannot read it: ${decoded.left.reason}` : undefined;
};
