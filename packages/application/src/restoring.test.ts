/** Restoring deleted books, on instances that share their events and have a read side each. */
import { randomBytes } from 'node:crypto';
import type { PriceBookId } from '@pricebook/domain';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import { v4, v7 } from 'uuid';
import { createInMemoryEventStore } from './in-memory/event-store';
import { createInMemoryReadModel } from './in-memory/read-model';
import type { EventStore } from './ports/event-store';
import { type Caller, createPriceBooks, type PriceBooks } from './price-books';
import { startProjector } from './projection/projector';

const ids = { newPriceBookId: () => v7() as PriceBookId, newCommandId: () => v4(), randomBytes };
const caller: Caller = { actor: 'key-1', requestId: 'request-1' };

const ticking = () => {
  let seconds = 0;
  return { now: () => new Date(Date.UTC(2026, 0, 1, 0, 0, (seconds += 1))).toISOString() };
};

const right = <A>(result: E.Either<unknown, A>): A => {
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left));
  return result.right;
};

describe('restoring a price book', () => {
  const closing: (() => Promise<void>)[] = [];
  let eventStore: EventStore;
  let clock: ReturnType<typeof ticking>;
  beforeEach(() => {
    eventStore = createInMemoryEventStore();
    clock = ticking();
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });

  /** @param isBehind whether the answers come before the read side has what was written. */
  const start = (isBehind = () => false): PriceBooks => {
    const readModel = createInMemoryReadModel();
    const projector = startProjector(eventStore, readModel, () => undefined);
    closing.push(projector.close);
    return createPriceBooks({
      eventStore,
      readModel,
      readSide: {
        waitFor: (position, timeoutMs) =>
          isBehind() ? Promise.resolve(false) : projector.waitFor(position, timeoutMs),
      },
      clock,
      ids,
    });
  };

  const create = async (
    priceBooks: PriceBooks,
    given: { readonly key?: string; readonly basePriceBookId?: PriceBookId } = {},
  ): Promise<PriceBookId> =>
    right(await priceBooks.create({ name: 'A', ...given }, caller)()).priceBook.priceBookId;

  const typesIn = async (stream: string): Promise<readonly string[]> =>
    right(await eventStore.read(stream, { direction: 'forwards', limit: 100 })()).map(({ type }) => type);

  it('answers with the book that it was, which every instance has again', async () => {
    const [first, second] = [start(), start()];
    const id = await create(first, { key: 'retail' });
    right(await first.update(id, { description: 'x', metadata: { owner: 'y' } }, caller)());
    const before = right(await first.find(id)());
    right(await second.delete(id, caller)());
    const { priceBook } = right(await first.restore(id, {}, caller)());
    expect(priceBook).to.deep.equal({ ...before, revision: 3, updatedAt: priceBook.updatedAt });
    right(await second.update(id, {}, caller)());
    expect(right(await first.find(id)())).to.deep.equal(priceBook);
    expect(right(await first.idOfKey('retail')())).to.equal(id);
  });

  it('claims the key that it had, or the one that is given, and refuses one that is taken', async () => {
    const [first, second] = [start(), start()];
    const id = await create(first, { key: 'retail' });
    right(await first.delete(id, caller)());
    const other = await create(second, { key: 'retail' });
    const taken = { _tag: 'PriceBookKeyTaken', key: 'retail', priceBookId: other, isPending: false };
    expect(await first.restore(id, {}, caller)()).to.deep.equal(E.left(taken));
    expect(await first.restore(id, { key: 'retail' }, caller)()).to.deep.equal(E.left(taken));
    expect(right(await first.restore(id, { key: 'b2b' }, caller)()).priceBook.key).to.equal('b2b');
    expect(await typesIn('priceBookKey-b2b')).to.deep.equal(['PriceBookKeyClaimed', 'PriceBookKeySettled']);
    right(await first.delete(id, caller)());
    expect(right(await first.restore(id, { key: null }, caller)()).priceBook.key).to.equal(null);
    right(await first.delete(id, caller)());
    expect(right(await first.restore(id, {}, caller)()).priceBook.key).to.equal(null);
  });

  it('is refused where there is nothing to restore, or the base is deleted, and then claims nothing', async () => {
    const priceBooks = start();
    const base = await create(priceBooks);
    const id = await create(priceBooks, { key: 'retail', basePriceBookId: base });
    const restore = (book: PriceBookId, given = {}, expectedRevisions?: readonly number[]) =>
      priceBooks.restore(book, given, { ...caller, expectedRevisions })();
    const stale = E.left({ _tag: 'RevisionMismatch', actual: 0 });
    expect(await restore(id)).to.deep.equal(E.left({ _tag: 'PriceBookNotDeleted' }));
    expect(await restore(id, { key: 'b2b' })).to.deep.equal(E.left({ _tag: 'PriceBookNotDeleted' }));
    expect(await restore(id, {}, [7])).to.deep.equal(stale);
    expect(await restore(ids.newPriceBookId())).to.deep.equal(E.left({ _tag: 'PriceBookNotFound' }));
    right(await priceBooks.delete(id, caller)());
    right(await priceBooks.delete(base, caller)());
    const gone = E.left({ _tag: 'BasePriceBookDeleted', basePriceBookId: base });
    expect(await restore(id)).to.deep.equal(gone);
    expect(await restore(id, { key: 'b2b' })).to.deep.equal(gone);
    expect(await restore(id, { key: 'b2b' }, [0])).to.deep.equal(
      E.left({ _tag: 'RevisionMismatch', actual: 1 }),
    );
    expect(await typesIn('priceBookKey-b2b')).to.deep.equal([]);
    right(await restore(base));
    right(await restore(id, {}, [1]));
  });

  it('is done once where it is sent several times, and answered alike', async () => {
    const [first, second] = [start(), start()];
    const id = await create(first, { key: 'retail' });
    right(await first.delete(id, caller)());
    const send = (priceBooks: PriceBooks) =>
      priceBooks.once(caller, { key: 'k', request: 'r' }, (whom) => priceBooks.restore(id, {}, whom))();
    const answers = await Promise.all([first, second, first].map(send));
    const books = answers.map((answer) => right(answer).priceBook);
    for (const one of books) expect(one).to.deep.equal(books[0]);
    right(await first.update(id, { key: null }, caller)());
    right(await first.delete(id, caller)());
    expect(right(await send(second)).priceBook).to.deep.equal(books[0]);
    expect(await typesIn(`priceBook-${id}`)).to.deep.equal([
      'PriceBookCreated',
      'PriceBookDeleted',
      'PriceBookRestored',
      'PriceBookUpdated',
      'PriceBookDeleted',
    ]);
  });

  it('is done once by several that ask for it at the same time', async () => {
    const instances = [start(), start(), start()];
    const id = await create(start());
    right(await start().delete(id, caller)());
    const answers = await Promise.all(
      instances.map((priceBooks) => TE.toUnion(priceBooks.restore(id, {}, caller))()),
    );
    const tags = answers.map((answer) => ('_tag' in answer ? answer._tag : 'restored')).sort();
    expect(tags).to.deep.equal(['PriceBookNotDeleted', 'PriceBookNotDeleted', 'restored']);
  });

  it('waits for a read side that has the deletion, and answers without one that has the restoration', async () => {
    let waits = Infinity;
    const priceBooks = start(() => (waits -= 1) < 0);
    const id = await create(priceBooks);
    const before = right(await priceBooks.find(id)());
    right(await priceBooks.delete(id, caller)());
    waits = 0;
    expect(await priceBooks.restore(id, {}, caller)()).to.deep.equal(E.left({ _tag: 'ReadSideBehind' }));
    waits = 1;
    const { priceBook, projectionBehind } = right(await priceBooks.restore(id, {}, caller)());
    expect(priceBook).to.deep.equal({ ...before, revision: 2, updatedAt: priceBook.updatedAt });
    expect(projectionBehind).to.equal(true);
  });
});
