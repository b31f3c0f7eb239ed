/** What every event store has to do, whatever it is built on. */
import type { EventStore, NewEvent, Position, RecordedEvent } from '@pricebook/application';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { v4 } from 'uuid';
import { failWith, succeed } from './either';

/** A store to be tested. */
export interface EventStoreUnderTest {
  readonly eventStore: EventStore;
  /** Closes the store and opens what it kept; absent where nothing outlives the process. */
  readonly restart?: () => Promise<EventStore>;
  /** Closes the store and removes what it kept. */
  readonly dispose: () => Promise<void>;
}

type Events = readonly [NewEvent, ...NewEvent[]];

const event = (n = 0): NewEvent => ({
  id: v4(),
  type: 'SomethingHappened',
  data: { n },
  metadata: { occurredAt: '2026-01-01T00:00:00.000Z' },
});

const events = (count: number): Events => [
  event(0),
  ...Array.from({ length: count - 1 }, (_, i) => event(i + 1)),
];

const forwards = (limit = 1_000, from?: number) =>
  ({ direction: 'forwards', limit, ...(from !== undefined && { from }) }) as const;
const backwards = (limit = 1_000, from?: number) =>
  ({ direction: 'backwards', limit, ...(from !== undefined && { from }) }) as const;

const numbersOf = (recorded: readonly RecordedEvent[]): readonly unknown[] =>
  recorded.map(({ data }) => (data as { n: number }).n);

/** Reads a subscription until it has seen so many events of some streams; then ends it. */
const collect = async (
  eventStore: EventStore,
  after: Position | undefined,
  count: number,
  isWanted: (recorded: RecordedEvent) => boolean,
): Promise<readonly RecordedEvent[]> => {
  const stop = new AbortController();
  const seen: RecordedEvent[] = [];
  for await (const batch of eventStore.subscribe(after, stop.signal)) {
    seen.push(...batch.events.filter(isWanted));
    if (seen.length >= count) stop.abort();
  }
  return seen;
};

