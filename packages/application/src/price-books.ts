/** The use cases: what the service does for whoever drives it, such as the HTTP API. */
import {
  type AdjustAllProducts,
  type Currency,
  type PriceBookId,
  type PriceError,
  type PriceParameters,
  type ProductId,
  type QuoteLine,
  type ResolvedPrice,
  resolvePrice,
  type SetProductPrices,
  type UpdatePriceBook,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { loadBase } from './commands/load-base';
import {
  createPriceBookWriter,
  type WriteError,
  type WriteRequest,
  type Written,
} from './commands/price-book-writer';
import { replayView } from './commands/replay-view';
import type { Clock } from './ports/clock';
import type { EventStore, Position } from './ports/event-store';
import type { Ids } from './ports/ids';
import type { PriceBookView } from './ports/read-model';
import type { StoreError } from './ports/store-error';
import type { ReadSide } from './projection/read-side';
import type { ServedReadModel } from './projection/serve-read-model';
import {
  type HistoryEntry,
  type HistoryQuestion,
  type Page,
  readHistory,
} from './queries/price-book-history';
import { type PriceHistoryPage, type PriceHistoryQuestion, readPriceHistory } from './queries/price-history';
import { quote, type QuotedLine } from './queries/quote';
import type { CommandContext, UndecodableEvent } from './recorded-event';

/** How long an answer to a write waits for the read side: design section 2. */
const READ_SIDE_WAIT_MS = 2_000;
/** As many derived books as a refusal to delete names. */
const NAMED_DERIVED = 20;

export type CommandError = WriteError | { readonly _tag: 'ReadSideBehind' };
export type QueryError = StoreError | { readonly _tag: 'PriceBookNotFound' };

/** A write that is done. */
export interface WriteOutcome extends Omit<Written, 'position'> {
  readonly priceBookId: PriceBookId;
  /** Whether the read side had not applied the write in time: it is done, but may not be read yet. */
  readonly projectionBehind: boolean;
}

/** A write that answers with the book. */
export interface PriceBookOutcome {
  readonly priceBook: PriceBookView;
  readonly projectionBehind: boolean;
}

/** Who asks, and what they have seen. */
export interface Caller extends Omit<CommandContext, 'commandId'> {
  /** The revisions that the caller acts upon; absent for any. */
  readonly expectedRevisions?: readonly number[] | undefined;
}

export interface NewPriceBook {
  readonly name: string;
  readonly description?: string | undefined;
  readonly basePriceBookId?: PriceBookId | undefined;
}

export interface PriceQuestion {
  readonly priceBookId: PriceBookId;
  readonly productId: ProductId;
  readonly currency: Currency;
  readonly parameters: PriceParameters;
  /** ISO 8601, UTC: the price as it was then; absent for now. */
  readonly at?: string | undefined;
}

export interface PriceBooks {
  readonly create: (book: NewPriceBook, caller: Caller) => TE.TaskEither<CommandError, PriceBookOutcome>;
  readonly update: (
    id: PriceBookId,
    changes: Omit<UpdatePriceBook, '_tag'>,
    caller: Caller,
  ) => TE.TaskEither<CommandError, PriceBookOutcome>;
  readonly delete: (id: PriceBookId, caller: Caller) => TE.TaskEither<CommandError, WriteOutcome>;
  readonly setPrices: (
    id: PriceBookId,
    command: SetProductPrices | AdjustAllProducts,
    caller: Caller,
  ) => TE.TaskEither<CommandError, WriteOutcome>;
  readonly deleteEntries: (
    id: PriceBookId,
    productIds: readonly ProductId[],
    caller: Caller,
  ) => TE.TaskEither<CommandError, WriteOutcome>;
  readonly find: (id: PriceBookId) => TE.TaskEither<QueryError, PriceBookView>;
  readonly list: () => TE.TaskEither<StoreError, readonly PriceBookView[]>;
  readonly price: (question: PriceQuestion) => TE.TaskEither<QueryError | PriceError, ResolvedPrice>;
  readonly history: (
    question: HistoryQuestion,
  ) => TE.TaskEither<QueryError | UndecodableEvent, Page<HistoryEntry>>;
  /** What `keep` takes of the prices of lines, in their order. */
  readonly quote: <A>(
    id: PriceBookId,
    lines: readonly QuoteLine[],
    keep: (line: QuoteLine, quoted: QuotedLine) => A,
  ) => TE.TaskEither<QueryError, readonly A[]>;
  readonly priceHistory: (question: PriceHistoryQuestion) => TE.TaskEither<QueryError, PriceHistoryPage>;
}

export interface PriceBooksParts {
  readonly eventStore: EventStore;
  readonly readModel: ServedReadModel;
  readonly readSide: Pick<ReadSide, 'waitFor'>;
  readonly clock: Clock;
  readonly ids: Ids;
}

const notFound = { _tag: 'PriceBookNotFound' } as const;

export const createPriceBooks = ({
  eventStore,
  readModel,
  readSide,
  clock,
  ids,
}: PriceBooksParts): PriceBooks => {
  const write = createPriceBookWriter(eventStore, clock);

  const isReadable = (position: Position | undefined): Promise<boolean> =>
    position === undefined ? Promise.resolve(true) : readSide.waitFor(position, READ_SIDE_WAIT_MS);

  const carryOut = (
    priceBookId: PriceBookId,
    command: WriteRequest['command'],
    { expectedRevisions, ...who }: Caller,
  ): TE.TaskEither<CommandError, WriteOutcome> =>
    pipe(
      write(priceBookId, {
        command,
        expectedRevisions,
        context: { ...who, commandId: ids.newCommandId() },
      }),
      TE.chainTaskK(({ revision, updatedAt, position }) => async () => ({
        priceBookId,
        revision,
        updatedAt,
        projectionBehind: !(await isReadable(position)),
      })),
    );

  /**
   * The book as the write left it, whatever others have done since. The read side tells it unless they changed
   * the same details, or it is not there yet, as it may be for an update that changed nothing; the stream always does.
   */
  const answerWithBook = ({
    priceBookId,
    revision,
    updatedAt,
    projectionBehind,
  }: WriteOutcome): TE.TaskEither<CommandError, PriceBookOutcome> =>
    pipe(
      projectionBehind ? TE.right(undefined) : readModel.findPriceBook(priceBookId),
      // The write is done: a read side that fails now must not make it look as if it were not.
      TE.orElse(() => TE.right<StoreError, PriceBookView | undefined>(undefined)),
      TE.chainW((found) =>
        found === undefined || found.revision < revision || found.detailsRevision > revision
          ? replayView(eventStore, priceBookId, revision)
          : TE.right({ ...found, revision, updatedAt }),
      ),
      TE.chainEitherKW((priceBook) =>
        priceBook === undefined ? E.left(notFound) : E.right({ priceBook, projectionBehind }),
      ),
    );

  const catchUp: TE.TaskEither<CommandError, void> = pipe(
    eventStore.head(),
    TE.chainTaskK((head) => () => isReadable(head)),
    TE.chainEitherKW((reached) =>
      reached ? E.right(undefined) : E.left({ _tag: 'ReadSideBehind' as const }),
    ),
  );

  const price: PriceBooks['price'] = ({ priceBookId, productId, currency, parameters, at }) =>
    pipe(
      readModel.findHoldings(priceBookId, productId, currency, at),
      TE.chainEitherKW((chain): E.Either<QueryError | PriceError, ResolvedPrice> =>
        chain === undefined ? E.left(notFound) : resolvePrice(chain, currency, parameters),
      ),
    );

  return {
    create: ({ name, description = '', basePriceBookId }, caller) =>
      pipe(
        loadBase(eventStore, basePriceBookId),
        TE.chainW((base) =>
          carryOut(
            ids.newPriceBookId(),
            { _tag: 'CreatePriceBook', name, description, ...(base !== undefined && { base }) },
            caller,
          ),
        ),
        TE.chainW(answerWithBook),
      ),

    update: (id, changes, caller) =>
      pipe(carryOut(id, { _tag: 'UpdatePriceBook', ...changes }, caller), TE.chainW(answerWithBook)),

    delete: (id, caller) =>
      pipe(
        catchUp,
        TE.chainW(() => readModel.findDerivedPriceBooks(id, NAMED_DERIVED)),
        TE.chainW((derivedPriceBookIds) =>
          carryOut(id, { _tag: 'DeletePriceBook', derivedPriceBookIds }, caller),
        ),
      ),

    setPrices: carryOut,

    deleteEntries: (id, productIds, caller) =>
      carryOut(id, { _tag: 'DeletePriceBookEntries', productIds }, caller),

    find: (id) =>
      pipe(
        readModel.findPriceBook(id),
        TE.chainEitherKW((found) => (found === undefined ? E.left(notFound) : E.right(found))),
      ),

    list: readModel.listPriceBooks,

    price,

    quote: (id, lines, keep) => quote(price, id, lines, keep),

    history: (question) => readHistory(eventStore, question),
    priceHistory: (question) => readPriceHistory(readModel, question),
  };
};
