/** Requests with an idempotency key, on instances that share their events and have a read side each. */
import { randomBytes } from 'node:crypto';
import type { PriceBookId, ProductId } from '@pricebook/domain';
import { expect } from 'chai';
import fc from 'fast-check';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import { v4, v7 } from 'uuid';
import { createChainCheck } from '../hash-chain';
import { createInMemoryEventStore } from '../in-memory/event-store';
import { createInMemoryReadModel } from '../in-memory/read-model';
import type { EventStore } from '../ports/event-store';
import { type Caller, createPriceBooks, type PriceBooks } from '../price-books';
import { startProjector } from '../projection/projector';

const ids = { newPriceBookId: () => v7() as PriceBookId, newCommandId: () => v4(), randomBytes };
const caller: Caller = { actor: 'key-1', requestId: 'request-1' };
const HOUR_MS = 3_600_000;

/** What a request comes to: a success, or the tag of its refusal. */
type Answer = E.Either<{ readonly _tag: string }, unknown>;
/** A request, as it is carried out for whoever sends it. */
type Write = (priceBooks: PriceBooks, by: Caller) => TE.TaskEither<{ readonly _tag: string }, unknown>;

const create: Write = (priceBooks, by) => priceBooks.create({ name: 'A' }, by);
const rename =
  (name: string) =>
  (id: PriceBookId): Write =>
  (priceBooks, by) =>
    priceBooks.update(id, { name }, by);
const setPrices =
  (id: PriceBookId): Write =>
  (priceBooks, by) => {
    const adjustments = { USD: { type: 'override', amount: 1 } } as const;
    const items = [{ productId: 'P' as ProductId, adjustments }];
    return priceBooks.setPrices(id, { _tag: 'SetProductPrices', items }, by);
  };
const deleteEntries =
  (id: PriceBookId): Write =>
  (priceBooks, by) =>
    priceBooks.deleteEntries(id, ['P' as ProductId], by);
const remove =
  (id: PriceBookId): Write =>
  (priceBooks, by) =>
    priceBooks.delete(id, by);

const writes: readonly (readonly [name: string, write: (id: PriceBookId) => Write])[] = [
  ['a creation', () => create],
  ['an update', rename('B')],
  ['setting prices', setPrices],
  ['deleting entries', deleteEntries],
  ['a deletion', remove],
];

const right = <A>(result: E.Either<unknown, A>): A => {
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left));
  return result.right;
};

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

interface World {
  readonly eventStore: EventStore;
  readonly clock: ReturnType<typeof settable>;
}

interface Options {
  readonly isBehind?: () => boolean;
  readonly beforeApply?: () => Promise<unknown>;
}

/** Starts instances over the same events; those of the test are closed after it. */
const createInstances = () => {
  const closing: (() => Promise<void>)[] = [];
  return {
    start: (
      { eventStore, clock }: World,
      { isBehind = () => false, beforeApply = () => Promise.resolve() }: Options = {},
    ): PriceBooks => {
      const readModel = createInMemoryReadModel();
      const apply: typeof readModel.apply =
        (...given) =>
        async () => {
          await beforeApply();
          return readModel.apply(...given)();
        };
      const projector = startProjector(eventStore, { ...readModel, apply }, () => undefined);
      closing.push(projector.close);
      const waitFor: typeof projector.waitFor = (position, timeoutMs) =>
        isBehind() ? Promise.resolve(false) : projector.waitFor(position, timeoutMs);
      return createPriceBooks({ eventStore, readModel, readSide: { waitFor }, clock, ids });
    },
    closeAll: async () => {
      for (const close of closing.splice(0)) await close();
    },
  };
};

const send = (
  priceBooks: PriceBooks,
  write: Write,
  { key = 'k', request = 'r', by = caller }: { key?: string; request?: string; by?: Caller } = {},
): Promise<Answer> =>
  priceBooks.once(by, { key, request }, (whom) =>
    pipe(
      write(priceBooks, whom),
      // Whether it could be read at once is no part of the answer.
      TE.map((answer) => ({ ...(answer as object), projectionBehind: undefined })),
    ),
  )();

const eventsIn = async (eventStore: EventStore, prefix = 'priceBook-') =>
  right(await eventStore.readAll(undefined, 10_000)()).filter(({ stream }) => stream.startsWith(prefix));

/** All streams, those of reservations too. */
const chainFaultsIn = async (eventStore: EventStore) => {
  const { add, heads } = createChainCheck();
  const faults = (await eventsIn(eventStore, '')).flatMap((event) => add(event) ?? []);
  expect([...heads.values()].every(({ isHashed }) => isHashed)).to.equal(true);
  return faults;
};

