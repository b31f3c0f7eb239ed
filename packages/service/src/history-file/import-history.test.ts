import fs from 'node:fs';
import type { EventStore } from '@pricebook/application';
import { createInMemoryEventStore } from '@pricebook/application/in-memory';
import { type EmbeddedEventStore, openEmbeddedEventStore } from '@pricebook/embedded';
import { expect } from 'chai';
import fc from 'fast-check';
import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';
import { v4 } from 'uuid';
import { newFolder } from '../testing/new-folder';
import { encodeLine } from './history-line';
import { importHistory } from './import-history';
import {
  alternating,
  created,
  exportText,
  histories,
  historyOf,
  importText,
  priceSet,
  sourceOf,
  textOf,
} from './testing/histories';

const unavailable = TE.left({ _tag: 'StoreUnavailable', reason: 'on request' } as const);
const patient = { ms: 30_000, signal: new AbortController().signal };

/** Notes how many events come in each append. */
const withSizes = (eventStore: EventStore): { readonly store: EventStore; readonly sizes: number[] } => {
  const sizes: number[] = [];
  const append: EventStore['append'] = (stream, expected, events) => {
    sizes.push(events.length);
    return eventStore.append(stream, expected, events);
  };
  return { store: { ...eventStore, append }, sizes };
};

