/** The use cases: what the service does for whoever drives it, such as the HTTP API. */
import {
  absent,
  type BookPercent,
  bookPercentsOf,
  type CreatePriceBook,
  type Currency,
  decide,
  type PriceBookId,
  type PriceError,
  type ProductId,
  type QuoteLine,
  type SetPrices,
  type UpdatePriceBook,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { datedIn, findCrowded } from './commands/crowded';
import { loadBase } from './commands/load-base';
import {
  createPriceBookWriter,
  type WriteError,
  type WriteRequest,
  type Written,
  writtenBefore,
} from './commands/price-book-writer';
import { replayView } from './commands/replay-view';
import { type FoundRequest, type IdempotentRequest, rememberedName } from './idempotency/idempotent-request';
import { createRecall, type RecallError } from './idempotency/request-memory';
import { createReserve } from './idempotency/reservations';
import { createInTurn } from './one-at-a-time';
import { createSharedQuestion } from './shared-question';
import { createFollowFeed, type FollowFeed } from './following/follow-feed';
import { createFollowPriceBook, type FollowPriceBook } from './following/follow-price-book';
import { createStreamNews } from './following/stream-news';
import type { Clock } from './ports/clock';
import type { EventStore, Position } from './ports/event-store';
import type { Ids } from './ports/ids';
import type { PriceBookView, ReadModel } from './ports/read-model';
import type { StoreError } from './ports/store-error';
import type { ReadSide } from './projection/read-side';
import { type FeedPage, type FeedPlaceUnknown, type FeedQuestion, readFeed } from './queries/event-feed';
import { type OwnPricesPage, type OwnPricesQuestion, readOwnPrices } from './queries/own-prices';
import {
  type HistoryEntry,
  type HistoryQuestion,
  type Page,
  readHistory,
} from './queries/price-book-history';
import { type PriceBooksPage, type PriceBooksQuestion, readPriceBooks } from './queries/price-book-list';
import { type PriceHistoryPage, type PriceHistoryQuestion, readPriceHistory } from './queries/price-history';
import { type CurrentPrice, type PriceQuestion, readPrice } from './queries/price';
import { quote, type QuotedLine } from './queries/quote';
import { readUpcoming, type UpcomingPage, type UpcomingQuestion } from './queries/upcoming';
import type { CommandContext, UndecodableEvent } from './recorded-event';

/** How long an answer to a write waits for the read side: design section 2. */
const READ_SIDE_WAIT_MS = 2_000;
/** As many derived books as a refusal to delete names. */
const NAMED_DERIVED = 20;
/** How long a request waits for others with its idempotency key. */
const TURN_MS = 5_000;
/** How often the creation of a book is tried under an id that another instance may use just then. */
const CREATIONS = 3;

export type CommandError = WriteError;
/** Why a request with an idempotency key is not carried out. */
export type OnceError = RecallError | { readonly _tag: 'RequestUnderWay' };
export type QueryError = StoreError | { readonly _tag: 'PriceBookNotFound' };

/** A write that is done. */
export interface WriteOutcome extends Omit<Written, 'position'> {
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
  /** What the request has done when it came before: it is answered alike, and does not act. See `once`. */
  readonly done?: FoundRequest | undefined;
}

export interface NewPriceBook {
  readonly name: string;
  readonly description?: string | undefined;
  readonly basePriceBookId?: PriceBookId | undefined;
}

export interface BookPercents {
  /** The revision of the book that they are of. */
  readonly revision: number;
  readonly percents: Readonly<Partial<Record<Currency, BookPercent>>>;
}

export interface PriceBooks {
  /**
   * Has a request with an idempotency key act once, whichever instance it comes to, and answer alike each time.
   * Those with the same key take turns.
   *
   * @param act carries the request out with one of the writes below; given for whom.
   */
  readonly once: <Refusal, A>(
    caller: Caller,
    idempotency: IdempotentRequest,
    act: (caller: Caller) => TE.TaskEither<Refusal, A>,
  ) => TE.TaskEither<Refusal | OnceError, A>;
  readonly create: (book: NewPriceBook, caller: Caller) => TE.TaskEither<CommandError, PriceBookOutcome>;
  readonly update: (
    id: PriceBookId,
    changes: Omit<UpdatePriceBook, '_tag'>,
    caller: Caller,
  ) => TE.TaskEither<CommandError, PriceBookOutcome>;
  readonly delete: (id: PriceBookId, caller: Caller) => TE.TaskEither<CommandError, WriteOutcome>;
  readonly setPrices: (
    id: PriceBookId,
    command: SetPrices,
    caller: Caller,
  ) => TE.TaskEither<CommandError, WriteOutcome>;
  readonly deleteEntries: (
    id: PriceBookId,
    productIds: readonly ProductId[],
    caller: Caller,
  ) => TE.TaskEither<CommandError, WriteOutcome>;
  readonly find: (id: PriceBookId) => TE.TaskEither<QueryError, PriceBookView>;
  readonly list: (question: PriceBooksQuestion) => TE.TaskEither<StoreError, PriceBooksPage>;
  /** What the products of a book have of their own. */
  readonly ownPrices: (question: OwnPricesQuestion) => TE.TaskEither<QueryError, OwnPricesPage>;
  /** What a book has for all products. */
  readonly percents: (id: PriceBookId) => TE.TaskEither<QueryError, BookPercents>;
  readonly price: (question: PriceQuestion) => TE.TaskEither<QueryError | PriceError, CurrentPrice>;
  readonly history: (
    question: HistoryQuestion,
  ) => TE.TaskEither<QueryError | UndecodableEvent, Page<HistoryEntry>>;
  readonly follow: FollowPriceBook;
  /** The events of all books. */
  readonly feed: (
    question: FeedQuestion,
  ) => TE.TaskEither<StoreError | FeedPlaceUnknown | UndecodableEvent, FeedPage>;
  readonly followFeed: FollowFeed;
  /** What `keep` takes of the prices of lines, in their order. */
  readonly quote: <A>(
    id: PriceBookId,
    lines: readonly QuoteLine[],
    keep: (line: QuoteLine, quoted: QuotedLine) => A,
  ) => TE.TaskEither<QueryError, readonly A[]>;
  /** What is going to begin or to end in a book, as it is planned. */
  readonly upcoming: (question: UpcomingQuestion) => TE.TaskEither<QueryError, UpcomingPage>;
  readonly priceHistory: (question: PriceHistoryQuestion) => TE.TaskEither<QueryError, PriceHistoryPage>;
}

export interface PriceBooksParts {
  readonly eventStore: EventStore;
  readonly readModel: Omit<ReadModel, 'apply' | 'changesTogether'>;
  readonly readSide: Pick<ReadSide, 'waitFor'>;
  readonly clock: Clock;
  readonly ids: Ids;
}

const notFound = { _tag: 'PriceBookNotFound' } as const;

/** What a write gives a book. */
type Details = Pick<UpdatePriceBook, 'name' | 'description'>;

/**
 * A book as a write left it, from what it has become since: what was changed later is what the write itself gave it.
 *
 * @returns undefined where that does not tell: it is not there yet, or others changed later what it did not give.
 */
const asWritten = (
  found: PriceBookView,
  { revision, updatedAt }: WriteOutcome,
  given: Details,
): PriceBookView | undefined => {
  const name = found.nameRevision > revision ? given.name : found.name;
  const description = found.descriptionRevision > revision ? given.description : found.description;
  if (found.revision < revision || name === undefined || description === undefined) return undefined;
  return {
    ...found,
    revision,
    updatedAt,
    name,
    nameRevision: Math.min(found.nameRevision, revision),
    description,
    descriptionRevision: Math.min(found.descriptionRevision, revision),
  };
};

export const createPriceBooks = ({
  eventStore,
  readModel,
  readSide,
  clock,
  ids,
}: PriceBooksParts): PriceBooks => {
  const isReadable = (position: Position | undefined): Promise<boolean> =>
    position === undefined ? Promise.resolve(true) : readSide.waitFor(position, READ_SIDE_WAIT_MS);

  const head = createSharedQuestion(() => eventStore.head()());

  /** Waits until the read side has come to a position; without one, to the end of the events. */
  const catchUp = (upTo?: Position): TE.TaskEither<StoreError | { readonly _tag: 'ReadSideBehind' }, void> =>
    pipe(
      upTo === undefined ? head : TE.right(upTo),
      TE.chainTaskK((position) => () => isReadable(position)),
      TE.chainEitherKW((reached) =>
        reached ? E.right(undefined) : E.left({ _tag: 'ReadSideBehind' as const }),
      ),
    );

  const recall = createRecall({ catchUp, readModel, clock });
  const write = createPriceBookWriter(eventStore, clock, recall);
  const reserve = createReserve({ eventStore, clock, ids });
  const inTurn = createInTurn();

  const carryOut =
    (
      id: PriceBookId,
      command: WriteRequest['command'],
      { expectedRevisions, actor, requestId, idempotency, done }: Caller,
    ): TE.TaskEither<CommandError, WriteOutcome> =>
    async () => {
      const context = { actor, requestId, commandId: ids.newCommandId(), idempotency };
      const written =
        done === undefined
          ? await write(id, { command, expectedRevisions, context })()
          : E.right(writtenBefore(done));
      if (E.isLeft(written)) return written;
      const { priceBookId, revision, updatedAt, position } = written.right;
      const projectionBehind = !(await isReadable(position));
      return E.right({ priceBookId, revision, updatedAt, projectionBehind });
    };

  /** The book of a request that may be sent to several instances at once: all of them create it under one id. */
  const createOnce =
    (
      command: CreatePriceBook,
      idempotency: IdempotentRequest,
      caller: Caller,
    ): TE.TaskEither<CommandError, WriteOutcome> =>
    async () => {
      // Nothing is reserved for what is refused.
      const decided = decide(absent, command);
      if (E.isLeft(decided)) return decided;
      for (let attempt = 0; attempt < CREATIONS; attempt += 1) {
        const reserved = await reserve({ ...caller, idempotency });
        if (E.isLeft(reserved)) return reserved;
        const { priceBookId, done } = reserved.right;
        const created = await carryOut(priceBookId, command, { ...caller, done })();
        // Another instance has just created it, and the read side does not remember that.
        if (E.isLeft(created) && created.left._tag === 'PriceBookExists') continue;
        return created;
      }
      return E.left({ _tag: 'TooManyConflicts' });
    };

  /** The book as the write left it, whatever others have done since. The stream tells where the read side cannot. */
  const answerWithBook =
    (given: Details) =>
    (outcome: WriteOutcome): TE.TaskEither<CommandError, PriceBookOutcome> => {
      const { priceBookId, revision, projectionBehind } = outcome;
      return pipe(
        projectionBehind ? TE.right(undefined) : readModel.findPriceBook(priceBookId),
        // The write is done: a read side that fails now must not make it look as if it were not.
        TE.orElse(() => TE.right<StoreError, PriceBookView | undefined>(undefined)),
        TE.map((found) => found && asWritten(found, outcome, given)),
        TE.chainW((book) =>
          book === undefined ? replayView(eventStore, priceBookId, revision) : TE.right(book),
        ),
        TE.chainEitherKW((priceBook) =>
          priceBook === undefined ? E.left(notFound) : E.right({ priceBook, projectionBehind }),
        ),
      );
    };

  const news = createStreamNews(eventStore);

  return {
    once: (caller, idempotency, act) => async () => {
      const { actor } = caller;
      const carriedOut = await inTurn(rememberedName(actor, idempotency), TURN_MS, async () => {
        const request = { actor, idempotency };
        const found = (await recall([request]))(request);
        if (found !== undefined && E.isLeft(found)) return found;
        return act({ ...caller, idempotency, done: found?.right })();
      });
      return carriedOut ?? E.left({ _tag: 'RequestUnderWay' });
    },

    create: ({ name, description = '', basePriceBookId }, caller) =>
      pipe(
        loadBase(eventStore, basePriceBookId),
        TE.chainW((base) => {
          const command = {
            _tag: 'CreatePriceBook',
            name,
            description,
            ...(base !== undefined && { base }),
          } as const;
          const { idempotency, done } = caller;
          return idempotency === undefined || done !== undefined
            ? carryOut(ids.newPriceBookId(), command, caller)
            : createOnce(command, idempotency, caller);
        }),
        TE.chainW(answerWithBook({ name, description })),
      ),

    update: (id, changes, caller) =>
      pipe(carryOut(id, { _tag: 'UpdatePriceBook', ...changes }, caller), TE.chainW(answerWithBook(changes))),

    delete: (id, caller) =>
      pipe(
        catchUp(),
        TE.chainW(() => readModel.findDerivedPriceBooks(id, NAMED_DERIVED)),
        TE.chainW((derivedPriceBookIds) =>
          carryOut(id, { _tag: 'DeletePriceBook', derivedPriceBookIds }, caller),
        ),
      ),

    setPrices: (id, command, caller) => {
      const dated = caller.done === undefined ? datedIn(command) : [];
      return dated.length === 0
        ? carryOut(id, command, caller)
        : pipe(
            catchUp(),
            TE.chainW(() => findCrowded(readModel, id, dated, clock.now())),
            TE.chainW((crowded) => carryOut(id, { ...command, crowded }, caller)),
          );
    },

    deleteEntries: (id, productIds, caller) =>
      carryOut(id, { _tag: 'DeletePriceBookEntries', productIds }, caller),

    find: (id) =>
      pipe(
        readModel.findPriceBook(id),
        TE.chainEitherKW((found) => (found === undefined ? E.left(notFound) : E.right(found))),
      ),

    list: (question) => readPriceBooks(readModel, question),
    ownPrices: (question) => readOwnPrices(readModel, clock, question),
    percents: (id) =>
      pipe(
        readModel.findAllProducts(id),
        TE.chainEitherKW((held) =>
          held === undefined
            ? E.left(notFound)
            : E.right({ revision: held.revision, percents: bookPercentsOf(held.cells, clock.now()) }),
        ),
      ),

    price: (question) => readPrice(readModel, clock, question),
    quote: (id, lines, keep) => quote(readModel, clock, id, lines, keep),

    history: (question) => readHistory(eventStore, question),
    follow: createFollowPriceBook(eventStore, isReadable, news),
    feed: (question) => readFeed(eventStore, isReadable, question),
    followFeed: createFollowFeed(eventStore, isReadable, news),
    upcoming: (question) => readUpcoming(readModel, clock, question),
    priceHistory: (question) => readPriceHistory(readModel, clock, question),
  };
};
