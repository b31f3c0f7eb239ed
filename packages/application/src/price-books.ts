/** The use cases: what the service does for whoever drives it, such as the HTTP API. */
import {
  absent,
  type BookPercent,
  bookPercentsOf,
  type ClonePriceBook,
  type CreatePriceBook,
  type Currency,
  decide,
  type DeletePriceBookEntries,
  type LastEvent,
  type Metadata,
  type PriceBookId,
  type PriceError,
  type ProductId,
  type QuoteLine,
  type RestorePriceBook,
  type SetPrices,
  type UpdatePriceBook,
} from '@pricebook/domain';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { datedIn, findCrowded } from './commands/crowded';
import { loadBase } from './commands/load-base';
import { findTooMuchPlanned, loadChain } from './commands/load-chain';
import {
  createPriceBookWriter,
  type WriteError,
  type WriteRequest,
  type Written,
  writtenBefore,
} from './commands/price-book-writer';
import { decidePreview, type Preview, previewPrices } from './commands/preview';
import { readState } from './commands/read-state';
import { replayView } from './commands/replay-view';
import { type FoundRequest, type IdempotentRequest, rememberedName } from './idempotency/idempotent-request';
import { createRecall, type RecallError } from './idempotency/request-memory';
import { createClaimKey } from './book-keys/claims';
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
import { isStoreError, type StoreError } from './ports/store-error';
import type { ReadSide } from './projection/read-side';
import {
  type EffectivePricesPage,
  type EffectivePricesQuestion,
  readEffectivePrices,
} from './queries/effective-prices';
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
import {
  type ProductBooksPage,
  type ProductBooksQuestion,
  type ProductInBook,
  type ProductQuestion,
  readProduct,
  readProductBooks,
} from './queries/products';
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

/** What a write would change of a book, which is as it was. */
export interface PreviewOutcome extends LastEvent {
  readonly priceBookId: PriceBookId;
  readonly preview: Preview;
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
  readonly key?: string | undefined;
  readonly metadata?: Metadata | undefined;
}

/** What a clone has beside what its source holds; what is absent it has from its source, but for the key. */
export interface NewClone extends Omit<NewPriceBook, 'basePriceBookId'> {
  /** Whether the clone is a book without a base that has the prices of the source as its own. */
  readonly flattenBase?: boolean | undefined;
}

/** What a write gives a book. */
type Details = Pick<UpdatePriceBook, 'name' | 'description' | 'key' | 'metadata'>;

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
  /** Creates a book that holds what another one does. `expectedRevisions` are those of the source. */
  readonly clone: (
    source: PriceBookId,
    clone: NewClone,
    caller: Caller,
  ) => TE.TaskEither<CommandError, PriceBookOutcome>;
  readonly update: (
    id: PriceBookId,
    changes: Details,
    caller: Caller,
  ) => TE.TaskEither<CommandError, PriceBookOutcome>;
  readonly delete: (id: PriceBookId, caller: Caller) => TE.TaskEither<CommandError, WriteOutcome>;
  /** Makes a deleted book what it was; it has the key that it had, unless another one is given, or null for none. */
  readonly restore: (
    id: PriceBookId,
    given: Pick<RestorePriceBook, 'key'>,
    caller: Caller,
  ) => TE.TaskEither<CommandError, PriceBookOutcome>;
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
  /** What a write to prices would change: it is decided as the write is, and nothing is stored. */
  readonly preview: (
    id: PriceBookId,
    command: SetPrices | DeletePriceBookEntries,
    caller: Caller,
  ) => TE.TaskEither<CommandError, PreviewOutcome>;
  readonly find: (id: PriceBookId) => TE.TaskEither<QueryError, PriceBookView>;
  /** The id of the book that has a key; undefined where none has it. */
  readonly idOfKey: (key: string) => TE.TaskEither<StoreError, PriceBookId | undefined>;
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
  /** What `keep` takes of the prices of the products of a book and of its bases. */
  readonly effectivePrices: <A>(
    question: EffectivePricesQuestion,
    keep: (line: QuoteLine, quoted: QuotedLine) => A,
  ) => TE.TaskEither<QueryError, EffectivePricesPage<A>>;
  /** The books in which a product has something of its own. */
  readonly productBooks: (question: ProductBooksQuestion) => TE.TaskEither<StoreError, ProductBooksPage>;
  /** What a product has of its own in a book, and what `keep` takes of its prices in all currencies. */
  readonly product: <A>(
    question: ProductQuestion,
    keep: (line: QuoteLine, quoted: QuotedLine) => A,
  ) => TE.TaskEither<QueryError, ProductInBook<A>>;
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

