import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDBClient } from '@eventstore/db-client';
import { type EventBatch, isStoreError, type Position, type RecordedEvent } from '@pricebook/application';
import { failWith, succeed } from '@pricebook/contract-tests';
import { expect } from 'chai';
import * as fc from 'fast-check';
import {
  endOf,
  event,
  events,
  forwards,
  standInForEachTest,
  streamNames,
  unavailable,
} from './testing/under-faults';

/** What is written, by whom, and whether subscriptions are dropped then. */
interface Step {
  readonly ours: number;
  readonly others: number;
  readonly drop: 'UNAVAILABLE' | 'end' | undefined;
}

describe('an EventStoreDB that others use as well (needs the stand-in)', () => {
  const its = standInForEachTest();

  /** What a subscription brings until it has come to a position. */
  const follow = async (
    after: Position | undefined,
    until: () => Position,
  ): Promise<readonly EventBatch[]> => {
    const stop = new AbortController();
    const batches: EventBatch[] = [];
    for await (const batch of its.eventStore.subscribe(after, stop.signal)) {
      batches.push(batch);
      if (batch.checkpoint >= until()) stop.abort();
    }
    return batches;
  };

  describe('subscriptions', () => {
    it('bring nothing of others, and checkpoints that pass it', async () => {
      await succeed(its.eventStore.append('priceBook-1', 'noStream', events(2)));
      its.standIn.addForeignEvents(600);
      its.standIn.addForeignEvents(600, 'other-priceBook-1');
      const passed = endOf(its.standIn, 'somebody-else').position;
      const batches = await follow(undefined, () => passed);
      expect(batches.flatMap((batch) => batch.events.map(({ stream }) => stream))).to.deep.equal([
        'priceBook-1',
        'priceBook-1',
      ]);
      const checkpoint = batches.at(-1)?.checkpoint ?? 0n;
      const behind = await succeed(its.eventStore.append('priceBook-1', 1, events(1)));
      const next = await follow(checkpoint, () => behind.position);
      expect(next.flatMap((batch) => batch.events).map(({ revision }) => revision)).to.deep.equal([2]);
    });

    /** Follows from checkpoint to checkpoint until so many events have come. */
    const followOn = async (
      after: Position,
      count: number,
      pauseMs: number,
    ): Promise<readonly RecordedEvent[]> => {
      const stop = new AbortController();
      const given: RecordedEvent[] = [];
      let passed = after;
      while (!stop.signal.aborted) {
        try {
          for await (const { events: found, checkpoint } of its.eventStore.subscribe(passed, stop.signal)) {
            for (const { position } of found) {
              expect(position > passed && position <= checkpoint).to.equal(true);
            }
            passed = checkpoint;
            given.push(...found);
            if (given.length >= count) stop.abort();
            await sleep(pauseMs);
          }
        } catch (failure) {
          if (!isStoreError(failure)) throw failure;
        }
      }
      return given;
    };

    it('never give a checkpoint that passes what they have not given', async () => {
      const step: fc.Arbitrary<Step> = fc.record({
        ours: fc.integer({ min: 0, max: 400 }),
        others: fc.integer({ min: 0, max: 700 }),
        drop: fc.constantFrom('UNAVAILABLE', 'end', undefined),
      });
      let run = 0;
      const check = async (steps: readonly Step[], pauseMs: number): Promise<void> => {
        run += 1;
        const stream = `priceBook-${String(run)}`;
        const count = steps.reduce((sum, { ours }) => sum + ours, 1);
        const following = followOn((await its.eventStore.end()) ?? 0n, count, pauseMs);
        const last = { ours: 1, others: 0, drop: undefined };
        let sent = 0;
        for (const { ours, others, drop } of [...steps, last]) {
          if (ours > 0) {
            await succeed(its.eventStore.append(stream, sent === 0 ? 'noStream' : sent - 1, events(ours)));
          }
          sent += ours;
          its.standIn.addForeignEvents(others);
          if (drop !== undefined) its.standIn.faults.dropSubscriptions(drop);
        }
        expect((await following).map(({ revision }) => revision)).to.deep.equal(
          Array.from({ length: count }, (_, revision) => revision),
        );
      };
      await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), fc.nat(4), check), {
        numRuns: 8,
      });
    });

    it('go on behind a stream that was deleted for good, and behind one that can be written anew', async () => {
      const client = EventStoreDBClient.connectionString(its.standIn.url);
      for (const stream of ['priceBook-soft', 'priceBook-hard']) {
        await succeed(its.eventStore.append(stream, 'noStream', events(3)));
      }
      const end = await its.eventStore.end();
      let last = 1n << 128n;
      const live = follow(end, () => last);
      while (its.standIn.open().subscriptions === 0) await sleep(1);
      await client.deleteStream('priceBook-soft');
      await client.tombstoneStream('priceBook-hard');
      expect(await succeed(its.eventStore.read('priceBook-soft', forwards))).to.deep.equal([]);
      for (const call of [
        its.eventStore.read('priceBook-hard', forwards),
        its.eventStore.append('priceBook-hard', 2, [event()]),
      ]) {
        expect(await failWith<unknown>(call)).to.deep.include({
          _tag: 'StoreDamaged',
          where: 'stream priceBook-hard',
        });
      }
      const anew = await succeed(its.eventStore.append('priceBook-soft', 'noStream', [event()]));
      expect(anew.lastRevision).to.equal(3);
      last = (await succeed(its.eventStore.append('priceBook-new', 'noStream', [event()]))).position;

      const expected = [
        ['priceBook-soft', 3],
        ['priceBook-new', 0],
      ];
      const seen = (batches: readonly EventBatch[]) =>
        batches.flatMap((batch) => batch.events).map(({ stream, revision }) => [stream, revision]);
      expect(seen(await live)).to.deep.equal(expected);
      expect(seen(await follow(end, () => last))).to.deep.equal(expected);
      expect(await succeed(its.eventStore.head())).to.equal(last);
      await client.dispose();
    });
  });

  describe('the head', () => {
    const reads = async <A>(work: Promise<A>): Promise<readonly [A, number]> => {
      const before = its.standIn.requests('read');
      return [await work, its.standIn.requests('read') - before];
    };

    it('is that of our last event, found once behind many of others', async () => {
      const { position } = await succeed(its.eventStore.append('priceBook-1', 'noStream', events(2)));
      its.standIn.addForeignEvents(3_000);
      its.standIn.addForeignEvents(1, 'other-priceBook-1');
      const [first, needed] = await reads(succeed(its.eventStore.head()));
      expect([first, needed > 1 && needed < 8]).to.deep.equal([position, true]);
      expect(await reads(succeed(its.eventStore.head()))).to.deep.equal([position, 1]);
      its.standIn.addForeignEvents(7);
      expect(await reads(succeed(its.eventStore.head()))).to.deep.equal([position, 2]);
      expect(await reads(succeed(its.eventStore.head()))).to.deep.equal([position, 1]);
      const next = await succeed(its.eventStore.append('apiKeys', 'noStream', events(1)));
      expect(await reads(succeed(its.eventStore.head()))).to.deep.equal([next.position, 1]);
      expect(await its.eventStore.end()).to.equal(next.position);
    });

    it('is undefined where there is none of ours, and that is found once as well', async () => {
      expect(await succeed(its.eventStore.head())).to.equal(undefined);
      its.standIn.addForeignEvents(3_000);
      const [nothing, needed] = await reads(succeed(its.eventStore.head()));
      expect([nothing, needed > 1]).to.deep.equal([undefined, true]);
      expect(await reads(succeed(its.eventStore.head()))).to.deep.equal([undefined, 1]);
      const first = await succeed(its.eventStore.append('priceBook-1', 'noStream', events(1)));
      expect(await reads(succeed(its.eventStore.head()))).to.deep.equal([first.position, 1]);
    });
  });

  describe('reading all', () => {
    it('brings ours in order, each once, past any number of those of others', async () => {
      const expected: string[] = [];
      for (const stream of streamNames(4)) {
        its.standIn.addForeignEvents(700);
        const sent = events(3);
        await succeed(its.eventStore.append(stream, 'noStream', sent));
        expected.push(...sent.map(({ id }) => id));
      }
      its.standIn.addForeignEvents(100);
      for (const limit of [1, 2, 1_000]) {
        const before = its.standIn.requests('read');
        const found: RecordedEvent[] = [];
        for (;;) {
          const page = await succeed(its.eventStore.readAll(found.at(-1)?.position, limit));
          if (page.length === 0) break;
          expect(page.length).to.be.lessThan(limit + 1);
          found.push(...page);
        }
        expect(found.map(({ id }) => id)).to.deep.equal(expected);
        expect(its.standIn.requests('read') - before).to.be.lessThan(80);
      }
    });

    it('fails where the server fails in the middle', async () => {
      await succeed(its.eventStore.append('priceBook-1', 'noStream', events(20)));
      its.standIn.faults.breakNextRead(10);
      await unavailable([its.eventStore.readAll(undefined, 100)]);
      its.standIn.faults.breakNextRead(10);
      await unavailable([its.eventStore.read('priceBook-1', forwards)]);
    });
  });
});
