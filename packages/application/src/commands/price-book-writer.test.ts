import { priceBookIdCodec, type PriceBookCommand, type PriceBookId } from '@pricebook/domain';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import { v4, v7 } from 'uuid';
import { createChainCheck } from '../hash-chain';
import { createInMemoryEventStore } from '../in-memory/event-store';
import type { Clock } from '../ports/clock';
import type { EventStore } from '../ports/event-store';
import { createPriceBookWriter, type WriteRequest } from './price-book-writer';

const newId = (): PriceBookId => {
  const id = priceBookIdCodec.decode(v7());
  if (E.isLeft(id)) throw new TypeError('not an id');
  return id.right;
};

const request = (command: PriceBookCommand, expectedRevisions?: readonly number[]): WriteRequest => ({
  command,
  expectedRevisions,
  context: { commandId: v4(), actor: 'key-1', requestId: 'request-1' },
});

const create = request({ _tag: 'CreatePriceBook', name: 'A', description: '' });
const rename = (name: string): WriteRequest => request({ _tag: 'UpdatePriceBook', name });
const nothing = (): WriteRequest => request({ _tag: 'UpdatePriceBook' });
const deletion = (): WriteRequest => request({ _tag: 'DeletePriceBook', derivedPriceBookIds: [] });

const noon = '2026-01-01T12:00:00.000Z';
const clockAt = (...times: readonly string[]) => {
  const left = [...times];
  return { now: () => left.shift() ?? noon };
};

/** No request has been done before. */
const createWriter = (store: EventStore, clock: Clock) =>
  createPriceBookWriter(store, clock, () => Promise.resolve(() => undefined));

/** A store that counts its calls. */
const counted = (eventStore: EventStore) => {
  const calls = { append: [] as number[], read: [] as number[] };
  const store: EventStore = {
    ...eventStore,
    append: (stream, expected, events) => {
      calls.append.push(events.length);
      return eventStore.append(stream, expected, events);
    },
    read: (stream, options) => {
      calls.read.push(options.limit);
      return eventStore.read(stream, options);
    },
  };
  return { store, calls };
};

const revisionsOf = (results: readonly E.Either<unknown, { revision: number }>[]): readonly unknown[] =>
  results.map((result) => (E.isRight(result) ? result.right.revision : result.left));

const streamOf = async (eventStore: EventStore, id: PriceBookId) => {
  const events = await eventStore.read(`priceBook-${id}`, { direction: 'forwards', limit: 1_000 })();
  return E.isRight(events) ? events.right : [];
};

