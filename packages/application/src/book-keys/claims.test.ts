/** Keys of books, on instances that share their events and have a read side each. */
import { randomBytes } from 'node:crypto';
import type { PriceBookId } from '@pricebook/domain';
import { expect } from 'chai';
import fc from 'fast-check';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { v4, v7 } from 'uuid';
import { createInMemoryEventStore } from '../in-memory/event-store';
import { createInMemoryReadModel } from '../in-memory/read-model';
import type { EventStore } from '../ports/event-store';
import { type Caller, createPriceBooks, type PriceBooks } from '../price-books';
import { foldPriceBook, type PriceBookDocument } from '../projection/price-book-document';
import { keyOf } from '../projection/price-book-places';
import { startProjector } from '../projection/projector';
import { changesOfRecorded } from '../projection/recorded-changes';

const ids = { newPriceBookId: () => v7() as PriceBookId, newCommandId: () => v4(), randomBytes };
const caller: Caller = { actor: 'key-1', requestId: 'request-1' };

/** A clock that a test sets; it goes on by a millisecond with each look. */
const settable = () => {
  let time = Date.UTC(2026, 0, 1);
  return {
    now: () => new Date((time += 1)).toISOString(),
    goOn: (ms: number) => {
      time += ms;
    },
  };
};

const right = <A>(result: E.Either<unknown, A>): A => {
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left));
  return result.right;
};

const tagOf = (result: E.Either<{ readonly _tag: string }, unknown>): string =>
  E.isLeft(result) ? result.left._tag : 'done';

/** A store whose every answer takes some turns of the event loop, as they come in a list. */
const unsteady = (eventStore: EventStore, turns: readonly number[]): EventStore => {
  let calls = 0;
  const wait = async (): Promise<void> => {
    const count = turns[(calls += 1) % turns.length] ?? 0;
    for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
  };
  return {
    ...eventStore,
    read: (...given) =>
      pipe(
        TE.fromTask(wait),
        TE.chain(() => eventStore.read(...given)),
      ),
    append: (...given) =>
      pipe(
        TE.fromTask(wait),
        TE.chainW(() => eventStore.append(...given)),
      ),
  };
};

