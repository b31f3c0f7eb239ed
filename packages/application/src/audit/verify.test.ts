import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import { v4, v7 } from 'uuid';
import type { PriceBookId } from '@pricebook/domain';
import { createInMemoryEventStore } from '../in-memory/event-store';
import { createInMemoryReadModel } from '../in-memory/read-model';
import type { EventStore, Position } from '../ports/event-store';
import { entryName, type KnownEntry } from '../ports/read-model-entries';
import { changesOfRecorded } from '../projection/recorded-changes';
import type { Difference, Finding } from './differences';
import type { LiveReadModel } from './verification';
import { verify } from './verify';

const BOOK = v7() as PriceBookId;
const STREAM = `priceBook-${BOOK}`;

const right = <A>(result: E.Either<unknown, A>): A => {
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left));
  return result.right;
};

const set = (productId: string, adjustment: unknown) =>
  ['ProductPricesSet', { items: [{ productId, adjustments: { USD: adjustment } }] }] as const;
const override = (amount: number) => ({ type: 'override', amount });
const percent = (amount: number) => ({ type: 'percent', amount });
const setAll = (amount: number) =>
  ['AllProductsAdjusted', { adjustments: { USD: percent(amount) } }] as const;
const created = ['PriceBookCreated', { name: 'List', description: '', basePriceBookIds: [] }] as const;

/** A store, and a read model whose documents may be ahead of its checkpoint, as on a server. */
const start = () => {
  const eventStore = createInMemoryEventStore();
  const readModel = createInMemoryReadModel();
  let appended = 0;
  let written: Position = 0n;

  const append = async ([type, data]: readonly [string, object], schemaVersion = 1): Promise<Position> => {
    const occurredAt = new Date(Date.UTC(2026, 0, 1) + appended).toISOString();
    const metadata = {
      schemaVersion,
      occurredAt,
      actor: 'tests',
      $correlationId: 'r',
      $causationId: 'c',
      commandId: 'c',
    };
    const expected = appended === 0 ? 'noStream' : appended - 1;
    appended += 1;
    return right(await eventStore.append(STREAM, expected, [{ id: v4(), type, data, metadata }])()).position;
  };

  /** Writes the documents of the next events, and leaves the checkpoint where it is. */
  const write = async (events: number): Promise<void> => {
    const page = right(await eventStore.readAll(written, events)());
    const changes = page.flatMap((event) => right(changesOfRecorded(event)));
    const before = right(await readModel.checkpoint()());
    await readModel.apply(changes, before ?? 0n)();
    written = page.at(-1)?.position ?? written;
  };

  return {
    eventStore,
    readModel,
    append,
    write,
    /** The checkpoint comes after the documents. */
    save: () => readModel.apply([], written)(),
    take: async (...events: readonly (readonly [string, object])[]): Promise<void> => {
      for (const event of events) await append(event);
      await write(events.length);
      await readModel.apply([], written)();
    },
  };
};

type Change = (entry: KnownEntry) => KnownEntry | undefined;

/** A read model that shows some of its entries otherwise than they are. */
const showing = (readModel: ReturnType<typeof start>['readModel'], change: Change): LiveReadModel => ({
  checkpoint: readModel.checkpoint,
  entries: async function* () {
    for await (const page of readModel.entries()) {
      yield page.flatMap((entry) => {
        const shown = entry._tag === 'Unknown' ? entry : change(entry);
        return shown === undefined ? [] : [shown];
      });
    }
  },
  findEntries: (keys) => async () => {
    const found = right(await readModel.findEntries(keys)());
    const shown = [...found.values()].map(change).filter((entry) => entry !== undefined);
    return E.right(new Map(shown.map((entry) => [entryName(entry), entry])));
  },
});

const asItIs: Change = (entry) => entry;

const compare = async (
  eventStore: EventStore,
  live: LiveReadModel,
  signal = new AbortController().signal,
) => {
  const told: Finding[] = [];
  const onDifference = (finding: Finding) => told.push(finding);
  const parts = { eventStore, live, scratch: createInMemoryReadModel() };
  const result = await verify(parts, { signal, onDifference })();
  const kinds = told.map(({ kind, ...others }) => {
    const { part, entry } = others as Partial<Difference>;
    return [kind, entry?._tag, ...(part === undefined ? [] : [part])].join(' ');
  });
  return { result, told, kinds };
};

