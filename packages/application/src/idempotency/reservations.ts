/**
 * Under which id a request creates its book. A new book is a new stream, so two instances that carry the same request
 * out at once would make two books: nothing that one of them appends conflicts with the other. So the id is reserved
 * first, in a small stream of the request's own, and both go on with that one.
 */
import type { PriceBookId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { flow } from 'fp-ts/function';
import { hashIn, withHash } from '../hash-chain';
import type { Clock } from '../ports/clock';
import type { AppendError, EventStore, RecordedEvent } from '../ports/event-store';
import type { Ids } from '../ports/ids';
import type { StoreError } from '../ports/store-error';
import {
  type CommandContext,
  decodeWith,
  newEvent,
  readMetadata,
  streamOf,
  type UndecodableEvent,
} from '../recorded-event';
import { type PriceBookIdReserved, priceBookIdReservedCodec, RESERVATIONS_PREFIX } from './events';
import { type FoundRequest, isRemembered, requestName } from './idempotent-request';
import type { KeyedRequest } from './request-memory';

/** How often it is looked anew because another process was first. */
const MAX_ATTEMPTS = 10;

interface Reservation {
  readonly priceBookId: PriceBookId;
  /** What the request has done, where the book is there already. */
  readonly done?: FoundRequest;
}

type ReserveError =
  | Exclude<AppendError, { readonly _tag: 'WrongExpectedRevision' }>
  | UndecodableEvent
  | { readonly _tag: 'TooManyConflicts' };

export type Reserve = (
  request: KeyedRequest & Pick<CommandContext, 'requestId'>,
) => Promise<E.Either<ReserveError, Reservation>>;

interface ReserveParts {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'newPriceBookId' | 'newCommandId'>;
}

/** The id that an event reserves. */
export const decodeReservation = flow(
  decodeWith(priceBookIdReservedCodec),
  E.map(({ event }) => event.data.priceBookId),
);

type Creation = Pick<FoundRequest, 'occurredAt' | 'position'>;

export const createReserve = ({ eventStore, clock, ids }: ReserveParts): Reserve => {
  /** When the book of an id was created, and where that stands; undefined where it was not. */
  const creationOf = async (
    priceBookId: PriceBookId,
  ): Promise<E.Either<StoreError | UndecodableEvent, Creation | undefined>> => {
    const first = await eventStore.read(streamOf(priceBookId), { direction: 'forwards', limit: 1 })();
    if (E.isLeft(first)) return first;
    const [recorded] = first.right;
    if (recorded === undefined) return E.right(undefined);
    const metadata = readMetadata(recorded);
    if (E.isLeft(metadata)) return metadata;
    return E.right({ occurredAt: metadata.right.occurredAt, position: recorded.position });
  };

  /** What an earlier reservation still says; undefined where its book is of too long ago. */
  const reservedBy = async (
    recorded: RecordedEvent,
    request: string,
  ): Promise<E.Either<StoreError | UndecodableEvent, Reservation | undefined>> => {
    const priceBookId = decodeReservation(recorded);
    if (E.isLeft(priceBookId)) return priceBookId;
    const creation = await creationOf(priceBookId.right);
    if (E.isLeft(creation)) return creation;
    // However old it is: whoever has reserved it may just be about to use it.
    if (creation.right === undefined) return E.right({ priceBookId: priceBookId.right });
    if (!isRemembered(creation.right.occurredAt, clock.now())) return E.right(undefined);
    const done = { request, priceBookId: priceBookId.right, revision: 0, ...creation.right };
    return E.right({ priceBookId: priceBookId.right, done });
  };

  return async ({ actor, requestId, idempotency }) => {
    const stream = `${RESERVATIONS_PREFIX}${requestName(actor, idempotency)}`;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const found = await eventStore.read(stream, { direction: 'backwards', limit: 1 })();
      if (E.isLeft(found)) return found;
      const [last] = found.right;
      const reserved = last === undefined ? E.right(undefined) : await reservedBy(last, idempotency.request);
      if (E.isLeft(reserved)) return reserved;
      if (reserved.right !== undefined) return E.right(reserved.right);
      const event: PriceBookIdReserved = {
        type: 'PriceBookIdReserved',
        data: { priceBookId: ids.newPriceBookId() },
      };
      const context = { actor, requestId, idempotency, commandId: ids.newCommandId() };
      const kept = last && { revision: last.revision, hash: hashIn(last) };
      const end = await withHash(eventStore)(stream, kept)();
      if (E.isLeft(end)) return end;
      const place = { stream, after: end.right, occurredAt: clock.now(), index: 0 };
      const appended = await eventStore.append(stream, last?.revision ?? 'noStream', [
        newEvent(event, place, context),
      ])();
      if (E.isRight(appended)) return E.right({ priceBookId: event.data.priceBookId });
      if (appended.left._tag !== 'WrongExpectedRevision') return E.left(appended.left);
    }
    return E.left({ _tag: 'TooManyConflicts' });
  };
};
