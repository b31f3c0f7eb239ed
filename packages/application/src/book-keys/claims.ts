/**
 * How a key comes to one book alone, whichever instances are asked: docs/decisions/0034-keys-of-books.md. Two books are
 * two streams, and appends to them never conflict. So a key is claimed first, in a small stream of its own.
 */
import type { KeyRefusal, PriceBookId } from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import type * as TE from 'fp-ts/TaskEither';
import { hashIn, withHash } from '../hash-chain';
import type { Clock } from '../ports/clock';
import type { AppendError, EventStore, RecordedEvent } from '../ports/event-store';
import type { Ids } from '../ports/ids';
import type { ReadModel } from '../ports/read-model';
import type { StoreError } from '../ports/store-error';
import { type CommandContext, newEvent, type UndecodableEvent } from '../recorded-event';
import { BOOK_KEYS_PREFIX, type BookKeyEvent } from './events';
import { decodeBookKeyEvent } from './kept-events';

/** So long a claim counts that was not settled: its instance may have ended. */
const LEASE_MS = 30_000;
/** So long after its claim a book may be given the key. The rest is for clocks that differ and appends that take long. */
const WRITE_WITHIN_MS = 15_000;
/** How often it is tried again because another process was first. */
const MAX_ATTEMPTS = 10;
/** Events read at once; seldom more are of the last seconds. */
const PAGE = 20;

type ClaimError =
  | Exclude<AppendError, { readonly _tag: 'WrongExpectedRevision' }>
  | UndecodableEvent
  | { readonly _tag: 'ReadSideBehind' }
  | { readonly _tag: 'TooManyConflicts' };

/** A key that no other book can be given for now. */
interface Claim {
  readonly _tag: 'Claimed';
  /** ISO 8601, UTC: the book is to be given the key by then. */
  readonly until: string;
  /** To be called when the write is known to be done, or not to be; best effort, since a claim ends by itself. */
  readonly settle: () => Promise<void>;
}

interface Refused {
  readonly _tag: 'Refused';
  readonly refusal: KeyRefusal;
}

/** Who claims a key for which book. */
interface KeyRequest extends Pick<CommandContext, 'actor' | 'requestId'> {
  readonly key: string;
  readonly priceBookId: PriceBookId;
  /** What the book is until it is given the key. */
  readonly book: 'new' | 'existing' | 'deleted';
  readonly expectedRevisions?: readonly number[] | undefined;
}

export type ClaimKey = (request: KeyRequest) => Promise<E.Either<ClaimError, Claim | Refused>>;

interface ClaimParts {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>;
  readonly readModel: Pick<ReadModel, 'findByKey' | 'findPriceBook' | 'findDeletedPriceBook'>;
  /** Waits until the read side has applied all events. */
  readonly catchUp: () => TE.TaskEither<ClaimError, void>;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'newCommandId'>;
}

/** What a stream of claims says. */
interface Claims {
  /** Its last event. */
  readonly last: RecordedEvent | undefined;
  /** The books of claims that count and are not settled. */
  readonly open: readonly PriceBookId[];
}

const after = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString();