describe('a write with an idempotency key', () => {
  const instances = createInstances();
  let world: World;
  beforeEach(() => {
    world = { eventStore: createInMemoryEventStore(), clock: settable() };
  });
  afterEach(instances.closeAll);

  const count = async (prefix?: string): Promise<number> => (await eventsIn(world.eventStore, prefix)).length;

  /** A book with a price. */
  const givenBook = async (priceBooks: PriceBooks): Promise<PriceBookId> => {
    const { priceBookId } = right(await priceBooks.create({ name: 'given' }, caller)()).priceBook;
    right(await setPrices(priceBookId)(priceBooks, caller)());
    return priceBookId;
  };

  for (const [name, write] of writes) {
    describe(name, () => {
      it('acts once and answers alike, sent six times at once to two instances', async () => {
        const [first, second] = [instances.start(world), instances.start(world)];
        const id = await givenBook(first);
        const before = await count();
        const answers = await Promise.all(
          [first, second, first, second, second, first].map((one) => send(one, write(id))),
        );
        expect(await count()).to.equal(before + 1);
        expect(E.isRight(answers[0] ?? E.left(undefined))).to.equal(true);
        for (const answer of answers) expect(answer).to.deep.equal(answers[0]);
      });

      it('answers alike when the book has moved on, is gone, and was expected to be at a revision', async () => {
        const [first, second] = [instances.start(world), instances.start(world)];
        const id = await givenBook(first);
        const by = { ...caller, expectedRevisions: [1] };
        const answer = await send(first, write(id), { by });
        expect(E.isRight(answer), JSON.stringify(answer)).to.equal(true);
        const made = name === 'a creation' ? answer : E.right({ priceBook: { priceBookId: id } });
        const book = (right(made) as { priceBook: { priceBookId: PriceBookId } }).priceBook.priceBookId;
        const acts = [rename('C')(book), setPrices(book), remove(book)];
        for (const act of name === 'a deletion' ? [] : acts) {
          right(await act(second, caller)());
          for (const one of [first, second]) {
            expect(await send(one, write(id), { by })).to.deep.equal(answer);
          }
        }
        expect(await send(second, write(id), { by })).to.deep.equal(answer);
      });

      it('is remembered for 24 hours, and then acts anew', async () => {
        const [first, second] = [instances.start(world), instances.start(world)];
        const id = await givenBook(first);
        const answer = await send(first, write(id));
        world.clock.goOn(24 * HOUR_MS - 1_000);
        expect(await send(second, write(id))).to.deep.equal(answer);
        expect(await send(second, write(id), { request: 'another' })).to.deep.equal(
          E.left({ _tag: 'IdempotencyKeyReused' }),
        );
        world.clock.goOn(2_000);
        const before = await count();
        const anew = await Promise.all([first, second, second].map((one) => send(one, write(id))));
        if (name === 'a deletion') {
          expect(anew[0]).to.deep.equal(E.left({ _tag: 'PriceBookNotFound' }));
          return;
        }
        expect(await count()).to.equal(before + 1);
        expect(anew[0]).not.to.deep.equal(answer);
        expect(await chainFaultsIn(world.eventStore)).to.deep.equal([]);
        for (const one of anew) expect(one).to.deep.equal(anew[0]);
      });

      it('is found when the process has ended between append and answer', async () => {
        const given = instances.start(world);
        const id = await givenBook(given);
        let isCut = true;
        const cut: EventStore = {
          ...world.eventStore,
          append: (stream, expected, events) =>
            pipe(
              world.eventStore.append(stream, expected, events),
              TE.chain((appended) =>
                isCut && stream.startsWith('priceBook-')
                  ? TE.left({ _tag: 'StoreUnavailable', reason: 'cut' })
                  : TE.right(appended),
              ),
            ),
        };
        const dying = instances.start({ ...world, eventStore: cut });
        const before = await count();
        expect(await send(dying, write(id))).to.deep.include({ _tag: 'Left' });
        expect(await count()).to.equal(before + 1);
        isCut = false;
        const answers = [await send(instances.start(world), write(id)), await send(dying, write(id))];
        expect(E.isRight(answers[0] ?? E.left(undefined)), JSON.stringify(answers)).to.equal(true);
        expect(answers[1]).to.deep.equal(answers[0]);
        expect(await count()).to.equal(before + 1);
      });

      it('has nothing to do with the same key of another caller', async () => {
        const one = instances.start(world);
        const id = await givenBook(one);
        right(await send(one, write(id)));
        const before = await count();
        const other = await send(one, write(id), { by: { ...caller, actor: 'key-2' } });
        expect([E.isRight(other), await count()]).to.deep.equal(
          name === 'a deletion' ? [false, before] : [true, before + 1],
        );
      });

      it('is refused where the read side is behind, which might know of it', async () => {
        let isBehind = false;
        const one = instances.start(world, { isBehind: () => isBehind });
        const id = await givenBook(one);
        isBehind = true;
        const before = await count();
        expect(await send(one, write(id))).to.deep.equal(E.left({ _tag: 'ReadSideBehind' }));
        expect(await count()).to.equal(before);
        isBehind = false;
        right(await send(one, write(id)));
      });
    });
  }

  it('is refused under the key of another request, on any instance, and does not act', async () => {
    const [first, second] = [instances.start(world), instances.start(world)];
    const id = await givenBook(first);
    right(await send(first, setPrices(id)));
    const before = await count('');
    for (const [, write] of writes) {
      for (const one of [first, second]) {
        expect(await send(one, write(id), { request: 'another' })).to.deep.equal(
          E.left({ _tag: 'IdempotencyKeyReused' }),
        );
      }
    }
    expect(await count('')).to.equal(before);
  });

  it('is not remembered where it is refused, so that the key may be used for what is put right', async () => {
    const one = instances.start(world);
    const id = await givenBook(one);
    right(await one.create({ name: 'derived', basePriceBookId: id }, caller)());
    const stale = { ...caller, expectedRevisions: [0] };
    const refusals: readonly (readonly [Write, Caller, string])[] = [
      [setPrices(id), stale, 'RevisionMismatch'],
      [remove(id), caller, 'PriceBookInUse'],
      [rename('B')(v7() as PriceBookId), caller, 'PriceBookNotFound'],
      [
        (priceBooks, by) => priceBooks.create({ name: 'A', basePriceBookId: v7() as PriceBookId }, by),
        caller,
        'BasePriceBookNotFound',
      ],
    ];
    const before = await count('');
    for (const [write, by, tag] of refusals) {
      expect(await send(one, write, { by })).to.have.nested.property('left._tag', tag);
    }
    expect(await count('')).to.equal(before);
    right(await send(one, setPrices(id), { request: 'put right' }));
  });

  it('that changes nothing is not remembered', async () => {
    const one = instances.start(world);
    const id = await givenBook(one);
    const nothing: Write = (priceBooks, by) => priceBooks.update(id, {}, by);
    right(await send(one, nothing));
    right(await send(one, rename('B')(id), { request: 'another' }));
  });

  it('acts anew after 24 hours, also where an instance remembers the book from before', async () => {
    const [first, second] = [instances.start(world), instances.start(world)];
    const id = await givenBook(first);
    right(await send(second, rename('B')(id)));
    right(await rename('C')(id)(second, caller)());
    world.clock.goOn(24 * HOUR_MS);
    right(await send(first, rename('B')(id)));
    const names = (await eventsIn(world.eventStore)).map(({ data }) => (data as { name?: string }).name);
    expect(names).to.deep.equal(['given', undefined, 'B', 'C', 'B']);
  });

  it('that another instance makes meanwhile is answered when it can be read, or says that it cannot', async () => {
    for (const [name, write] of writes) {
      const [first, givenBy] = [instances.start(world), instances.start(world)];
      const id = await givenBook(givenBy);
      const waitedFor: unknown[] = [];
      let isOverheard = false;
      let madeAt: unknown;
      // The first makes it just before the other appends: to the book, or the reservation of its id.
      const eventStore: EventStore = {
        ...world.eventStore,
        append:
          (...given) =>
          async () => {
            if (!isOverheard) {
              isOverheard = true;
              right(await send(first, write(id), { key: name }));
              madeAt = right(await world.eventStore.head()());
            }
            return world.eventStore.append(...given)();
          },
      };
      const readModel = createInMemoryReadModel();
      const projector = startProjector(world.eventStore, readModel, () => undefined);
      const other = createPriceBooks({
        ...world,
        eventStore,
        readModel,
        readSide: {
          waitFor: async (position, timeoutMs) => {
            if (!isOverheard) return projector.waitFor(position, timeoutMs);
            waitedFor.push(position);
            return false;
          },
        },
        ids,
      });
      const answer = await other.once(caller, { key: name, request: 'r' }, (by) => write(id)(other, by))();
      expect(answer, name).to.have.nested.property('right.projectionBehind', true);
      expect(waitedFor, name).to.deep.equal([madeAt]);
      await projector.close();
    }
  });

  it('does not read on from where an instance remembers the book', async () => {
    const reads: string[] = [];
    const counting: EventStore = {
      ...world.eventStore,
      read: (stream, options) => {
        reads.push(options.direction);
        return world.eventStore.read(stream, options);
      },
    };
    const [first, second] = [instances.start({ ...world, eventStore: counting }), instances.start(world)];
    const id = await givenBook(first);
    for (let n = 0; n < 100; n += 1) right(await setPrices(id)(second, caller)());
    reads.length = 0;
    right(await send(first, setPrices(id)));
    right(await setPrices(id)(second, caller)());
    // A refusal proves nothing of what is remembered, either.
    const stale = { ...caller, expectedRevisions: [102] };
    expect(await send(first, setPrices(id), { key: 'other', by: stale })).to.have.nested.property(
      'left.actual',
      103,
    );
    expect(reads.filter((direction) => direction === 'forwards')).to.have.length(0);
  });

  it('goes on beside others that have none, in the same append', async () => {
    const one = instances.start(world);
    const id = await givenBook(one);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        n % 2 === 0 ? send(one, setPrices(id), { key: String(n) }) : setPrices(id)(one, caller)(),
      ),
    );
    expect(new Set(answers.map((answer) => (right(answer) as { revision: number }).revision)).size).to.equal(
      20,
    );
  });

  it('does not take writes without a key with it where it is refused', async () => {
    let isBehind = false;
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let isSlow = false;
    const slow: EventStore = {
      ...world.eventStore,
      append: (stream, expected, events) => async () => {
        if (isSlow) await released;
        return world.eventStore.append(stream, expected, events)();
      },
    };
    const one = instances.start({ ...world, eventStore: slow }, { isBehind: () => isBehind });
    const id = await givenBook(one);
    isSlow = true;
    const first = setPrices(id)(one, caller)();
    const waiting = [send(one, setPrices(id)), setPrices(id)(one, caller)()];
    // The keyed one has been looked up once, and waits behind the first.
    await new Promise((resolve) => setTimeout(resolve, 20));
    isBehind = true;
    release();
    const [keyed, plain] = await Promise.all(waiting);
    expect([E.isRight(await first), keyed, plain?._tag]).to.deep.equal([
      true,
      E.left({ _tag: 'ReadSideBehind' }),
      'Right',
    ]);
  });
});