export const describeEventStore = (name: string, create: () => Promise<EventStoreUnderTest>): void => {
  describe(`event store: ${name}`, () => {
    let underTest: EventStoreUnderTest;
    let eventStore: EventStore;
    let stream: string;

    beforeEach(async () => {
      underTest = await create();
      ({ eventStore } = underTest);
      // A name of its own keeps tests apart in a store that others use as well.
      stream = `priceBook-${v4()}`;
    });
    afterEach(() => underTest.dispose());

    const isOurs = (recorded: RecordedEvent): boolean => recorded.stream === stream;

    describe('append', () => {
      it('numbers the events of a stream from 0 on', async () => {
        const first = await succeed(eventStore.append(stream, 'noStream', events(2)));
        const second = await succeed(eventStore.append(stream, 1, events(3)));
        expect([first.lastRevision, second.lastRevision]).to.deep.equal([1, 4]);
        const stored = await succeed(eventStore.read(stream, forwards()));
        expect(stored.map(({ revision }) => revision)).to.deep.equal([0, 1, 2, 3, 4]);
      });

      it('gives back what was appended, exactly', async () => {
        const sent: NewEvent = {
          id: v4(),
          type: 'ProductPricesSet',
          data: {
            price: 0.049999999999999996,
            big: 1e15,
            text: 'Grüße 🎈 "\\\u2028',
            nothing: null,
            list: [[], {}],
          },
          metadata: { $correlationId: 'request-1', schemaVersion: 1, b: 1, a: 2, '10': 3, '9': 4 },
        };
        await succeed(eventStore.append(stream, 'noStream', [sent]));
        const [recorded] = await succeed(eventStore.read(stream, forwards()));
        expect(recorded).to.deep.include({ ...sent, stream, revision: 0 });
        // With the fields in their order: hashes are made of the text.
        expect(JSON.stringify([recorded?.data, recorded?.metadata])).to.equal(
          JSON.stringify([sent.data, sent.metadata]),
        );
      });

      it('refuses an expected revision that is too low, too high, or of a stream that is not there', async () => {
        await succeed(eventStore.append(stream, 'noStream', events(3)));
        for (const expected of ['noStream', 0, 1, 3, 17] as const) {
          expect(await failWith(eventStore.append(stream, expected, events(1)))).to.deep.include({
            _tag: 'WrongExpectedRevision',
            actual: 2,
          });
        }
        expect(await failWith(eventStore.append(`${stream}-other`, 0, events(1)))).to.deep.include({
          _tag: 'WrongExpectedRevision',
          actual: 'noStream',
        });
        expect(await succeed(eventStore.read(stream, forwards()))).to.have.length(3);
        expect(await succeed(eventStore.read(`${stream}-other`, forwards()))).to.have.length(0);
      });

      it('lets one of several racing writers win', async () => {
        const results = await Promise.all(
          Array.from({ length: 8 }, () => eventStore.append(stream, 'noStream', events(2))()),
        );
        expect(results.filter(E.isRight)).to.have.length(1);
        expect(results.filter(E.isLeft).map(({ left }) => left._tag)).to.deep.equal(
          Array.from({ length: 7 }, () => 'WrongExpectedRevision'),
        );
        expect(await succeed(eventStore.read(stream, forwards()))).to.have.length(2);
      });

      it('lets writers of many streams all win, each at a position of its own', async () => {
        const results = await Promise.all(
          Array.from({ length: 50 }, (_, i) =>
            succeed(eventStore.append(`${stream}-${String(i)}`, 'noStream', events(1))),
          ),
        );
        expect(new Set(results.map(({ position }) => position)).size).to.equal(50);
      });

      it('answers an identical append sent again as it did first, and stores nothing', async () => {
        const sent = events(3);
        const first = await succeed(eventStore.append(stream, 'noStream', sent));
        expect(await succeed(eventStore.append(stream, 'noStream', sent))).to.deep.equal(first);
        expect(await succeed(eventStore.read(stream, forwards()))).to.have.length(3);
        expect(await succeed(eventStore.append(stream, 2, events(1)))).to.deep.include({ lastRevision: 3 });
      });

      it('takes racing copies of one append for one', async () => {
        const sent = events(2);
        const answers = await Promise.all(
          Array.from({ length: 5 }, () => succeed(eventStore.append(stream, 'noStream', sent))),
        );
        expect(answers.map(({ lastRevision }) => lastRevision)).to.deep.equal([1, 1, 1, 1, 1]);
        expect(await succeed(eventStore.read(stream, forwards()))).to.have.length(2);
      });

      it('refuses a resend that is not identical', async () => {
        const [first, second, third] = [event(), event(), event()];
        await succeed(eventStore.append(stream, 'noStream', [first, second]));
        for (const sent of [
          [first, third],
          [first, second, third],
          [second, first],
        ] as const) {
          expect(await failWith(eventStore.append(stream, 'noStream', sent))).to.have.property(
            '_tag',
            'WrongExpectedRevision',
          );
        }
        expect(await succeed(eventStore.read(stream, forwards()))).to.have.length(2);
      });
    });

    describe('read', () => {
      beforeEach(() => succeed(eventStore.append(stream, 'noStream', events(5))));

      it('reads from both ends, to a limit', async () => {
        expect(numbersOf(await succeed(eventStore.read(stream, forwards())))).to.deep.equal([0, 1, 2, 3, 4]);
        expect(numbersOf(await succeed(eventStore.read(stream, backwards())))).to.deep.equal([4, 3, 2, 1, 0]);
        expect(numbersOf(await succeed(eventStore.read(stream, forwards(2))))).to.deep.equal([0, 1]);
        expect(numbersOf(await succeed(eventStore.read(stream, backwards(1))))).to.deep.equal([4]);
      });

      it('reads from a revision on, that one included', async () => {
        expect(numbersOf(await succeed(eventStore.read(stream, forwards(2, 1))))).to.deep.equal([1, 2]);
        expect(numbersOf(await succeed(eventStore.read(stream, backwards(2, 3))))).to.deep.equal([3, 2]);
        expect(numbersOf(await succeed(eventStore.read(stream, backwards(9, 0))))).to.deep.equal([0]);
      });

      it('finds nothing past the end, or in a stream that is not there', async () => {
        expect(await succeed(eventStore.read(stream, forwards(9, 5)))).to.deep.equal([]);
        expect(await succeed(eventStore.read(`${stream}-other`, forwards()))).to.deep.equal([]);
        expect(await succeed(eventStore.read(`${stream}-other`, backwards(1)))).to.deep.equal([]);
      });
    });

    describe('readAll', () => {
      it('reads the events of all streams after a position, to a limit, to the end', async () => {
        const before = await succeed(eventStore.head());
        await succeed(eventStore.append(stream, 'noStream', events(3)));
        await succeed(eventStore.append(`${stream}-other`, 'noStream', events(2)));
        await succeed(eventStore.append(stream, 2, events(1)));
        const pages: (readonly RecordedEvent[])[] = [];
        let after = before;
        for (;;) {
          const page = await succeed(eventStore.readAll(after, 4));
          if (page.length === 0) break;
          pages.push(page);
          after = page.at(-1)?.position;
        }
        expect(pages.every(({ length }) => length <= 4)).to.equal(true);
        const ours = pages.flat().filter((one) => one.stream.startsWith(stream));
        expect(ours.map((one) => [one.stream === stream, one.revision])).to.deep.equal([
          ...[0, 1, 2].map((revision) => [true, revision]),
          ...[0, 1].map((revision) => [false, revision]),
          [true, 3],
        ]);
        expect(await succeed(eventStore.read(stream, forwards()))).to.deep.equal(
          ours.filter((one) => one.stream === stream),
        );
      });

      it('begins at the very beginning', async () => {
        await succeed(eventStore.append(stream, 'noStream', events(1)));
        const [first] = await succeed(eventStore.readAll(undefined, 1));
        expect(first).not.to.equal(undefined);
        const [second] = await succeed(eventStore.readAll(first?.position, 1));
        expect(second === undefined || second.position > (first?.position ?? 0n)).to.equal(true);
      });
    });

    describe('subscribe', () => {
      it('brings what is there, then what comes, in the order of the store', async () => {
        await succeed(eventStore.append(stream, 'noStream', events(3)));
        const seen = collect(eventStore, undefined, 7, (one) => one.stream.startsWith(stream));
        await succeed(eventStore.append(`${stream}-other`, 'noStream', events(2)));
        await succeed(eventStore.append(stream, 2, events(2)));
        const recorded = await seen;
        expect(recorded.map((one) => [one.stream === stream, one.revision])).to.deep.equal([
          ...[0, 1, 2].map((revision) => [true, revision]),
          ...[0, 1].map((revision) => [false, revision]),
          ...[3, 4].map((revision) => [true, revision]),
        ]);
        const positions = recorded.map(({ position }) => position);
        expect(positions).to.deep.equal([...positions].sort((a, b) => (a < b ? -1 : 1)));
      });

      it('goes on after a position, that one left out', async () => {
        const { position } = await succeed(eventStore.append(stream, 'noStream', events(3)));
        await succeed(eventStore.append(stream, 2, events(2)));
        const seen = await collect(eventStore, position, 2, isOurs);
        expect(seen.map(({ revision }) => revision)).to.deep.equal([3, 4]);
      });

      it('waits at the end for what comes', async () => {
        const { position } = await succeed(eventStore.append(stream, 'noStream', events(1)));
        const seen = collect(eventStore, position, 1, isOurs);
        await new Promise((resolve) => setTimeout(resolve, 50));
        await succeed(eventStore.append(stream, 0, events(1)));
        expect((await seen).map(({ revision }) => revision)).to.deep.equal([1]);
      });

      it('loses nothing and repeats nothing while many write, to each of several readers', async () => {
        const head = await succeed(eventStore.head());
        const readers = [1, 2, 3].map(() =>
          collect(eventStore, head, 200, (one) => one.stream.startsWith(stream)),
        );
        await Promise.all(
          Array.from({ length: 100 }, (_, i) =>
            succeed(eventStore.append(`${stream}-${String(i)}`, 'noStream', events(2))),
          ),
        );
        for (const seen of await Promise.all(readers)) {
          expect(seen).to.have.length(200);
          expect(new Set(seen.map(({ id }) => id)).size).to.equal(200);
        }
      });

      it('gives checkpoints from which it can be taken up', async () => {
        await succeed(eventStore.append(stream, 'noStream', events(10)));
        const stop = new AbortController();
        const all: RecordedEvent[] = [];
        let checkpoint: Position | undefined;
        for await (const batch of eventStore.subscribe(undefined, stop.signal)) {
          all.push(...batch.events.filter(isOurs));
          ({ checkpoint } = batch);
          if (all.length === 10) stop.abort();
        }
        await succeed(eventStore.append(stream, 9, events(1)));
        const rest = await collect(eventStore, checkpoint, 1, isOurs);
        expect([...all, ...rest].map(({ revision }) => revision)).to.deep.equal([
          0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
        ]);
      });

      it('ends when it is told to, also while it waits', async () => {
        const head = await succeed(eventStore.head());
        const stop = new AbortController();
        const reading = (async () => {
          for await (const batch of eventStore.subscribe(head, stop.signal)) expect(batch).to.be.an('object');
        })();
        await new Promise((resolve) => setTimeout(resolve, 20));
        stop.abort();
        await reading;
      });
    });

    describe('head', () => {
      it('is the position of the last event', async () => {
        const { position } = await succeed(eventStore.append(stream, 'noStream', events(3)));
        const head = await succeed(eventStore.head());
        expect(head !== undefined && head >= position).to.equal(true);
        const [last] = await succeed(eventStore.read(stream, backwards(1)));
        expect(last?.position).to.equal(position);
      });

      it('is looked up when the task runs, each time', async () => {
        const head = eventStore.head();
        const read = eventStore.read(stream, forwards());
        const { position } = await succeed(eventStore.append(stream, 'noStream', events(1)));
        const found = await succeed(head);
        expect(found !== undefined && found >= position).to.equal(true);
        expect(await succeed(read)).to.have.length(1);
      });
    });

    describe('last', () => {
      it('is the last event, looked up each time', async () => {
        const { last } = eventStore;
        for (const expected of ['noStream', 0] as const) {
          await succeed(eventStore.append(stream, expected, events(1)));
          const found = await succeed(last);
          const [own] = await succeed(eventStore.read(stream, backwards(1)));
          // Others may write to the same server.
          const isOwn = found?.stream === stream;
          expect(isOwn ? found : (found?.position ?? 0n) > (own?.position ?? 0n)).to.deep.equal(
            isOwn ? own : true,
          );
        }
      });
    });

    describe('restart', () => {
      it('keeps events, numbers and the memory of what was sent', async () => {
        const sent = events(3);
        const first = await succeed(eventStore.append(stream, 'noStream', sent));
        const reopened = underTest.restart === undefined ? eventStore : await underTest.restart();
        expect(await succeed(reopened.append(stream, 'noStream', sent))).to.deep.equal(first);
        expect(await succeed(reopened.append(stream, 2, events(1)))).to.deep.include({ lastRevision: 3 });
        expect(numbersOf(await succeed(reopened.read(stream, forwards())))).to.deep.equal([0, 1, 2, 0]);
        const seen = await collect(reopened, undefined, 4, isOurs);
        expect(seen.map(({ revision }) => revision)).to.deep.equal([0, 1, 2, 3]);
      });
    });
  });
};
