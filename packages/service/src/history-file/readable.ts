/** Whether this version can read an event: what it cannot read would stop the service. */
import {
  API_KEYS_STREAM,
  BOOK_KEYS_PREFIX,
  decodeBookKeyEvent,
  decodeKeyEvent,
  decodeRecorded,
  decodeReservation,
  decodeSelectionRuleEvent,
  priceBookOf,
  type RecordedEvent,
  RESERVATIONS_PREFIX,
  SELECTION_RULES_STREAM,
  decodeWebhookEvent,
  WEBHOOKS_STREAM,
} from '@pricebook/application';
import * as E from 'fp-ts/Either';
import type { HistoryEvent } from './history-line';

const decode = (recorded: RecordedEvent): E.Either<{ readonly reason: string }, unknown> => {
  const { stream } = recorded;
  if (stream === API_KEYS_STREAM) return decodeKeyEvent(recorded);
  if (stream === SELECTION_RULES_STREAM) return decodeSelectionRuleEvent(recorded);
  if (stream === WEBHOOKS_STREAM) return decodeWebhookEvent(recorded);
  if (stream.startsWith(BOOK_KEYS_PREFIX)) return decodeBookKeyEvent(recorded);
  if (stream.startsWith(RESERVATIONS_PREFIX)) return decodeReservation(recorded);
  return priceBookOf(stream) === undefined ? E.right(undefined) : decodeRecorded(recorded);
};

/** @returns why the event cannot be read; undefined where it can, or where nobody reads its stream. */
export const unreadable = (event: HistoryEvent): string | undefined => {
  const decoded = decode({ ...event, position: 0n });
  return E.isLeft(decoded) ? `this version cannot read it: ${decoded.left.reason}` : undefined;
};
