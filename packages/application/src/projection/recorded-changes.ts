import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import type { RecordedEvent } from '../ports/event-store';
import { decodeRecorded, priceBookOf, type UndecodableEvent } from '../recorded-event';
import { changesOf, type ReadModelChange } from './changes';

/** What an event changes; events of streams that are not of a book change nothing. */
export const changesOfRecorded = (
  recorded: RecordedEvent,
): E.Either<UndecodableEvent, readonly ReadModelChange[]> => {
  const priceBookId = priceBookOf(recorded.stream);
  return priceBookId === undefined
    ? E.right([])
    : pipe(
        decodeRecorded(recorded),
        E.map(({ event, stamp }) => changesOf(priceBookId, event, stamp)),
      );
};