export const createClaimKey = ({ eventStore, readModel, catchUp, clock, ids }: ClaimParts): ClaimKey => {
  const readClaims = async (stream: string): Promise<E.Either<StoreError | UndecodableEvent, Claims>> => {
    const since = after(clock.now(), -LEASE_MS);
    const settled = new Set<number>();
    const open: PriceBookId[] = [];
    let last: RecordedEvent | undefined;
    for (let from: number | undefined; ;) {
      const page = await eventStore.read(stream, {
        direction: 'backwards',
        limit: PAGE,
        ...(from !== undefined && { from }),
      })();
      if (E.isLeft(page)) return page;
      for (const recorded of page.right) {
        last ??= recorded;
        const decoded = decodeBookKeyEvent(recorded);
        if (E.isLeft(decoded)) return decoded;
        const { event, metadata } = decoded.right;
        if (metadata.occurredAt < since) return E.right({ last, open });
        if (event.type === 'PriceBookKeySettled') settled.add(event.data.claim);
        else if (!settled.has(recorded.revision)) open.push(event.data.priceBookId);
        from = recorded.revision - 1;
      }
      if (page.right.length < PAGE || from === -1) return E.right({ last, open });
    }
  };

  const append = async (
    stream: string,
    last: RecordedEvent | undefined,
    event: BookKeyEvent,
    { actor, requestId }: KeyRequest,
  ): Promise<E.Either<AppendError, number>> => {
    const end = await withHash(eventStore)(stream, last && { revision: last.revision, hash: hashIn(last) })();
    if (E.isLeft(end)) return end;
    const place = { stream, after: end.right, occurredAt: clock.now(), index: 0 };
    const made = newEvent(event, place, { actor, requestId, commandId: ids.newCommandId() });
    const appended = await eventStore.append(stream, last?.revision ?? 'noStream', [made])();
    return E.isLeft(appended) ? appended : E.right(appended.right.lastRevision);
  };

  const settle = async (stream: string, claim: number, request: KeyRequest): Promise<void> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const end = await eventStore.read(stream, { direction: 'backwards', limit: 1 })();
      if (E.isLeft(end)) return;
      const settled = { type: 'PriceBookKeySettled', data: { claim } } as const;
      const appended = await append(stream, end.right[0], settled, request);
      if (E.isRight(appended) || appended.left._tag !== 'WrongExpectedRevision') return;
    }
  };

  /** Why the book cannot have the key, as far as the read side knows. */
  const refusalOf = async ({
    key,
    priceBookId,
    book,
    expectedRevisions,
  }: KeyRequest): Promise<E.Either<ClaimError, KeyRefusal | undefined>> => {
    const caughtUp = await catchUp()();
    if (E.isLeft(caughtUp)) return caughtUp;
    if (book !== 'new') {
      const find = book === 'deleted' ? readModel.findDeletedPriceBook : readModel.findPriceBook;
      const found = await find(priceBookId)();
      if (E.isLeft(found)) return found;
      if (found.right === undefined) return E.right({ _tag: 'PriceBookNotFound' });
      const { revision: actual } = found.right;
      if (expectedRevisions?.includes(actual) === false) return E.right({ _tag: 'RevisionMismatch', actual });
    }
    const holder = await readModel.findByKey(key)();
    if (E.isLeft(holder)) return holder;
    const isTaken = holder.right !== undefined && holder.right !== priceBookId;
    return E.right(
      isTaken ? { _tag: 'PriceBookKeyTaken', key, priceBookId: holder.right, isPending: false } : undefined,
    );
  };

  return async (request) => {
    const { key, priceBookId } = request;
    const stream = `${BOOK_KEYS_PREFIX}${key}`;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      // In this order: what an open claim has led to by now, the read side has once it has caught up.
      const claims = await readClaims(stream);
      if (E.isLeft(claims)) return claims;
      const refused = await refusalOf(request);
      if (E.isLeft(refused)) return refused;
      if (refused.right !== undefined) return E.right({ _tag: 'Refused', refusal: refused.right });
      const { last, open } = claims.right;
      const other = open.find((book) => book !== priceBookId);
      if (other !== undefined) {
        const refusal = { _tag: 'PriceBookKeyTaken', key, priceBookId: other, isPending: true } as const;
        return E.right({ _tag: 'Refused', refusal });
      }
      const until = after(clock.now(), WRITE_WITHIN_MS);
      const claimed = await append(
        stream,
        last,
        { type: 'PriceBookKeyClaimed', data: { priceBookId } },
        request,
      );
      if (E.isRight(claimed)) {
        const { right: claim } = claimed;
        return E.right({ _tag: 'Claimed', until, settle: () => settle(stream, claim, request) });
      }
      if (claimed.left._tag !== 'WrongExpectedRevision') return E.left(claimed.left);
    }
    return E.left({ _tag: 'TooManyConflicts' });
  };
};
