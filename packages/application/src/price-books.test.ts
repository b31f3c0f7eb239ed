import { randomBytes } from 'node:crypto';
import type { PriceBookId } from '@pricebook/domain';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import { v4, v7 } from 'uuid';
import { createInMemoryEventStore } from './in-memory/event-store';
import { createInMemoryReadModel } from './in-memory/read-model';
import type { EventStore } from './ports/event-store';
import { createPriceBooks } from './price-books';
import { startProjector } from './projection/projector';

const ids = { newPriceBookId: () => v7() as PriceBookId, newCommandId: () => v4(), randomBytes };
const caller = { actor: 'key-1', requestId: 'request-1' };

/** A clock that goes on by a second with each look. */
const ticking = () => {
  let seconds = 0;
  return { now: () => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds++)).toISOString() };
};

/** Use cases over stores in memory whose read side is as far behind as a test says. */
const start = ({ isBehind }: { isBehind: () => boolean }) => {
  const eventStore = createInMemoryEventStore();
  const readModel = createInMemoryReadModel();
  const projector = startProjector(eventStore, readModel, () => undefined);
  const priceBooks = createPriceBooks({
    eventStore,
    // A read side that is behind still says what it knew before.
    readModel: {
      ...readModel,
      findPriceBook: (id) => (isBehind() ? TE.right(undefined) : readModel.findPriceBook(id)),
    },
    readSide: {
      waitFor: (position, timeoutMs) =>
        isBehind() ? Promise.resolve(false) : projector.waitFor(position, timeoutMs),
    },
    clock: ticking(),
    ids,
  });
  return { eventStore, priceBooks, close: projector.close };
};

const right = <A>(result: E.Either<unknown, A>): A => {
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left));
  return result.right;
};

describe('the use cases while the read side is behind', () => {
  it('answer a creation and an update with the book as it is after them, and say so', async () => {
    const { priceBooks, close } = start({ isBehind: () => true });
    const created = right(await priceBooks.create({ name: 'A', description: 'about' }, caller)());
    expect(created.projectionBehind).to.equal(true);
    const { priceBookId } = created.priceBook;
    expect(created.priceBook).to.deep.equal({
      priceBookId,
      revision: 0,
      name: 'A',
      description: 'about',
      basePriceBookIds: [],
      nameRevision: 0,
      descriptionRevision: 0,
      key: null,
      keyRevision: 0,
      metadata: {},
      metadataRevision: 0,
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
    });
    const updated = right(await priceBooks.update(priceBookId, { name: 'B' }, caller)());
    expect(updated).to.deep.equal({
      priceBook: {
        ...created.priceBook,
        revision: 1,
        nameRevision: 1,
        name: 'B',
        updatedAt: '2026-01-01T00:00:01.000Z',
      },
      projectionBehind: true,
    });
    await close();
  });

  it('answer a write of prices as done', async () => {
    const { priceBooks, close } = start({ isBehind: () => true });
    const { priceBookId } = right(await priceBooks.create({ name: 'A' }, caller)()).priceBook;
    const command = { _tag: 'SetProductPrices', items: [] } as const;
    expect(right(await priceBooks.setPrices(priceBookId, command, caller)())).to.include({
      projectionBehind: false,
    });
    const outcome = right(await priceBooks.deleteEntries(priceBookId, ['P' as never], caller)());
    expect(outcome).to.deep.equal({
      priceBookId,
      revision: 1,
      updatedAt: '2026-01-01T00:00:03.000Z',
      projectionBehind: true,
    });
    await close();
  });

  it('do not delete a book, which could be the base of one that is not to be seen yet', async () => {
    let isBehind = false;
    const { eventStore, priceBooks, close } = start({ isBehind: () => isBehind });
    const { priceBookId } = right(await priceBooks.create({ name: 'A' }, caller)()).priceBook;
    isBehind = true;
    expect(await priceBooks.delete(priceBookId, caller)()).to.deep.equal(E.left({ _tag: 'ReadSideBehind' }));
    const events = right(
      await eventStore.read(`priceBook-${priceBookId}`, { direction: 'forwards', limit: 9 })(),
    );
    expect(events).to.have.length(1);
    isBehind = false;
    expect(E.isRight(await priceBooks.delete(priceBookId, caller)())).to.equal(true);
    await close();
  });

  it('take the base of a new book from its stream', async () => {
    const { priceBooks, close } = start({ isBehind: () => true });
    const base = right(await priceBooks.create({ name: 'base' }, caller)()).priceBook.priceBookId;
    const derived = right(await priceBooks.create({ name: 'A', basePriceBookId: base }, caller)()).priceBook;
    expect(derived.basePriceBookIds).to.deep.equal([base]);
    const below = right(
      await priceBooks.create({ name: 'B', basePriceBookId: derived.priceBookId }, caller)(),
    ).priceBook;
    expect(below.basePriceBookIds).to.deep.equal([derived.priceBookId, base]);
    await close();
  });
});

