/** What a decision needs of a book: the state that its last event has left. */
import {
  absent,
  evolve,
  type PriceBookEvent,
  type PriceBookId,
  type PriceBookState,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { type FoundRequest, rememberedName } from '../idempotency/idempotent-request';
import { type ChainEnd, hashAfter } from '../hash-chain';
import type { EventStore, Position, RecordedEvent } from '../ports/event-store';
import type { StoreError } from '../ports/store-error';
import { decodeMetadata, streamOf, type UndecodableEvent } from '../recorded-event';

/** Events read at a time: seldom more than one or two have come since. */
const PAGE = 50;

/** A book as its last event has left it. */
export interface BookState {
  readonly state: PriceBookState;
  /** Where that event stands; undefined where there is none. */
  readonly position: Position | undefined;
  /** What the next event follows; undefined where it is the first. */
  readonly end: ChainEnd | undefined;
}

const stateAt = (
  { type, revision, position }: RecordedEvent,
  updatedAt: string,
  hash: string | undefined,
): BookState => ({
  state: evolve(absent, { type: type as PriceBookEvent['type'] }, { revision, updatedAt }),
  position,
  end: { revision, hash },
});

/** The state of a book from the last event of its stream. */
export const readState =
  (eventStore: Pick<EventStore, 'read'>) =>
  (priceBookId: PriceBookId): TE.TaskEither<StoreError | UndecodableEvent, BookState> =>
    pipe(
      eventStore.read(streamOf(priceBookId), { direction: 'backwards', limit: 1 }),
      TE.chainEitherKW(([recorded]) =>
        recorded === undefined
          ? E.right({ state: absent, position: undefined, end: undefined })
          : pipe(
              decodeMetadata(recorded),
              E.map(({ occurredAt, hash }) => stateAt(recorded, occurredAt, hash)),
            ),
      ),
    );

/** A book after events that came since, and what requests with an idempotency key did by them. */
export interface ReadOn {
  readonly book: BookState;
  /** By the names that the requests are remembered by. */
  readonly done: ReadonlyMap<string, FoundRequest>;
}

/** Reads on from a state to the end of the stream. */
export const readOn =
  (eventStore: Pick<EventStore, 'read'>) =>
  (priceBookId: PriceBookId, since: BookState): TE.TaskEither<StoreError | UndecodableEvent, ReadOn> =>
  async () => {
    const done = new Map<string, FoundRequest>();
    let book = since;
    for (;;) {
      const { state } = book;
      const from = state._tag === 'Absent' ? 0 : state.revision + 1;
      const page = await eventStore.read(streamOf(priceBookId), {
        direction: 'forwards',
        from,
        limit: PAGE,
      })();
      if (E.isLeft(page)) return page;
      for (const recorded of page.right) {
        const metadata = decodeMetadata(recorded);
        if (E.isLeft(metadata)) return metadata;
        const { occurredAt, actor, idempotency } = metadata.right;
        const { revision, position } = recorded;
        book = stateAt(recorded, occurredAt, hashAfter(book.end?.hash, recorded));
        if (idempotency === undefined) continue;
        const { request } = idempotency;
        done.set(rememberedName(actor, idempotency), {
          request,
          priceBookId,
          revision,
          occurredAt,
          position,
        });
      }
      if (page.right.length < PAGE) return E.right({ book, done });
    }
  };
