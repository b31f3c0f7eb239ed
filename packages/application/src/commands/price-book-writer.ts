/**
 * Carries commands out: load, decide, append; on a conflict decide anew. The writers of one book take turns
 * within the process, and those that wait share the next append.
 *
 * A request with an idempotency key is looked up between load and decide, each time. All that stands in the stream by
 * then is found; what comes to it later is a conflict. So no other instance can have done the same unseen.
 */
import {
  decide,
  type DecisionError,
  evolve,
  type LastEvent,
  later,
  type PriceBookCommand,
  type PriceBookEvent,
  type PriceBookId,
  type PriceBookState,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import type * as TE from 'fp-ts/TaskEither';
import { LRUCache } from 'lru-cache';
import type { ChainEnd } from '../hash-chain';
import type { FoundRequest } from '../idempotency/idempotent-request';
import type { Known, Recall, RecallError } from '../idempotency/request-memory';
import type { Clock } from '../ports/clock';
import type { AppendError, EventStore, ExpectedRevision, NewEvent, Position } from '../ports/event-store';
import { type CommandContext, newEvent, streamOf, type UndecodableEvent } from '../recorded-event';
import { createLookAtBook, type Seen } from './look-at-book';
import type { BookState } from './read-state';

/** How often decisions are taken anew because another process wrote first. */
const MAX_ATTEMPTS = 10;
/** What shares one append: so many commands, or, where they are large, so many products in them. */
const MAX_COMMANDS = 200;
const MAX_PRODUCTS = 10_000;

/** Books whose next write need not look at their stream first, unless another process has written meanwhile. */
const MAX_REMEMBERED = 10_000;
/** How many writes look first after one that another process came before: it is likely to do so again. */
const LOOKS_AFTER_CONFLICT = 10;

/** What is known of a book after a write. */
interface Remembered {
  readonly book: BookState;
  /** How many writes are to look at the stream first. */
  readonly looks: number;
}

export interface WriteRequest {
  readonly command: PriceBookCommand;
  /** Act only if the book is at one of these revisions. */
  readonly expectedRevisions?: readonly number[] | undefined;
  readonly context: CommandContext;
  /** ISO 8601, UTC: what the command goes by is good until then; absent for good. */
  readonly until?: string | undefined;
}

/** A command that has been carried out: the book's last event after it. */
export interface Written extends LastEvent {
  readonly priceBookId: PriceBookId;
  /** Where the command's event stands; undefined where it changed nothing, or the read side has it. */
  readonly position: Position | undefined;
}

export type WriteError =
  | DecisionError
  | Exclude<AppendError, { readonly _tag: 'WrongExpectedRevision' }>
  | UndecodableEvent
  | RecallError
  | Late;

export type PriceBookWriter = (
  priceBookId: PriceBookId,
  request: WriteRequest,
) => TE.TaskEither<WriteError, Written>;

/** It came too late for what it goes by: to be sent again. */
interface Late {
  readonly _tag: 'TooManyConflicts';
}

interface Waiting {
  readonly request: WriteRequest;
  readonly resolve: (result: E.Either<WriteError, Written>) => void;
  readonly reject: (defect: unknown) => void;
}

interface Decided {
  readonly state: PriceBookState;
  readonly end: ChainEnd | undefined;
  readonly events: readonly NewEvent[];
  /** One a request, in their order. */
  readonly results: readonly E.Either<
    DecisionError | Late,
    { readonly last: LastEvent; readonly changed: boolean }
  >[];
}

const decideAll = (
  priceBookId: PriceBookId,
  start: BookState,
  requests: readonly WriteRequest[],
  now: string,
): Decided => {
  const stream = streamOf(priceBookId);
  let { state, end } = start;
  const events: NewEvent[] = [];
  const results = requests.map(
    ({ command, expectedRevisions, context, until }): Decided['results'][number] => {
      if (until !== undefined && now > until) return E.left({ _tag: 'TooManyConflicts' });
      const decided = decide(state, command, expectedRevisions);
      if (E.isLeft(decided)) return decided;
      for (const [index, event] of decided.right.entries()) {
        const last = lastEventAfter(state, notBeforeSources(event, now));
        state = evolve(state, event, last);
        const made = newEvent(event, { stream, after: end, occurredAt: last.updatedAt, index }, context);
        end = { revision: last.revision, hash: made.metadata.hash };
        events.push(made);
      }
      return state._tag === 'Absent'
        ? E.left({ _tag: 'PriceBookNotFound' })
        : E.right({ last: state, changed: decided.right.length > 0 });
    },
  );
  return { state, end, events, results };
};

/** A clone is not older than what it was cloned from, whatever the clocks do. */
const notBeforeSources = (event: PriceBookEvent, now: string): string =>
  event.type === 'PriceBookCloned'
    ? [event.data.clonedFrom, ...(event.data.flattenedBases ?? [])].reduce(
        (latest, { updatedAt }) => later(latest, updatedAt),
        now,
      )
    : now;

/** Times never go back within a stream, whatever the clock does: readers look prices up by time. */
export const lastEventAfter = (state: PriceBookState, now: string): LastEvent =>
  state._tag === 'Absent'
    ? { revision: 0, updatedAt: now }
    : { revision: state.revision + 1, updatedAt: state.updatedAt > now ? state.updatedAt : now };

const expectedOf = (state: PriceBookState): ExpectedRevision =>
  state._tag === 'Absent' ? 'noStream' : state.revision;

/** What a request wrote when it came before. */
export const writtenBefore = ({ priceBookId, revision, occurredAt, position }: FoundRequest): Written => ({
  priceBookId,
  revision,
  updatedAt: occurredAt,
  position,
});

const productsIn = (command: PriceBookCommand): number =>
  command._tag === 'SetProductPrices' || command._tag === 'SetPriceSheet'
    ? command.items.length
    : command._tag === 'DeletePriceBookEntries'
      ? command.productIds.length
      : 0;

/** How many of those that wait come next: one at least. */
const batchLength = (queue: readonly Waiting[]): number => {
  let products = 0;
  const tooMany = queue.findIndex(({ request }, index) => {
    products += productsIn(request.command);
    return index === MAX_COMMANDS || (index > 0 && products > MAX_PRODUCTS);
  });
  return tooMany === -1 ? queue.length : tooMany;
};

/** @param recall asked of requests that have an idempotency key. */
export const createPriceBookWriter = (
  eventStore: EventStore,
  clock: Clock,
  recall: Recall,
): PriceBookWriter => {
  const queues = new Map<PriceBookId, Waiting[]>();
  const lookAtBook = createLookAtBook(eventStore, recall, clock);
  const remembered = new LRUCache<PriceBookId, Remembered>({ max: MAX_REMEMBERED });

  /** Settles a batch with an error; what the stream holds is not known then. */
  const refuseAll = (batch: readonly Waiting[], error: WriteError): BookState | undefined => {
    for (const { resolve } of batch) resolve(E.left(error));
    return undefined;
  };

  /** Settles the requests that were done before, and those that must not act; gives back the others. */
  const settleDone = (batch: readonly Waiting[], done: Known): readonly Waiting[] =>
    batch.filter(({ request: { context }, resolve }) => {
      const { actor, idempotency } = context;
      const found = idempotency && done({ actor, idempotency });
      if (found === undefined) return true;
      resolve(pipe(found, E.map(writtenBefore)));
      return false;
    });

  /**
   * Carries a batch out in one append and settles it.
   *
   * @param known the book after this process' own last append, if it may be tried first.
   * @param onConflict told where another process wrote first.
   * @returns the book after the batch, if that is known.
   */
  const writeTogether = async (
    priceBookId: PriceBookId,
    all: readonly Waiting[],
    known: BookState | undefined,
    onConflict: () => void,
  ): Promise<BookState | undefined> => {
    let carried = known;
    let batch = all;
    let seen: Seen | undefined;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const contexts = batch.map(({ request: { context } }) => context);
      const looked = await lookAtBook(priceBookId, contexts, carried, seen);
      if (E.isLeft(looked)) return refuseAll(batch, looked.left);
      seen = looked.right;
      const { book, done } = seen;
      if (done !== undefined) batch = settleDone(batch, done);
      if (batch.length === 0) return book;
      const requests = batch.map(({ request }) => request);
      const { state, end, events, results } = decideAll(priceBookId, book, requests, clock.now());
      const settle = (position: Position | undefined): BookState => {
        batch.forEach(({ resolve }, index) => {
          const result = results[index];
          if (result === undefined) return;
          if (E.isLeft(result)) {
            resolve(result);
            return;
          }
          const { last, changed } = result.right;
          const { revision, updatedAt } = last;
          resolve(E.right({ priceBookId, revision, updatedAt, position: changed ? position : undefined }));
        });
        return { state, position: position ?? book.position, end };
      };
      const [first, ...others] = events;
      if (first === undefined) {
        // Only an append proves that a carried state is still the last: without one, look.
        if (carried === undefined) return settle(undefined);
        seen = undefined;
        carried = undefined;
        continue;
      }
      const appended = await eventStore.append(streamOf(priceBookId), expectedOf(book.state), [
        first,
        ...others,
      ])();
      if (E.isRight(appended)) return settle(appended.right.position);
      const error = appended.left;
      if (error._tag === 'WrongExpectedRevision') {
        onConflict();
        // What was carried may be as old as this process: what it says is looked up anew, not read on from.
        if (carried !== undefined) seen = undefined;
        carried = undefined;
        continue;
      }
      if (error._tag !== 'AppendTooLarge' || batch.length === 1) return refuseAll(batch, error);
      for (const one of batch) carried = await writeTogether(priceBookId, [one], carried, onConflict);
      return carried;
    }
    return refuseAll(batch, { _tag: 'TooManyConflicts' });
  };

  const drain = async (priceBookId: PriceBookId, queue: Waiting[]): Promise<void> => {
    const before = remembered.get(priceBookId);
    let book = before?.looks === 0 ? before.book : undefined;
    let looks = Math.max(0, (before?.looks ?? 0) - 1);
    const onConflict = (): void => {
      looks = LOOKS_AFTER_CONFLICT;
    };
    while (queue.length > 0) {
      const batch = queue.splice(0, batchLength(queue));
      try {
        book = await writeTogether(priceBookId, batch, book, onConflict);
      } catch (defect) {
        book = undefined;
        for (const { reject } of batch) reject(defect);
      }
    }
    queues.delete(priceBookId);
    if (book?.state._tag === 'Active') remembered.set(priceBookId, { book, looks });
    else remembered.delete(priceBookId);
  };

  return (priceBookId, request) => () =>
    new Promise((resolve, reject) => {
      const waiting = { request, resolve, reject };
      const queue = queues.get(priceBookId);
      if (queue !== undefined) {
        queue.push(waiting);
        return;
      }
      const started = [waiting];
      queues.set(priceBookId, started);
      void drain(priceBookId, started);
    });
};