describe('a write', () => {
  it('is answered when the read side has applied it, and not before', async () => {
    const [eventStore, readModel] = [createInMemoryEventStore(), createInMemoryReadModel()];
    let apply: (reached: boolean) => void = () => undefined;
    const waited: bigint[] = [];
    const waitFor = (position: bigint): Promise<boolean> => {
      waited.push(position);
      return new Promise((resolve) => (apply = resolve));
    };
    const priceBooks = createPriceBooks({
      eventStore,
      readModel,
      readSide: { waitFor },
      clock: ticking(),
      ids,
    });
    let isAnswered = false;
    const answer = priceBooks
      .create({ name: 'A' }, caller)()
      .finally(() => (isAnswered = true));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(right(await eventStore.head()())).to.equal(1n);
    expect([waited, isAnswered]).to.deep.equal([[1n], false]);
    apply(true);
    expect(right(await answer).projectionBehind).to.equal(false);
  });

  it('is answered as done when the read side fails right after it', async () => {
    const [eventStore, readModel] = [createInMemoryEventStore(), createInMemoryReadModel()];
    const priceBooks = createPriceBooks({
      eventStore,
      readModel: { ...readModel, findPriceBook: () => TE.left({ _tag: 'StoreUnavailable', reason: 'down' }) },
      readSide: { waitFor: () => Promise.resolve(true) },
      clock: ticking(),
      ids,
    });
    expect(right(await priceBooks.create({ name: 'A' }, caller)()).priceBook).to.include({
      name: 'A',
      revision: 0,
    });
  });
});

describe('the use cases with a long history', () => {
  it('answer an update from the stream, page by page, where the read side cannot', async () => {
    const { priceBooks, close } = start({ isBehind: () => true });
    const { priceBookId } = right(await priceBooks.create({ name: '0' }, caller)()).priceBook;
    await Promise.all(
      Array.from({ length: 1_200 }, (_, i) =>
        priceBooks.deleteEntries(priceBookId, [`P${String(i)}` as never], caller)(),
      ),
    );
    const { priceBook } = right(await priceBooks.update(priceBookId, { name: 'last' }, caller)());
    expect(priceBook).to.deep.include({
      revision: 1_201,
      name: 'last',
      createdAt: '2026-01-01T00:00:00.000Z',
    });
    await close();
  });

  it('answer many updates at once with the book as each left it, and read no history for that', async () => {
    const eventStore = createInMemoryEventStore();
    const readModel = createInMemoryReadModel();
    const reads: string[] = [];
    const watched: EventStore = {
      ...eventStore,
      read: (stream, options) => {
        reads.push(options.direction);
        return eventStore.read(stream, options);
      },
    };
    const projector = startProjector(eventStore, readModel, () => undefined);
    const parts = { eventStore: watched, readModel, readSide: projector, clock: ticking(), ids };
    const priceBooks = createPriceBooks(parts);
    const { priceBookId } = right(await priceBooks.create({ name: 'A' }, caller)()).priceBook;
    const update = async (changes: { name?: string; description?: string }) =>
      right(await priceBooks.update(priceBookId, changes, caller)()).priceBook;
    const renamed = await Promise.all(Array.from({ length: 100 }, (_, n) => update({ name: String(n) })));
    expect(renamed.map(({ name, revision }) => [name, revision])).to.deep.equal(
      Array.from({ length: 100 }, (_, n) => [String(n), n + 1]),
    );
    expect(reads).to.deep.equal(['backwards']);
    // What others changed later, and a write did not give, the stream tells.
    const [nothing, described, named] = await Promise.all([
      update({}),
      update({ description: 'about' }),
      update({ name: 'last' }),
    ]);
    expect(
      [nothing, described, named].map(({ name, description, revision }) => [name, description, revision]),
    ).to.deep.equal([
      ['99', '', 100],
      ['99', 'about', 101],
      ['last', 'about', 102],
    ]);
    await projector.close();
  });

  it('read the same few events for a command, however long the history is', async () => {
    const eventStore = createInMemoryEventStore();
    const readModel = createInMemoryReadModel();
    const limits: number[] = [];
    const watched: EventStore = {
      ...eventStore,
      read: (stream, options) => {
        limits.push(options.limit);
        return eventStore.read(stream, options);
      },
    };
    const projector = startProjector(eventStore, readModel, () => undefined);
    const parts = { eventStore: watched, readModel, readSide: projector, clock: ticking(), ids };
    const { priceBookId } = right(await createPriceBooks(parts).create({ name: 'A' }, caller)()).priceBook;
    for (let i = 0; i < 50; i += 1)
      await createPriceBooks(parts).update(priceBookId, { name: String(i) }, caller)();
    limits.length = 0;
    await createPriceBooks(parts).update(priceBookId, { name: 'last' }, caller)();
    expect(limits).to.deep.equal([1]);
    await projector.close();
  });
});
