/**
 * Carries commands out: load, decide, append; on a conflict decide anew. The writers of one book take turns
 * within the process, and those that wait share the next append.
 */
import {
  absent,
  decide,
  type DecisionError,
  evolve,
  type LastEvent,
  type PriceBookCommand,
  type PriceBookEvent,
  type PriceBookId,
  type PriceBookState,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { Clock } from '../ports/clock';
import type { AppendError, EventStore, ExpectedRevision, NewEvent, Position } from '../ports/event-store';
import type { StoreError } from '../ports/store-error';
import {
  type CommandContext,
  decodeMetadata,
  newEvent,
  streamOf,
  type UndecodableEvent,
} from '../recorded-event';

/** How often decisions are taken anew because another process wrote first. */
const MAX_ATTEMPTS = 10;
/** What shares one append: so many commands, or, where they are large, so many products in them. */
const MAX_COMMANDS = 200;
const MAX_PRODUCTS = 10_000;

export interface WriteRequest {
  readonly command: PriceBookCommand;
  /** Act only if the book is at one of these revisions. */
  readonly expectedRevisions?: readonly number[] | undefined;
  readonly context: CommandContext;
}

/** A command that has been carried out: the book's last event after it. */
export interface Written extends LastEvent {
  /** Where the command's event stands; undefined where the command changed nothing. */
  readonly position: Position | undefined;
}

export type WriteError =
  | DecisionError
  | Exclude<AppendError, { readonly _tag: 'WrongExpectedRevision' }>
  | UndecodableEvent
  | { readonly _tag: 'TooManyConflicts' };

export type PriceBookWriter = (
  priceBookId: PriceBookId,
  request: WriteRequest,
) => TE.TaskEither<WriteError, Written>;

interface Waiting {
  readonly request: WriteRequest;
  readonly resolve: (result: E.Either<WriteError, Written>) => void;
  readonly reject: (defect: unknown) => void;
}

interface Decided {
  readonly state: PriceBookState;
  readonly events: readonly NewEvent[];
  /** One a request, in their order. */
  readonly results: readonly E.Either<
    DecisionError,
    { readonly last: LastEvent; readonly changed: boolean }
  >[];
}

const decideAll = (start: PriceBookState, requests: readonly WriteRequest[], now: string): Decided => {
  let state = start;
  const events: NewEvent[] = [];
  const results = requests.map(({ command, expectedRevisions, context }) =>
    pipe(
      decide(state, command, expectedRevisions),
      E.chain((decided) => {
        for (const [index, event] of decided.entries()) {
          const last = lastEventAfter(state, now);
          state = evolve(state, event, last);
          events.push(newEvent(event, index, last.updatedAt, context));
        }
        return state._tag === 'Absent'
          ? E.left<DecisionError>({ _tag: 'PriceBookNotFound' })
          : E.right({ last: state, changed: decided.length > 0 });
      }),
    ),
  );
  return { state, events, results };
};

/** Times never go back within a stream, whatever the clock does: readers look prices up by time. */
const lastEventAfter = (state: PriceBookState, now: string): LastEvent =>
  state._tag === 'Absent'
    ? { revision: 0, updatedAt: now }
    : { revision: state.revision + 1, updatedAt: state.updatedAt > now ? state.updatedAt : now };

const expectedOf = (state: PriceBookState): ExpectedRevision =>
  state._tag === 'Absent' ? 'noStream' : state.revision;

const productsIn = (command: PriceBookCommand): number =>
  command._tag === 'SetProductPrices'
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

/** The state of a book from the last event of its stream. */
export const readState =
  (eventStore: EventStore) =>
  (priceBookId: PriceBookId): TE.TaskEither<StoreError | UndecodableEvent, PriceBookState> =>
    pipe(
      eventStore.read(streamOf(priceBookId), { direction: 'backwards', limit: 1 }),
      TE.chainEitherKW(([recorded]) =>
        recorded === undefined
          ? E.right(absent)
          : pipe(
              decodeMetadata(recorded),
              E.map(({ occurredAt }) =>
                evolve(
                  absent,
                  { type: recorded.type as PriceBookEvent['type'] },
                  { revision: recorded.revision, updatedAt: occurredAt },
                ),
              ),
            ),
      ),
    );

export const createPriceBookWriter = (eventStore: EventStore, clock: Clock): PriceBookWriter => {
  const queues = new Map<PriceBookId, Waiting[]>();

  /** Settles a batch with an error; what the stream holds is not known then. */
  const refuseAll = (batch: readonly Waiting[], error: WriteError): PriceBookState | undefined => {
    for (const { resolve } of batch) resolve(E.left(error));
    return undefined;
  };

  /**
   * Carries a batch out in one append and settles it.
   *
   * @param known the state after this process' own last append, if it may be tried first.
   * @returns the state after the batch, if that is known.
   */
  const writeTogether = async (
    priceBookId: PriceBookId,
    batch: readonly Waiting[],
    known: PriceBookState | undefined,
  ): Promise<PriceBookState | undefined> => {
    let carried = known;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const loaded = carried === undefined ? await readState(eventStore)(priceBookId)() : E.right(carried);
      if (E.isLeft(loaded)) return refuseAll(batch, loaded.left);
      const requests = batch.map(({ request }) => request);
      const { state, events, results } = decideAll(loaded.right, requests, clock.now());
      const settle = (position: Position | undefined): PriceBookState => {
        batch.forEach(({ resolve }, index) => {
          const result = results[index];
          if (result === undefined) return;
          resolve(
            pipe(
              result,
              E.map(({ last: { revision, updatedAt }, changed }) => ({
                revision,
                updatedAt,
                position: changed ? position : undefined,
              })),
            ),
          );
        });
        return state;
      };
      const [first, ...others] = events;
      if (first === undefined) {
        // Only an append proves that a carried state is still the last: without one, look.
        if (carried === undefined) return settle(undefined);
        carried = undefined;
        continue;
      }
      const appended = await eventStore.append(streamOf(priceBookId), expectedOf(loaded.right), [
        first,
        ...others,
      ])();
      if (E.isRight(appended)) return settle(appended.right.position);
      const error = appended.left;
      if (error._tag === 'WrongExpectedRevision') {
        carried = undefined;
        continue;
      }
      if (error._tag !== 'AppendTooLarge' || batch.length === 1) return refuseAll(batch, error);
      for (const one of batch) carried = await writeTogether(priceBookId, [one], carried);
      return carried;
    }
    return refuseAll(batch, { _tag: 'TooManyConflicts' });
  };

  const drain = async (priceBookId: PriceBookId, queue: Waiting[]): Promise<void> => {
    let state: PriceBookState | undefined;
    while (queue.length > 0) {
      const batch = queue.splice(0, batchLength(queue));
      try {
        state = await writeTogether(priceBookId, batch, state);
      } catch (defect) {
        state = undefined;
        for (const { reject } of batch) reject(defect);
      }
    }
    queues.delete(priceBookId);
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
