import { absent, type BaseBook, type PriceBookId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type * as TE from 'fp-ts/TaskEither';
import type { EventStore } from '../ports/event-store';
import type { StoreError } from '../ports/store-error';
import { decodeRecorded, streamOf, type UndecodableEvent } from '../recorded-event';
import { readState } from './read-state';

/** The book that a new book names as its base, if it names one, from its stream: the read side may be behind. */
export const loadBase =
  (
    eventStore: EventStore,
    priceBookId: PriceBookId | undefined,
  ): TE.TaskEither<StoreError | UndecodableEvent, BaseBook | undefined> =>
  async () => {
    if (priceBookId === undefined) return E.right(undefined);
    const first = await eventStore.read(streamOf(priceBookId), { direction: 'forwards', limit: 1 })();
    if (E.isLeft(first)) return first;
    const [recorded] = first.right;
    if (recorded === undefined) return E.right({ priceBookId, state: absent, basePriceBookIds: [] });
    const decoded = decodeRecorded(recorded);
    if (E.isLeft(decoded)) return decoded;
    const { event } = decoded.right;
    const last = await readState(eventStore)(priceBookId)();
    if (E.isLeft(last)) return last;
    return E.right({
      priceBookId,
      state: last.right.state,
      basePriceBookIds: 'basePriceBookIds' in event.data ? event.data.basePriceBookIds : [],
    });
  };
