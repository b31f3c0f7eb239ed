import type { PriceBookId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type * as TE from 'fp-ts/TaskEither';
import type { EventStore } from '../ports/event-store';
import type { PriceBookView } from '../ports/read-model';
import type { StoreError } from '../ports/store-error';
import { changesOf } from '../projection/changes';
import { foldPriceBook, type PriceBookDocument, viewOf } from '../projection/price-book-document';
import { decodeRecorded, streamOf, type UndecodableEvent } from '../recorded-event';

/** Events read at a time. */
const PAGE = 50;

/** The book as its stream says it was at a revision: for when the read side cannot tell. */
export const replayView =
  (
    eventStore: EventStore,
    priceBookId: PriceBookId,
    revision: number,
  ): TE.TaskEither<StoreError | UndecodableEvent, PriceBookView | undefined> =>
  async () => {
    let document: PriceBookDocument | undefined;
    for (let from = 0; from <= revision; from += PAGE) {
      const limit = Math.min(PAGE, revision + 1 - from);
      const page = await eventStore.read(streamOf(priceBookId), { direction: 'forwards', from, limit })();
      if (E.isLeft(page)) return page;
      for (const recorded of page.right) {
        const decoded = decodeRecorded(recorded);
        if (E.isLeft(decoded)) return decoded;
        for (const change of changesOf(priceBookId, decoded.right.event, decoded.right.stamp)) {
          if (change._tag === 'PriceBookChange') document = foldPriceBook(document, change);
        }
      }
    }
    return E.right(document === undefined ? undefined : viewOf(document));
  };