/** What a book is until a command gives it a key. */
const bookOf = {
  CreatePriceBook: 'new',
  ClonePriceBook: 'new',
  UpdatePriceBook: 'existing',
  RestorePriceBook: 'deleted',
} as const;

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
  const key = found.keyRevision > revision ? given.key : found.key;
  const metadata = found.metadataRevision > revision ? given.metadata : found.metadata;
  const isKnown = name !== undefined && description !== undefined && key !== undefined;
  if (found.revision < revision || !isKnown || metadata === undefined) return undefined;
  return {
    ...found,
    revision,
    updatedAt,
    name,
    nameRevision: Math.min(found.nameRevision, revision),
    description,
    descriptionRevision: Math.min(found.descriptionRevision, revision),
    key,
    keyRevision: Math.min(found.keyRevision, revision),
    metadata,
    metadataRevision: Math.min(found.metadataRevision, revision),
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
  const claimKey = createClaimKey({ eventStore, readModel, catchUp, clock, ids });
  const reserve = createReserve({ eventStore, clock, ids });
  const inTurn = createInTurn();

  /** @param until what the command goes by is good until then: ISO 8601, UTC. */
  const carryOut =
    (
      id: PriceBookId,
      command: WriteRequest['command'],
      { expectedRevisions, actor, requestId, reason, idempotency, done }: Caller,
      until?: string,
    ): TE.TaskEither<CommandError, WriteOutcome> =>
    async () => {
      const context = { actor, requestId, reason, commandId: ids.newCommandId(), idempotency };
      const written =
        done === undefined
          ? await write(id, { command, expectedRevisions, context, until })()
          : E.right(writtenBefore(done));
      if (E.isLeft(written)) return written;
      const { priceBookId, revision, updatedAt, position } = written.right;
      const projectionBehind = !(await isReadable(position));
      return E.right({ priceBookId, revision, updatedAt, projectionBehind });
    };

  /** The same for a command that may give the book a key, which is claimed first. */
  const carryOutWithKey =
    (
      id: PriceBookId,
      command: CreatePriceBook | ClonePriceBook | UpdatePriceBook | RestorePriceBook,
      caller: Caller,
      key = command.key,
    ) =>
    async (): Promise<E.Either<CommandError, WriteOutcome>> => {
      if (typeof key !== 'string' || caller.done !== undefined) return carryOut(id, command, caller)();
      const claimed = await claimKey({ ...caller, key, priceBookId: id, book: bookOf[command._tag] });
      if (E.isLeft(claimed)) return claimed;
      const claim = claimed.right;
      if (claim._tag === 'Refused') return carryOut(id, { ...command, keyRefusal: claim.refusal }, caller)();
      const written = await carryOut(id, command, caller, claim.until)();
      // What a store has not answered may still be done.
      const isUnclear =
        E.isLeft(written) && (isStoreError(written.left) || written.left._tag === 'StoreReadsOnly');
      if (!isUnclear) await claim.settle();
      return written;
    };

  /** The book of a request that may be sent to several instances at once: all of them create it under one id. */
  const createOnce =
    (
      command: CreatePriceBook | ClonePriceBook,
      idempotency: IdempotentRequest,
      caller: Caller,
    ): TE.TaskEither<CommandError, WriteOutcome> =>
    async () => {
      for (let attempt = 0; attempt < CREATIONS; attempt += 1) {
        const reserved = await reserve({ ...caller, idempotency });
        if (E.isLeft(reserved)) return reserved;
        const { priceBookId, done } = reserved.right;
        const created = await carryOutWithKey(priceBookId, command, { ...caller, done })();
        // Another instance has just created it, and the read side does not remember that.
        if (E.isLeft(created) && created.left._tag === 'PriceBookExists') continue;
        return created;
      }
      return E.left({ _tag: 'TooManyConflicts' });
    };

  /** Creates a book, under one id however often and wherever the request is sent. */
  const createAny = (
    command: CreatePriceBook | ClonePriceBook,
    caller: Caller,
  ): TE.TaskEither<CommandError, WriteOutcome> => {
    const { idempotency, done, expectedRevisions } = caller;
    // Nothing is reserved or claimed for what is refused.
    const decided = done === undefined ? decide(absent, command, expectedRevisions) : E.right([]);
    if (E.isLeft(decided)) return TE.left(decided.left);
    return idempotency === undefined || done !== undefined
      ? carryOutWithKey(ids.newPriceBookId(), command, caller)
      : createOnce(command, idempotency, caller);
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
  const quoteLines: PriceBooks['quote'] = (id, lines, keep) => quote(readModel, clock, id, lines, keep);

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

    create: ({ name, description = '', basePriceBookId, key, metadata }, caller) =>
      pipe(
        loadBase(eventStore, basePriceBookId),
        TE.chainW((base) => {
          const command = {
            _tag: 'CreatePriceBook',
            name,
            description,
            ...(base !== undefined && { base }),
            ...(key !== undefined && { key }),
            ...(metadata !== undefined && { metadata }),
          } as const;
          return createAny(command, caller);
        }),
        TE.chainW(answerWithBook({ name, description, key: key ?? null, metadata: metadata ?? {} })),
      ),

    clone: (id, { name, key, flattenBase = false, ...given }, caller) =>
      pipe(
        catchUp(),
        TE.chainW(() => (caller.done === undefined ? loadChain(readModel, id) : TE.right(undefined))),
        TE.bindTo('source'),
        TE.bindW('crowded', ({ source }) =>
          flattenBase && source !== undefined
            ? findTooMuchPlanned(readModel, source.chain, clock.now())
            : TE.right(undefined),
        ),
        TE.chainW(({ source, crowded }) => {
          const description = given.description ?? source?.book.description;
          const metadata = given.metadata ?? source?.book.metadata;
          const command = {
            _tag: 'ClonePriceBook',
            name,
            description: description ?? '',
            chain: source?.chain ?? [],
            flattensBase: flattenBase,
            crowded,
            ...(key !== undefined && { key }),
            ...(metadata !== undefined && { metadata }),
          } as const;
          const answer = answerWithBook({
            name,
            ...(description !== undefined && { description }),
            key: key ?? null,
            ...(metadata !== undefined && { metadata }),
          });
          return pipe(createAny(command, caller), TE.chainW(answer));
        }),
      ),

    update: (id, changes, caller) =>
      pipe(
        carryOutWithKey(id, { _tag: 'UpdatePriceBook', ...changes }, caller),
        TE.chainW(answerWithBook(changes)),
      ),

    delete: (id, caller) =>
      pipe(
        catchUp(),
        TE.chainW(() => readModel.findDerivedPriceBooks(id, NAMED_DERIVED)),
        TE.chainW((derivedPriceBookIds) =>
          carryOut(id, { _tag: 'DeletePriceBook', derivedPriceBookIds }, caller),
        ),
      ),

    restore: (id, given, caller) =>
      pipe(
        catchUp(),
        TE.chainW(() => readModel.findDeletedPriceBook(id)),
        TE.bindTo('deleted'),
        TE.bindW('base', ({ deleted }) => loadBase(eventStore, deleted?.basePriceBookIds[0])),
        TE.chainW(({ deleted, base }) => {
          const command = {
            _tag: 'RestorePriceBook',
            ...given,
            deletion: deleted?.revision,
            base,
          } as const;
          // Nothing is claimed for what is refused.
          const isRefused = base !== undefined && base.state._tag !== 'Active';
          const key = given.key === undefined ? deleted?.key : given.key;
          return carryOutWithKey(id, command, caller, isRefused ? null : key);
        }),
        TE.chainW(answerWithBook(given)),
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

    preview: (id, command, { expectedRevisions, actor }) => {
      const dated = command._tag === 'DeletePriceBookEntries' ? [] : datedIn(command);
      const now = clock.now();
      return pipe(
        TE.Do,
        TE.bind('book', () => readState(eventStore)(id)),
        // The prices before are those of a read side that has all that the book has been told.
        TE.bindW('caughtUp', ({ book }) => catchUp(book.position)),
        TE.bindW('crowded', () =>
          dated.length === 0 ? TE.right(undefined) : findCrowded(readModel, id, dated, now),
        ),
        TE.bindW('changes', ({ book, crowded }) => {
          const asked = crowded === undefined ? command : { ...command, crowded };
          return TE.fromEither(decidePreview(id, book.state, asked, expectedRevisions, actor, now));
        }),
        TE.bindW('preview', ({ changes }) => previewPrices(readModel, id, changes, now)),
        TE.chainEitherKW(({ book: { state }, preview }) =>
          state._tag === 'Active'
            ? E.right({
                priceBookId: id,
                revision: state.revision,
                updatedAt: state.updatedAt,
                preview,
              })
            : E.left(notFound),
        ),
      );
    },

    find: (id) =>
      pipe(
        readModel.findPriceBook(id),
        TE.chainEitherKW((found) => (found === undefined ? E.left(notFound) : E.right(found))),
      ),

    idOfKey: readModel.findByKey,
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
    quote: quoteLines,
    effectivePrices: (question, keep) => readEffectivePrices(readModel, quoteLines, question, keep),
    productBooks: (question) => readProductBooks(readModel, clock, question),
    product: (question, keep) => readProduct(readModel, quoteLines, clock, question, keep),

    history: (question) => readHistory(eventStore, question),
    follow: createFollowPriceBook(eventStore, isReadable, news),
    feed: (question) => readFeed(eventStore, isReadable, question),
    followFeed: createFollowFeed(eventStore, isReadable, news),
    upcoming: (question) => readUpcoming(readModel, clock, question),
    priceHistory: (question) => readPriceHistory(readModel, clock, question),
  };
};