describe('importing a history', () => {
  it('gives what was exported, byte for byte, whatever was interrupted before', () =>
    fc.assert(
      fc.asyncProperty(
        histories(60),
        fc.nat(60),
        fc.integer({ min: 1, max: 5_000 }),
        fc.integer({ min: 1, max: 8 }),
        async (history, first, pieceBytes, inFlight) => {
          const eventStore = createInMemoryEventStore();
          const text = textOf(history);
          const before = Math.min(first, history.length);
          const options = { pieceBytes, inFlight };
          await importText(eventStore, textOf(history.slice(0, before)), options);
          const imported = await importText(eventStore, text, options);
          expect(imported).to.deep.equal({
            appended: history.length - before,
            skipped: before,
            streams: new Set(history.map(({ stream }) => stream)).size,
            bytes: Buffer.byteLength(text),
          });
          expect(await exportText(eventStore)).to.equal(text);
          // Exactly what there is skips everything.
          expect(await importText(eventStore, text, options)).to.include({
            appended: 0,
            skipped: history.length,
          });
        },
      ),
    ));

  it('cuts a stream into appends of at most 500 events and 512 KiB, and begins another with another stream', async () => {
    const small = historyOf([
      created(1),
      ...Array.from({ length: 1_200 }, (_, n) => priceSet(1, n)),
      created(2),
    ]);
    const { store, sizes } = withSizes(createInMemoryEventStore());
    await importText(store, textOf(small));
    expect(sizes).to.deep.equal([500, 500, 201, 1]);

    const name = 'x'.repeat(200 * 1024);
    const renamed = { stream: created(1).stream, type: 'PriceBookUpdated', data: { name } };
    const huge = { ...renamed, data: { name: name.repeat(4) } };
    const large = historyOf([created(1), renamed, renamed, renamed, huge, renamed]);
    const other = withSizes(createInMemoryEventStore());
    await importText(other.store, textOf(large));
    expect(other.sizes).to.deep.equal([3, 1, 1, 1]);
  });

  it('takes up a longer history of the same store, in the middle of what shares an append', async () => {
    const history = historyOf([created(1), ...Array.from({ length: 20 }, (_, n) => priceSet(1, n))]);
    const { store, sizes } = withSizes(createInMemoryEventStore());
    await importText(store, textOf(history.slice(0, 5)));
    expect(await importText(store, textOf(history))).to.include({ appended: 16, skipped: 5 });
    expect(sizes).to.deep.equal([5, 16]);
    // A history of an earlier time has nothing new.
    expect(await importText(store, textOf(history.slice(0, 9)))).to.include({ appended: 0, skipped: 9 });
    expect(await exportText(store)).to.equal(textOf(history));
  });

  it('stops at a faulty line, keeps what stands before, and goes on when it is mended', async () => {
    const history = alternating(40, 3);
    const lines = history.map(encodeLine);
    const faulty = [...lines.slice(0, 25), 'nothing\n', ...lines.slice(26)].join('');
    const eventStore = createInMemoryEventStore();
    const { stop, ...done } = await importText(eventStore, faulty);
    expect(stop).to.include({ _tag: 'FaultyLine', line: 26 });
    expect(done).to.include({ appended: 25, skipped: 0 });
    expect(await exportText(eventStore)).to.equal(textOf(history.slice(0, 25)));
    expect(await importText(eventStore, textOf(history))).to.include({ appended: 15, skipped: 25 });
    expect(await exportText(eventStore)).to.equal(textOf(history));
  });

  it('refuses a stream that holds other events, before anything is appended to it', async () => {
    const history = historyOf([
      created(1),
      created(2),
      priceSet(2, 1),
      priceSet(2, 2),
      priceSet(2, 3),
      created(3),
    ]);
    const others = history.map((event, n) => (n === 3 ? { ...event, id: v4() } : event));
    const eventStore = createInMemoryEventStore();
    await importText(
      eventStore,
      textOf(others.filter(({ stream }) => stream === created(2).stream).slice(0, 3)),
    );
    const before = await exportText(eventStore);
    const { stop, ...done } = await importText(eventStore, textOf(history));
    expect(stop).to.deep.equal({ _tag: 'OtherEvents', stream: created(2).stream, revision: 2, line: 4 });
    expect(done).to.include({ appended: 1, skipped: 0 });
    expect(await exportText(eventStore)).to.equal(before + textOf(history.slice(0, 1)));
  });

  it('looks at the very last event that is there', async () => {
    const history = historyOf([created(1), priceSet(1, 1), priceSet(1, 2)]);
    const others = history.slice(0, 2).map((event, n) => (n === 1 ? { ...event, id: v4() } : event));
    const eventStore = createInMemoryEventStore();
    await importText(eventStore, textOf(others));
    const { stop } = await importText(eventStore, textOf(history));
    expect(stop).to.include({ _tag: 'OtherEvents', revision: 1, line: 2 });
    expect(await exportText(eventStore)).to.equal(textOf(others));
  });

  it('stores nothing twice where answers are lost, and tries again', async () => {
    const history = alternating(160, 5);
    const eventStore = createInMemoryEventStore();
    let calls = 0;
    const lossy: EventStore = {
      ...eventStore,
      read: (stream, options) => (++calls % 30 === 0 ? unavailable : eventStore.read(stream, options)),
      append: (stream, expected, events) => async () => {
        calls += 1;
        if (calls % 50 === 0) return unavailable();
        const appended = await eventStore.append(stream, expected, events)();
        return calls % 80 === 0 ? unavailable() : appended;
      },
    };
    expect(await importText(lossy, textOf(history), { patience: patient })).to.include({
      appended: 160,
      skipped: 0,
    });
    expect(await exportText(eventStore)).to.equal(textOf(history));
    expect(calls).to.be.above(130);
  });

  it('gives up where the store stays away, and says where', async () => {
    const history = alternating(20, 2);
    const eventStore = createInMemoryEventStore();
    let appends = 0;
    const leaving: EventStore = {
      ...eventStore,
      append: (stream, expected, events) =>
        ++appends > 5 ? unavailable : eventStore.append(stream, expected, events),
    };
    const { stop } = await importText(leaving, textOf(history), { patience: { ...patient, ms: 250 } });
    expect(stop).to.deep.equal({ _tag: 'StoreUnavailable', reason: 'on request' });
    expect(appends).to.be.at.least(7);
    expect(await importText(eventStore, textOf(history))).to.not.have.property('stop');
    expect(await exportText(eventStore)).to.equal(textOf(history));
  });

  it('says so where someone else writes to a stream', async () => {
    const history = historyOf([created(1), created(2), priceSet(1, 1)]);
    const eventStore = createInMemoryEventStore();
    let appends = 0;
    const shared: EventStore = {
      ...eventStore,
      append: (stream, expected, events) => async () => {
        appends += 1;
        if (appends === 3) await eventStore.append(stream, 0, [{ ...events[0], id: v4() }])();
        return eventStore.append(stream, expected, events)();
      },
    };
    const { stop } = await importText(shared, textOf(history));
    expect(stop).to.deep.equal({ _tag: 'WrittenMeanwhile', stream: created(1).stream, line: 3 });
  });

  it('says so where a line is too large for the store', async () => {
    const eventStore = createInMemoryEventStore();
    const small: EventStore = {
      ...eventStore,
      append: (stream, expected, events) =>
        stream === created(2).stream
          ? TE.left({ _tag: 'AppendTooLarge', bytes: 2_000, maxBytes: 1_000 })
          : eventStore.append(stream, expected, events),
    };
    const { stop, appended } = await importText(small, textOf(historyOf([created(1), created(2)])));
    expect(stop).to.deep.equal({ _tag: 'AppendTooLarge', line: 2, bytes: 2_000, maxBytes: 1_000 });
    expect(appended).to.equal(1);
  });

  it('does not hide it where a store changes the order', async () => {
    const eventStore = createInMemoryEventStore();
    let appends = 0;
    const disorderly: EventStore = {
      ...eventStore,
      append: (...args) => (++appends === 3 ? unavailable : eventStore.append(...args)),
    };
    const { stop, appended } = await importText(disorderly, textOf(alternating(6, 6)), {
      inFlight: 6,
      patience: patient,
    });
    expect(stop).to.deep.equal({ _tag: 'OrderLost', line: 4 });
    expect(appended).to.equal(3);
  });

  it('stops between appends when it is told to, and can be taken up', async () => {
    const history = alternating(40, 3);
    const eventStore = createInMemoryEventStore();
    const stopping = new AbortController();
    const patience = { ms: 0, signal: stopping.signal };
    const { stop, appended } = await importText(eventStore, textOf(history), {
      patience,
      onProgress: (progress) => {
        if (progress.appended === 10) stopping.abort();
      },
    });
    expect(stop).to.deep.equal({ _tag: 'Interrupted' });
    expect(appended).to.equal(10);
    expect(await exportText(eventStore)).to.equal(textOf(history.slice(0, 10)));
    await importText(eventStore, textOf(history));
    expect(await exportText(eventStore)).to.equal(textOf(history));
  });

  describe('into the embedded store', () => {
    let folder: string;
    let eventStore: EmbeddedEventStore;
    beforeEach(() => {
      folder = newFolder();
      eventStore = openEmbeddedEventStore(folder);
    });
    afterEach(async () => {
      await eventStore.close();
      fs.rmSync(folder, { recursive: true });
    });

    it('keeps the order across streams while many appends are under way', async () => {
      const history = alternating(3_000, 300);
      expect(await importText(eventStore, textOf(history), { inFlight: 256 })).to.include({
        appended: 3_000,
      });
      expect(await exportText(eventStore)).to.equal(textOf(history));
    });

    it('commits the appends of one turn together: a failure cannot come between them', async () => {
      const before = await eventStore.head()();
      const seen = new Set<string>();
      const reader = openEmbeddedEventStore(folder, 'read');
      const importing = importText(eventStore, textOf(alternating(512, 512)), { inFlight: 256 });
      let isDone = false;
      void importing.then(() => {
        isDone = true;
      });
      const isImporting = (): boolean => !isDone;
      while (isImporting()) {
        const head = await reader.head()();
        seen.add(E.isRight(head) ? String(head.right) : 'failed');
        await new Promise(setImmediate);
      }
      await reader.close();
      expect(before).to.deep.equal(E.right(undefined));
      for (const head of seen) expect(['undefined', '256', '512']).to.include(head);
    });

    it('gives what was exported, byte for byte', () =>
      fc.assert(
        fc.asyncProperty(histories(40), fc.boolean(), async (history, isFirst) => {
          const other = newFolder();
          const store = openEmbeddedEventStore(other);
          try {
            if (isFirst) await importText(store, textOf(history.slice(0, 7)));
            await importText(store, textOf(history), { inFlight: 256 });
            expect(await exportText(store)).to.equal(textOf(history));
          } finally {
            await store.close();
            fs.rmSync(other, { recursive: true });
          }
        }),
        { numRuns: 12 },
      ));
  });

  it('passes on why its source cannot be read', async () => {
    const source = async function* () {
      yield* sourceOf(textOf(alternating(3, 3)));
      throw new Error('the disk is gone');
    };
    const failure = await importHistory(createInMemoryEventStore(), source(), {
      inFlight: 1,
      patience: patient,
      onProgress: () => undefined,
    }).catch((reason: unknown) => reason);
    expect(failure).to.be.an('error').with.property('message', 'the disk is gone');
  });
});