describe('the writer of price books', () => {
  it('reads only the last event of a book, and appends one', async () => {
    const { store, calls } = counted(createInMemoryEventStore());
    const id = newId();
    for (const one of [create, rename('B'), rename('C')]) await createWriter(store, clockAt())(id, one)();
    expect(calls).to.deep.equal({ append: [1, 1, 1], read: [1, 1, 1] });
  });

  it('lets those who wait for one book share the next append, each with its own revision', async () => {
    const { store, calls } = counted(createInMemoryEventStore());
    const write = createWriter(store, clockAt());
    const id = newId();
    await write(id, create)();
    const results = await Promise.all(Array.from({ length: 300 }, (_, i) => write(id, rename(String(i)))()));
    expect(revisionsOf(results)).to.deep.equal(Array.from({ length: 300 }, (_, i) => i + 1));
    expect(calls).to.deep.equal({ append: [1, 200, 100], read: [1] });
    expect((await streamOf(store, id)).map(({ data }) => data).slice(1)).to.deep.equal(
      Array.from({ length: 300 }, (_, i) => ({ name: String(i) })),
    );
  });

  it('bounds what shares an append by the products in it, too', async () => {
    const { store, calls } = counted(createInMemoryEventStore());
    const write = createWriter(store, clockAt());
    const id = newId();
    const productIds = (count: number) => Array.from({ length: count }, (_, i) => `P${String(i)}` as never);
    const remove = (count: number) =>
      write(id, request({ _tag: 'DeletePriceBookEntries', productIds: productIds(count) }))();
    const results = await Promise.all([write(id, create)(), ...[4_000, 4_000, 4_000, 20_000, 1].map(remove)]);
    expect(revisionsOf(results)).to.deep.equal([0, 1, 2, 3, 4, 5]);
    expect(calls.append).to.deep.equal([1, 2, 1, 1, 1]);
  });

  it('does not let the writers of one book wait for those of another', async () => {
    const eventStore = createInMemoryEventStore();
    const [slow, fast] = [newId(), newId()];
    const store: EventStore = {
      ...eventStore,
      append: (stream, expected, events) =>
        stream.endsWith(slow)
          ? TE.fromTask(() => new Promise(() => undefined))
          : eventStore.append(stream, expected, events),
    };
    const write = createWriter(store, clockAt());
    void write(slow, create)();
    expect(revisionsOf([await write(fast, create)()])).to.deep.equal([0]);
  });

  it('decides anew when another process wrote first', async () => {
    const eventStore = createInMemoryEventStore();
    const id = newId();
    const other = createWriter(eventStore, clockAt());
    await other(id, create)();
    let interferences = 3;
    const store: EventStore = {
      ...eventStore,
      append: (stream, expected, events) => async () => {
        if (interferences > 0) {
          interferences -= 1;
          await other(id, rename('other'))();
        }
        return eventStore.append(stream, expected, events)();
      },
    };
    const write = createWriter(store, clockAt());
    expect(revisionsOf([await write(id, rename('mine'))()])).to.deep.equal([4]);
  });

  it('looks at a book no more that it has written to, until others write to it', async () => {
    const { store, calls } = counted(createInMemoryEventStore());
    const write = createWriter(store, clockAt());
    const other = createWriter(store, clockAt());
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const id = newId();
    for (const one of [create, rename('B'), rename('C')]) {
      await write(id, one)();
      await turn();
    }
    expect(calls).to.deep.equal({ append: [1, 1, 1], read: [1] });
    await other(id, rename('D'))();
    expect(calls.read).to.deep.equal([1, 1]);
    // What it remembers is from before D: it finds out by the append, and decides anew.
    expect(revisionsOf([await write(id, rename('E'))()])).to.deep.equal([4]);
    expect(calls).to.deep.equal({ append: [1, 1, 1, 1, 1, 1], read: [1, 1, 1] });
    // Others write to it as well, so it looks first for a while, and then no more.
    calls.append.length = 0;
    calls.read.length = 0;
    for (let n = 0; n < 20; n += 1) {
      await turn();
      await write(id, rename(String(n)))();
    }
    expect([calls.append.length, calls.read.length]).to.deep.equal([20, 10]);
  });

  it('judges what a caller expects by the book as it is, not by what it remembers of it', async () => {
    const eventStore = createInMemoryEventStore();
    const write = createWriter(eventStore, clockAt());
    const other = createWriter(eventStore, clockAt());
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const id = newId();
    await write(id, create)();
    await turn();
    await other(id, rename('other'))();
    const expecting = (revision: number) => request({ _tag: 'UpdatePriceBook', name: 'mine' }, [revision]);
    expect(revisionsOf([await write(id, expecting(0))()])).to.deep.equal([
      { _tag: 'RevisionMismatch', actual: 1 },
    ]);
    await turn();
    await other(id, rename('other again'))();
    expect(revisionsOf([await write(id, expecting(2))()])).to.deep.equal([3]);
    await turn();
    await other(id, deletion())();
    expect(revisionsOf([await write(id, rename('mine'))()])).to.deep.equal([{ _tag: 'PriceBookNotFound' }]);
  });

  it('gives up after a bound when others always write first', async () => {
    const eventStore = createInMemoryEventStore();
    const id = newId();
    await createWriter(eventStore, clockAt())(id, create)();
    let attempts = 0;
    const store: EventStore = {
      ...eventStore,
      append: () => {
        attempts += 1;
        return TE.left({ _tag: 'WrongExpectedRevision', actual: attempts });
      },
    };
    const result = await createWriter(store, clockAt())(id, rename('mine'))();
    expect(result).to.deep.equal(E.left({ _tag: 'TooManyConflicts' }));
    expect(attempts).to.equal(10);
  });

  it('refuses a command that expects another revision, also one that was overtaken in the same append', async () => {
    const write = createWriter(createInMemoryEventStore(), clockAt());
    const id = newId();
    await write(id, create)();
    const expecting0 = (): WriteRequest => request({ _tag: 'UpdatePriceBook', name: 'B' }, [0]);
    const results = await Promise.all([
      write(id, expecting0())(),
      write(id, expecting0())(),
      write(id, expecting0())(),
    ]);
    const mismatch = { _tag: 'RevisionMismatch', actual: 1 };
    expect(revisionsOf(results)).to.deep.equal([1, mismatch, mismatch]);
  });

  it('looks again before it refuses by a state that it only remembers', async () => {
    const eventStore = createInMemoryEventStore();
    const elsewhere = createWriter(eventStore, clockAt());
    const id = newId();
    await elsewhere(id, create)();
    let hold: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (hold = resolve));
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const slow: EventStore = {
      ...eventStore,
      append: (stream, expected, events) => async () => {
        const appended = await eventStore.append(stream, expected, events)();
        hold();
        await released;
        return appended;
      },
    };
    const write = createWriter(slow, clockAt());
    const first = write(id, rename('first'))();
    await held;
    // The first has been appended but not acknowledged. The second waits, to be decided on what the first left,
    // which is no longer the last by then.
    const second = write(id, request({ _tag: 'UpdatePriceBook', name: 'second' }, [2]))();
    await elsewhere(id, rename('elsewhere'))();
    release();
    expect(revisionsOf([await first, await second])).to.deep.equal([1, 3]);
  });

  it('looks requests up as far as the last event of their book, whatever is written to others', async () => {
    const eventStore = createInMemoryEventStore();
    const upTo: unknown[] = [];
    const write = createPriceBookWriter(eventStore, clockAt(), (_requests, last) => {
      upTo.push(last);
      return Promise.resolve(() => undefined);
    });
    const other = createWriter(eventStore, clockAt());
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    const [id, otherId] = [newId(), newId()];
    const keyed = (): WriteRequest => {
      const plain = rename('B');
      return { ...plain, context: { ...plain.context, idempotency: { key: 'k', request: 'r' } } };
    };
    const head = async () => {
      const position = await eventStore.head()();
      return E.isRight(position) ? position.right : undefined;
    };
    const expected: unknown[] = [];
    // Read from the stream, and then remembered, from an append and from a look that found nothing to do.
    for (const request of [create, rename('A'), keyed(), keyed(), nothing(), keyed()]) {
      if (request.context.idempotency !== undefined) expected.push(await head());
      await (request === create ? other : write)(id, request)();
      await turn();
    }
    expect(upTo).to.deep.equal(expected);
    // And where others wrote meanwhile, as far as what is remembered, which then turns out not to be the last.
    const remembered = await head();
    await other(id, rename('C'))();
    const last = await head();
    await other(otherId, create)();
    await write(id, keyed())();
    expect(upTo.slice(3)).to.deep.equal([remembered, last]);
  });

  it('settles what follows a deletion in the same append as not found', async () => {
    const write = createWriter(createInMemoryEventStore(), clockAt());
    const id = newId();
    await write(id, create)();
    const results = await Promise.all([
      write(id, rename('B'))(),
      write(id, deletion())(),
      write(id, rename('C'))(),
    ]);
    expect(revisionsOf(results)).to.deep.equal([1, 2, { _tag: 'PriceBookNotFound' }]);
  });

  it('appends nothing for a command that changes nothing, and says where the book is', async () => {
    const { store, calls } = counted(createInMemoryEventStore());
    const write = createWriter(store, clockAt());
    const id = newId();
    await write(id, create)();
    expect(await write(id, nothing())()).to.deep.equal(
      E.right({ priceBookId: id, revision: 0, updatedAt: noon, position: undefined }),
    );
    expect(calls.append).to.deep.equal([1]);
  });

  it('never lets the times of a book go back', async () => {
    const times = ['2026-01-01T12:00:00.000Z', '2026-01-01T11:00:00.000Z', '2026-01-01T13:00:00.000Z'];
    const eventStore = createInMemoryEventStore();
    const write = createWriter(eventStore, clockAt(...times));
    const id = newId();
    for (const one of [create, rename('B'), rename('C')]) await write(id, one)();
    expect(
      (await streamOf(eventStore, id)).map(({ metadata }) => (metadata as { occurredAt: string }).occurredAt),
    ).to.deep.equal(['2026-01-01T12:00:00.000Z', '2026-01-01T12:00:00.000Z', '2026-01-01T13:00:00.000Z']);
  });

  it('keeps who asked, and derives the id of the event from the command', async () => {
    const eventStore = createInMemoryEventStore();
    const id = newId();
    await createWriter(eventStore, clockAt())(id, create)();
    const again = createInMemoryEventStore();
    await createWriter(again, clockAt())(id, create)();
    const [[event], [same]] = [await streamOf(eventStore, id), await streamOf(again, id)];
    const { commandId } = create.context;
    expect(event?.id).to.equal(same?.id);
    expect(event?.metadata).to.have.property('hash').with.length(43);
    expect(event?.metadata).to.deep.include({
      schemaVersion: 2,
      occurredAt: noon,
      actor: 'key-1',
      $correlationId: 'request-1',
      $causationId: commandId,
      commandId,
    });
  });

  describe('keeps the hash chain of a book', () => {
    const faultsIn = async (eventStore: EventStore, id: PriceBookId) => {
      const { add, heads } = createChainCheck();
      const faults = (await streamOf(eventStore, id)).flatMap((event) => add(event) ?? []);
      return { faults, head: heads.get(`priceBook-${id}`) };
    };

    it('where many share an append, others write to it, and it is looked at again', async () => {
      const eventStore = createInMemoryEventStore();
      const [write, other] = [createWriter(eventStore, clockAt()), createWriter(eventStore, clockAt())];
      const id = newId();
      await write(id, create)();
      const renames = Array.from({ length: 60 }, (_, n) => [n % 3 === 0 ? other : write, n] as const);
      await Promise.all(renames.map(([one, n]) => one(id, rename(String(n)))()));
      for (const [one, n] of renames) await one(id, rename(String(n)))();
      const { faults, head } = await faultsIn(eventStore, id);
      expect([faults, head?.revision, head?.isHashed]).to.deep.equal([[], 120, true]);
    });

    it('where requests have idempotency keys', async () => {
      const eventStore = createInMemoryEventStore();
      const id = newId();
      const keyed = (key: string): WriteRequest => {
        const plain = rename(key);
        return { ...plain, context: { ...plain.context, idempotency: { key, request: 'r' } } };
      };
      const [write, other] = [createWriter(eventStore, clockAt()), createWriter(eventStore, clockAt())];
      await write(id, create)();
      for (let n = 0; n < 20; n += 1) {
        const both = [write(id, keyed(`a ${String(n)}`))(), other(id, keyed(`b ${String(n)}`))()];
        expect((await Promise.all(both)).every(E.isRight)).to.equal(true);
      }
      expect(await faultsIn(eventStore, id)).to.deep.include({ faults: [] });
    });

    it('on events without hashes, which it reads for that only once', async () => {
      const eventStore = createInMemoryEventStore();
      const id = newId();
      const source = createInMemoryEventStore();
      const before = createWriter(source, clockAt());
      await before(id, create)();
      for (let n = 0; n < 130; n += 1) await before(id, rename(String(n)))();
      const [first, ...rest] = (await streamOf(source, id)).map(({ metadata, ...event }) => ({
        ...event,
        metadata: { ...(metadata as object), hash: undefined, previousHash: undefined },
      }));
      if (first === undefined) throw new Error('a book has been created');
      await eventStore.append(`priceBook-${id}`, 'noStream', [first, ...rest])();
      const { store, calls } = counted(eventStore);
      for (let n = 0; n < 3; n += 1) await createWriter(store, clockAt())(id, rename('later'))();
      expect(calls.read).to.deep.equal([1, 50, 50, 31, 1, 1]);
      // What is not as it was when the first of them was written shows.
      expect(await faultsIn(eventStore, id)).to.deep.include({ faults: [] });
      const { add } = createChainCheck();
      const changed = (await streamOf(eventStore, id)).map((event) =>
        event.revision === 7 ? { ...event, data: { name: 'other' } } : event,
      );
      expect(changed.flatMap((event) => add(event) ?? []).map(({ revision }) => revision)).to.deep.equal([
        131,
      ]);
    });
  });

  it('sends commands one by one where together they are too large for an append', async () => {
    const eventStore = createInMemoryEventStore();
    const store: EventStore = {
      ...eventStore,
      append: (stream, expected, events) =>
        events.length > 1
          ? TE.left({ _tag: 'AppendTooLarge', bytes: 2, maxBytes: 1 })
          : eventStore.append(stream, expected, events),
    };
    const write = createWriter(store, clockAt());
    const id = newId();
    await write(id, create)();
    const results = await Promise.all(['B', 'C', 'D'].map((name) => write(id, rename(name))()));
    expect(revisionsOf(results)).to.deep.equal([1, 2, 3]);
  });

  it('answers every waiting command when the store does not, and goes on afterwards', async () => {
    const eventStore = createInMemoryEventStore();
    let isDown = true;
    const store: EventStore = {
      ...eventStore,
      read: (stream, options) =>
        isDown ? TE.left({ _tag: 'StoreUnavailable', reason: 'down' }) : eventStore.read(stream, options),
    };
    const write = createWriter(store, clockAt());
    const id = newId();
    const results = await Promise.all([write(id, create)(), write(id, rename('B'))()]);
    expect(results.every(E.isLeft)).to.equal(true);
    isDown = false;
    expect(revisionsOf([await write(id, create)()])).to.deep.equal([0]);
  });
});
