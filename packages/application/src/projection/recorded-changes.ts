import * as E from 'fp-ts/Either';
import type { RecordedEvent } from '../ports/event-store';
import { decodeRecorded, priceBookOf, type UndecodableEvent } from '../recorded-event';
import { changesOf, type ReadModelChange } from './changes';

/** What an event changes; events of streams that are not of a book change nothing. */
export const changesOfRecorded = (
  recorded: RecordedEvent,
): E.Either<UndecodableEvent, readonly ReadModelChange[]> => {
  const priceBookId = priceBookOf(recorded.stream);
  if (priceBookId === undefined) return E.right([]);
  const decoded = decodeRecorded(recorded);
  if (E.isLeft(decoded)) return decoded;
  const { event, stamp, idempotency } = decoded.right;
  return E.right(changesOf(priceBookId, event, stamp, idempotency));
};