describe('the key of a price book', () => {
  const closing: (() => Promise<void>)[] = [];
  let eventStore: EventStore;
  let clock: ReturnType<typeof settable>;
  beforeEach(() => {
    eventStore = createInMemoryEventStore();
    clock = settable();
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  const start = (store = eventStore): PriceBooks => {
    const readModel = createInMemoryReadModel();
    const projector = startProjector(store, readModel, () => undefined);
    closing.push(projector.close);
    return createPriceBooks({ eventStore: store, readModel, readSide: projector, clock, ids });
  };

  const create = async (priceBooks: PriceBooks, key?: string): Promise<PriceBookId> =>
    right(await priceBooks.create({ name: 'A', key }, caller)()).priceBook.priceBookId;

  /** The times at which two books had one key, as the events tell it in their order. */
  const doubles = async (): Promise<readonly string[]> => {
    const books = new Map<PriceBookId, PriceBookDocument>();
    const found: string[] = [];
    for (const recorded of right(await eventStore.readAll(undefined, 100_000)())) {
      for (const change of right(changesOfRecorded(recorded))) {
        if (change._tag !== 'PriceBookChange') continue;
        const { priceBookId } = change;
        books.set(priceBookId, foldPriceBook(books.get(priceBookId), change));
        const key = keyOf(books.get(priceBookId));
        const others = [...books.values()].filter(
          (other) => key !== undefined && other.priceBookId !== priceBookId && keyOf(other) === key,
        );
        found.push(...others.map((other) => `${String(key)}: ${priceBookId} and ${other.priceBookId}`));
      }
    }
    return found;
  };

  it('belongs to one book, until it is taken away, changed, or the book is deleted', async () => {
    const [first, second] = [start(), start()];
    const id = await create(first, 'retail');
    expect(right(await second.idOfKey('retail')())).to.equal(id);
    expect(right(await second.idOfKey('Retail')())).to.equal(undefined);
    const refused = await second.create({ name: 'B', key: 'retail' }, caller)();
    const taken = { _tag: 'PriceBookKeyTaken', key: 'retail', priceBookId: id, isPending: false };
    expect(refused).to.deep.equal(E.left(taken));
    const other = await create(second);
    expect(await second.update(other, { key: 'retail' }, caller)()).to.deep.equal(E.left(taken));
    // The same again is no conflict with itself.
    right(await second.update(id, { key: 'retail' }, caller)());

    right(await first.update(id, { key: 'b2b' }, caller)());
    right(await second.update(other, { key: 'retail' }, caller)());
    right(await second.update(other, { key: null }, caller)());
    expect(right(await second.idOfKey('retail')())).to.equal(undefined);
    right(await first.delete(id, caller)());
    expect(await create(second, 'b2b')).not.to.equal(id);
    right(await first.create({ name: 'C', key: 'retail' }, caller)());
    expect(await doubles()).to.deep.equal([]);
  });

  it('is refused after what a write is refused for anyway, and then claims nothing', async () => {
    const priceBooks = start();
    await create(priceBooks, 'retail');
    const id = await create(priceBooks);
    const nowhere = ids.newPriceBookId();
    const stale = { ...caller, expectedRevisions: [7] };
    expect(tagOf(await priceBooks.update(nowhere, { key: 'retail' }, caller)())).to.equal(
      'PriceBookNotFound',
    );
    expect(tagOf(await priceBooks.update(id, { key: 'retail' }, stale)())).to.equal('RevisionMismatch');
    const base = { name: 'B', key: 'retail', basePriceBookId: nowhere };
    expect(tagOf(await priceBooks.create(base, caller)())).to.equal('BasePriceBookNotFound');
    const isClaimOf =
      (key: string) =>
      ({ stream }: { readonly stream: string }) =>
        stream === `priceBookKey-${key}`;
    const events = right(await eventStore.readAll(undefined, 1_000)());
    expect(events.filter(isClaimOf('retail')).map(({ type }) => type)).to.deep.equal([
      'PriceBookKeyClaimed',
      'PriceBookKeySettled',
    ]);
    // Not refused for the key: free for others at once.
    expect(tagOf(await priceBooks.update(id, { key: 'free' }, stale)())).to.equal('RevisionMismatch');
    await create(priceBooks, 'free');
  });

  it('is locked for 30 seconds by an instance that ends between claim and write, and no longer', async () => {
    let isDead = false;
    const dying = start({
      ...eventStore,
      append: (stream, ...given) =>
        stream.startsWith('priceBook-') && isDead
          ? TE.left({ _tag: 'StoreUnavailable', reason: 'cut' })
          : eventStore.append(stream, ...given),
    });
    const other = start();
    const id = await create(dying);
    isDead = true;
    expect(tagOf(await dying.update(id, { key: 'retail' }, caller)())).to.equal('StoreUnavailable');
    const refused = await other.create({ name: 'B', key: 'retail' }, caller)();
    expect(refused).to.deep.equal(
      E.left({ _tag: 'PriceBookKeyTaken', key: 'retail', priceBookId: id, isPending: true }),
    );
    // The book that was to have it may have it.
    isDead = false;
    right(await other.update(id, { key: 'retail' }, caller)());
    right(await other.update(id, { key: null }, caller)());
    clock.goOn(31_000);
    await create(other, 'retail');
    expect(await doubles()).to.deep.equal([]);
  });

  it('is not given by a write that comes long after its claim', async () => {
    const late = start({
      ...eventStore,
      append:
        (stream, ...given) =>
        async () => {
          const appended = await eventStore.append(stream, ...given)();
          if (stream.startsWith('priceBookKey-')) clock.goOn(16_000);
          return appended;
        },
    });
    expect(tagOf(await late.create({ name: 'A', key: 'retail' }, caller)())).to.equal('TooManyConflicts');
    expect(right(await late.idOfKey('retail')())).to.equal(undefined);
  });

  it('is given once by a creation that is sent several times, and answered alike', async () => {
    const [first, second] = [start(), start()];
    const send = (priceBooks: PriceBooks) =>
      priceBooks.once(caller, { key: 'k', request: 'r' }, (whom) =>
        priceBooks.create({ name: 'A', key: 'retail' }, whom),
      )();
    const answers = await Promise.all([first, second, first, second].map(send));
    const books = answers.map((answer) => right(answer).priceBook);
    for (const one of books) expect(one).to.deep.equal(books[0]);
    const [book] = books;
    if (book === undefined) throw new Error('it was sent');
    const id = book.priceBookId;
    // Whichever book has the key now, the retry says what was done.
    right(await first.update(id, { key: null }, caller)());
    await create(first, 'retail');
    expect(right(await send(second)).priceBook).to.deep.equal(books[0]);
    expect(await doubles()).to.deep.equal([]);
  });

  it('is never that of two books, however writers on several instances come between one another', async () => {
    const key = fc.constantFrom('a', 'b');
    const step = fc.oneof(
      { weight: 3, arbitrary: key.map((one) => ({ does: 'create', key: one }) as const) },
      {
        weight: 5,
        arbitrary: fc
          .tuple(fc.nat(5), fc.option(key))
          .map(([book, one]) => ({ does: 'update', book, key: one }) as const),
      },
      { weight: 2, arbitrary: fc.nat(5).map((book) => ({ does: 'delete', book }) as const) },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.nat(5), fc.record({ key }, { requiredKeys: [] }))
          .map(([book, given]) => ({ does: 'restore', book, given }) as const),
      },
    );
    let changes = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 2, maxLength: 3 }),
        fc.array(fc.nat(6), { minLength: 1, maxLength: 12 }),
        async (writers, turns) => {
          eventStore = createInMemoryEventStore();
          const books: PriceBookId[] = [await create(start()), await create(start())];
          await Promise.all(
            writers.map(async (steps, place) => {
              const priceBooks = start(unsteady(eventStore, [...turns, place]));
              for (const one of steps) {
                const id = one.does === 'create' ? undefined : books[one.book % books.length];
                if (one.does === 'create') {
                  const created = await priceBooks.create({ name: 'A', key: one.key }, caller)();
                  if (E.isRight(created)) books.push(created.right.priceBook.priceBookId);
                  changes += E.isRight(created) ? 1 : 0;
                } else if (id !== undefined) {
                  const done: E.Either<unknown, unknown> =
                    one.does === 'update'
                      ? await priceBooks.update(id, { key: one.key }, caller)()
                      : one.does === 'restore'
                        ? await priceBooks.restore(id, one.given, caller)()
                        : await priceBooks.delete(id, caller)();
                  changes += E.isRight(done) ? 1 : 0;
                }
              }
            }),
          );
          for (const close of closing.splice(0)) await close();
          expect(await doubles()).to.deep.equal([]);
        },
      ),
      { numRuns: 60 },
    );
    expect(changes).to.be.greaterThan(100);
  }).timeout(20_000);
});