describe('the creation of a book with an idempotency key', () => {
  const instances = createInstances();
  let world: World;
  beforeEach(() => {
    world = { eventStore: createInMemoryEventStore(), clock: settable() };
  });
  afterEach(instances.closeAll);

  const idOf = (answer: Answer): string =>
    (right(answer) as { priceBook: { priceBookId: string } }).priceBook.priceBookId;

  /** A store whose appends to books fail, as those of a process that has ended after it had reserved an id. */
  const withoutBooks = (eventStore: EventStore): EventStore => ({
    ...eventStore,
    append: (stream, expected, events) =>
      stream.startsWith('priceBook-')
        ? TE.left({ _tag: 'StoreUnavailable', reason: 'cut' })
        : eventStore.append(stream, expected, events),
  });

  it('goes on under the id that was reserved before its process ended, however long ago', async () => {
    for (const hours of [0, 23, 25]) {
      const key = `${String(hours)} hours`;
      const dying = instances.start({ ...world, eventStore: withoutBooks(world.eventStore) });
      expect(E.isLeft(await send(dying, create, { key }))).to.equal(true);
      const reservations = await eventsIn(world.eventStore, 'priceBookReservation-');
      world.clock.goOn(hours * HOUR_MS);
      const answers = await Promise.all(
        [instances.start(world), instances.start(world)].map((one) => send(one, create, { key })),
      );
      const reserved = (reservations.at(-1)?.data as { priceBookId: string }).priceBookId;
      expect(answers.map(idOf)).to.deep.equal([reserved, reserved]);
      expect(await eventsIn(world.eventStore, 'priceBookReservation-')).to.have.length(reservations.length);
    }
  });

  it('answers from the stream of the book where the read side does not remember it', async () => {
    const first = instances.start(world);
    const answer = await send(first, create);
    const readModel = createInMemoryReadModel();
    const forgetful = createPriceBooks({
      ...world,
      readModel: { ...readModel, findRemembered: () => TE.right(undefined) },
      readSide: { waitFor: () => Promise.resolve(true) },
      ids,
    });
    expect(await send(forgetful, create)).to.deep.equal(answer);
    expect(await eventsIn(world.eventStore)).to.have.length(1);
  });

  it('names no reservation that it cannot read, and makes no book', async () => {
    const first = instances.start({ ...world, eventStore: withoutBooks(world.eventStore) });
    await send(first, create);
    const [reservation] = await eventsIn(world.eventStore, 'priceBookReservation-');
    if (reservation === undefined) throw new Error('nothing was reserved');
    const { stream, metadata } = reservation;
    const unknown = { id: v4(), type: 'PriceBookIdReserved', data: { priceBookId: 'none' }, metadata };
    right(await world.eventStore.append(stream, 0, [unknown])());
    expect(await send(instances.start(world), create)).to.have.nested.property(
      'left._tag',
      'UndecodableEvent',
    );
    expect(await eventsIn(world.eventStore)).to.have.length(0);
  });
});