describe('verify', () => {
  it('tells of what was changed, of what is stale, missing or too much', async () => {
    const { eventStore, readModel, take } = start();
    await take(created, set('lamp', override(50)), setAll(5), setAll(10));
    const older = createInMemoryReadModel();
    await older.apply(
      right(await eventStore.readAll(undefined, 3)()).flatMap((event) => right(changesOfRecorded(event))),
      3n,
    )();
    const kindsWith = async (change: Change) => (await compare(eventStore, showing(readModel, change))).kinds;
    const edited =
      (tag: KnownEntry['_tag'], from: string, to: string): Change =>
      (entry) =>
        entry._tag === tag ? (JSON.parse(JSON.stringify(entry).replace(from, to)) as KnownEntry) : entry;
    const before = [...right(await older.findEntries([{ _tag: 'PriceBook', priceBookId: BOOK }])()).values()];
    expect(await kindsWith(asItIs)).to.deep.equal([]);
    expect(await kindsWith(edited('Cell', '"amount":50', '"amount":51'))).to.deep.equal(['changed Cell']);
    expect(await kindsWith(edited('Cell', '"revision":1', '"revision":7'))).to.deep.equal(['changed Cell']);
    expect(await kindsWith(edited('PriceBook', '"value":"List"', '"value":"X"'))).to.deep.equal([
      'changed PriceBook name',
    ]);
    expect(await kindsWith((entry) => (entry._tag === 'PriceBook' ? before[0] : entry))).to.deep.equal([
      'stale PriceBook percent USD',
      'stale PriceBook revision',
    ]);
    expect(await kindsWith((entry) => (entry._tag === 'Cell' ? undefined : entry))).to.deep.equal([
      'missing Cell',
    ]);
    expect(await kindsWith(edited('Cell', '"lamp"', '"lamps"'))).to.have.members(['missing Cell']);
    expect(await kindsWith((entry) => ({ ...entry, fault: 'is odd' }))).to.have.length(5);
  });

  it('reports boundaries that are missing or stale', async () => {
    const { eventStore, readModel, take } = start();
    const [validFrom, validUntil] = ['2026-11-27T00:00:00.000Z', '2026-11-30T00:00:00.000Z'];
    const sale = { ...override(40), validFrom, validUntil };
    await take(created, set('lamp', override(50)), set('lamp', sale));
    const find = async (change: Change) => compare(eventStore, showing(readModel, change));
    const ofBoundaries =
      (change: (entry: KnownEntry & { readonly _tag: 'Boundary' }) => KnownEntry | undefined): Change =>
      (entry) =>
        entry._tag === 'Boundary' && entry.at === validFrom ? change(entry) : entry;
    expect((await find(asItIs)).kinds).to.deep.equal([]);
    const { told, kinds } = await find(ofBoundaries(() => undefined));
    expect(kinds).to.deep.equal(['missing Boundary']);
    expect(told[0]).to.deep.include({ bookName: 'List', byEvents: { revision: 2 } });
    const wrong = await find(ofBoundaries((entry) => ({ ...entry, value: { revision: 1 } })));
    expect(wrong.kinds).to.deep.equal(['stale Boundary']);
  });

  it('takes boundaries that were written ahead of the checkpoint for what they are', async () => {
    const { eventStore, readModel, take, append, write } = start();
    await take(created, set('lamp', { ...override(1), validFrom: '2027-01-01T00:00:00.000Z' }));
    await append(set('lamp', { ...override(2), validFrom: '2027-01-01T00:00:00.000Z' }));
    await append(setAll(6));
    await append(set('lamp', { ...override(2), validUntil: '2027-02-01T00:00:00.000Z' }));
    for (const ahead of [1, 2, 3]) {
      await write(1);
      expect((await compare(eventStore, showing(readModel, asItIs))).kinds, String(ahead)).to.deep.equal([]);
    }
    const wrong: Change = (entry) =>
      entry._tag === 'Boundary' && entry.value.revision === 4 ? { ...entry, value: { revision: 3 } } : entry;
    expect((await compare(eventStore, showing(readModel, wrong))).kinds).to.deep.equal(['extra Boundary']);
  });

  it('takes what was written ahead of the checkpoint for what it is', async () => {
    const { eventStore, readModel, take, append, write } = start();
    await take(created, set('lamp', override(1)), setAll(5));
    const later = [set('lamp', percent(10)), set('new', override(2)), setAll(6), set('lamp', override(3))];
    for (const event of later) await append(event);
    for (const [ahead] of later.entries()) {
      await write(1);
      expect((await compare(eventStore, showing(readModel, asItIs))).kinds, String(ahead)).to.deep.equal([]);
    }
    // A document that was written ahead, but is of no event.
    const wrong: Change = (entry) =>
      entry._tag === 'Cell' && entry.productId === 'new'
        ? (JSON.parse(JSON.stringify(entry).replace('"amount":2', '"amount":3')) as KnownEntry)
        : entry;
    expect((await compare(eventStore, showing(readModel, wrong))).kinds).to.deep.equal(['changed Cell']);
    // Or that is of an event which is still to come.
    const early: Change = (entry) =>
      entry._tag === 'Cell' && entry.productId === 'new'
        ? (JSON.parse(JSON.stringify(entry).replaceAll('"revision":4', '"revision":99')) as KnownEntry)
        : entry;
    expect((await compare(eventStore, showing(readModel, early))).kinds).to.deep.equal(['changed Cell']);
  });

  it('is not misled by writes between any two of its looks, and finds what is wrong all the same', async () => {
    for (const checkpointAfter of [1, 2, 5]) {
      const { eventStore, readModel, take, append, write, save } = start();
      const many = Array.from({ length: 250 }, (_, n) => set(`product ${String(n)}`, override(n)));
      await take(created, set('lamp', override(1)), set('wrong', override(7)), setAll(5), ...many);
      let looks = 0;
      /** Whatever is asked, something is written before: most of it to one product. */
      const busily =
        <A>(task: () => Promise<A>) =>
        async (): Promise<A> => {
          looks += 1;
          await append(set('lamp', looks % 3 === 0 ? percent(looks % 50) : override(looks)));
          await append(looks % 2 === 0 ? setAll(looks % 50) : set(`new ${String(looks)}`, override(looks)));
          if (looks % 7 === 0) await append(['PriceBookEntriesDeleted', { productIds: ['lamp', 'none'] }]);
          await write(looks % 4);
          if (looks % checkpointAfter === 0) await save();
          return task();
        };
      const wrong: Change = (entry) =>
        entry._tag === 'Cell' && entry.productId === 'wrong' ? undefined : entry;
      for (const change of [asItIs, wrong, asItIs, wrong]) {
        const shown = showing(readModel, change);
        const live: LiveReadModel = {
          ...shown,
          checkpoint: () => busily(shown.checkpoint()),
          findEntries: (keys) => busily(shown.findEntries(keys)),
          entries: async function* () {
            for await (const page of shown.entries()) yield* [await busily(() => Promise.resolve(page))()];
          },
        };
        const { kinds } = await compare(eventStore, live);
        expect(kinds).to.deep.equal(change === wrong ? ['missing Cell'] : []);
      }
      expect(looks).to.be.above(30);
    }
  });

  it('compares what stands before an event that cannot be read, also where the read model has passed it', async () => {
    const { eventStore, readModel, take, append, save } = start();
    await take(created, set('lamp', override(1)));
    await append(set('lamp', override(2)), 99);
    const stopped = right((await compare(eventStore, showing(readModel, asItIs))).result);
    expect(stopped).to.deep.include({ differences: 0, behind: 1, notCompared: 0 });
    expect(stopped.undecodable).to.include({ stream: STREAM, revision: 2 });
    const stamp = { revision: 2, occurredAt: '2026-01-01T00:00:00.002Z', actor: 'tests' };
    const passing = [
      { _tag: 'PriceBookChange', priceBookId: BOOK, stamp },
      {
        _tag: 'HoldingsChange',
        priceBookId: BOOK,
        holder: 'lamp',
        stamp,
        adjustments: { USD: override(2) },
      },
    ];
    await readModel.apply(passing as never, 3n)();
    await save();
    const passed = right((await compare(eventStore, showing(readModel, asItIs))).result);
    // The book, the price and its row.
    expect(passed).to.deep.include({ differences: 0, behind: 0, notCompared: 3, events: 2 });
  });

  it('ends where the live read model goes back, or it is told to', async () => {
    const { eventStore, readModel, take } = start();
    await take(created, set('lamp', override(1)));
    const wrong: Change = () => undefined;
    let looks = 0;
    const checkpoint = () => (looks++ === 0 ? readModel.checkpoint() : TE.right(undefined));
    const { result, told } = await compare(eventStore, { ...showing(readModel, wrong), checkpoint });
    expect([result, told]).to.deep.equal([E.left({ _tag: 'WentBack' }), []]);
    const interrupted = await compare(eventStore, showing(readModel, asItIs), AbortSignal.abort());
    expect(interrupted.result).to.deep.equal(E.left({ _tag: 'Interrupted' }));
  });
});