describe('writes with idempotency keys, whatever happens at once', () => {
  /** What a client does about a request: to which instance it sends it, one try after the other. */
  interface Sending {
    readonly write: number;
    readonly instance: number;
  }
  /** What becomes of an append: it may also come to the store when nobody waits for it any more. */
  type Fate = 'kept' | 'lost' | 'answer lost' | 'late';

  it('act once each, and every success of one is alike', async () => {
    const sendings = fc.array(fc.record<Sending>({ write: fc.nat(writes.length - 2), instance: fc.nat(2) }), {
      minLength: 2,
      maxLength: 7,
    });
    const fates = fc.infiniteStream(
      fc.oneof(
        { weight: 6, arbitrary: fc.constant<Fate>('kept') },
        fc.constantFrom<Fate>('lost', 'answer lost', 'late'),
      ),
    );
    await fc.assert(
      fc.asyncProperty(sendings, fates, fc.scheduler(), fc.nat(3), async (all, fate, scheduler, others) => {
        const instances = createInstances();
        const inMemory = createInMemoryEventStore();
        const clock = settable();
        const appends: Promise<unknown>[] = [];
        const later = <A>(task: () => Promise<A>, what: string) =>
          scheduler.schedule(Promise.resolve(), what).then(task);
        const eventStore: EventStore = {
          ...inMemory,
          read: (stream, options) => () => later(inMemory.read(stream, options), 'read'),
          head: () => () => later(inMemory.head(), 'head'),
          append: (stream, expected, events) => async () => {
            const happens = fate.next().value as Fate;
            const cut = E.left({ _tag: 'StoreUnavailable', reason: happens } as const);
            if (happens === 'lost') return later(() => Promise.resolve(cut), 'append');
            const appending = later(inMemory.append(stream, expected, events), 'append');
            appends.push(appending);
            if (happens === 'late') return cut;
            const appended = await appending;
            await scheduler.schedule(Promise.resolve(), 'answer');
            return happens === 'kept' ? appended : cut;
          },
        };
        const quiet = { eventStore: inMemory, clock };
        const id = right(await instances.start(quiet).create({ name: 'A' }, caller)()).priceBook.priceBookId;
        const beforeApply = () => scheduler.schedule(Promise.resolve(), 'apply');
        const started = [0, 1, 2].map(() => instances.start({ eventStore, clock }, { beforeApply }));
        const untilDone = async ({ write, instance }: Sending): Promise<readonly [number, unknown]> => {
          for (;;) {
            const priceBooks = started[instance] ?? instances.start(quiet);
            const request = writes[write]?.[1](id) ?? create;
            const answer = await send(priceBooks, request, { key: String(write), request: String(write) });
            if (E.isRight(answer)) return [write, answer.right];
            expect(answer.left._tag).to.be.oneOf(['StoreUnavailable', 'TooManyConflicts']);
          }
        };
        const disturb = async (): Promise<void> => {
          for (let n = 0; n < others; n += 1) {
            const priceBooks = started[n % started.length];
            if (priceBooks !== undefined) await rename(String(n))(id)(priceBooks, caller)();
          }
        };
        try {
          const [answers] = await scheduler.waitFor(
            Promise.all([Promise.all(all.map(untilDone)), disturb()]),
          );
          await scheduler.waitFor(Promise.all(appends));
          const keys = (await eventsIn(inMemory)).flatMap(({ metadata }) => {
            const { idempotency } = metadata as { idempotency?: { key: string } };
            return idempotency === undefined ? [] : [idempotency.key];
          });
          expect(await chainFaultsIn(inMemory)).to.deep.equal([]);
          expect(keys.sort()).to.deep.equal([...new Set(all.map(({ write }) => String(write)))].sort());
          for (const [write, answer] of answers) {
            expect(answer).to.deep.equal(answers.find(([other]) => other === write)?.[1]);
          }
        } finally {
          await scheduler.waitFor(instances.closeAll());
        }
      }),
      { numRuns: 60 },
    );
  }).timeout(60_000);
});
