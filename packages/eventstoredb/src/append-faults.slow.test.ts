import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { failWith, succeed } from '@pricebook/contract-tests';
import { expect } from 'chai';
import { startStandIn } from './testing/stand-in/stand-in';
import { endOf, event, events, standInForEachTest, streamNames } from './testing/under-faults';

const STREAM = 'priceBook-first';

const refusalOf = (append: () => Promise<unknown>): Promise<unknown> =>
  append().then(
    () => 'done',
    (failure: unknown) => failure,
  );

describe('appends to EventStoreDB (needs the stand-in)', () => {
  const its = standInForEachTest();

  /** What would end the process, two seconds later: so another one than this. */
  const program = `
    const { startStandIn } = require('./testing/stand-in/stand-in');
    const { openEventStoreDb } = require('./event-store');
    const { event } = require('./testing/under-faults');
    (async () => {
      const standIn = await startStandIn();
      const eventStore = openEventStoreDb(standIn.url, ['priceBook-']);
      for (const fault of [{ id: 'x' }, { type: '' }]) {
        await eventStore.append('priceBook-1', 'noStream', [{ ...event(), ...fault }])().catch(() => undefined);
      }
      standIn.faults.nextAppend({ _tag: 'AnswerTwice' });
      await eventStore.append('priceBook-1', 'noStream', [event()])();
      setTimeout(() => { console.log('alive'); process.exit(); }, 3_000);
    })();`;

  let output: Promise<string>;
  before(() => {
    const child = spawn(process.execPath, ['-e', program], {
      cwd: __dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    output = text(child.stdout);
  });

  describe('whose outcome is unclear', () => {
    const storedIds = () => its.standIn.storedEvents(STREAM).map(({ id }) => id);

    /** Appends while something goes wrong, after an event that went well; expects it stored once and answered right. */
    const storedOnce = async (goWrong: () => void | Promise<void>): Promise<void> => {
      const [first, sent] = [event(), events(3)];
      await succeed(its.eventStore.append(STREAM, 'noStream', [first]));
      const append = its.eventStore.append(STREAM, 0, sent);
      const [appended] = await Promise.all([succeed(append), goWrong()]);
      expect(appended).to.deep.equal(endOf(its.standIn, STREAM));
      expect(appended.lastRevision).to.equal(3);
      expect(storedIds()).to.deep.equal([first.id, ...sent.map(({ id }) => id)]);
      expect(await succeed(append)).to.deep.equal(appended);
    };

    for (const what of ['call', 'connection'] as const) {
      it(`is stored once when the ${what} is cut before it is stored`, () => {
        return storedOnce(() => {
          its.standIn.faults.nextAppend({ _tag: 'CutBeforeStoring', what }, 3);
        });
      });

      it(`is stored once when the ${what} is cut after it is stored`, () => {
        return storedOnce(() => {
          its.standIn.faults.nextAppend({ _tag: 'CutAfterStoring', what });
        });
      });

      it(`is stored once when the ${what} is cut and the stream cannot be read`, () => {
        return storedOnce(() => {
          its.standIn.faults.nextAppend({ _tag: 'CutAfterStoring', what });
          its.standIn.faults.breakNextRead(0);
        });
      });
    }

    it('is stored once when the answer comes too late', () => {
      return storedOnce(() => {
        its.standIn.faults.nextAppend({ _tag: 'AnswerLate', milliseconds: 1_300 });
      });
    });

    it('is stored once when the answer is lost and the server forgets the ids', () => {
      return storedOnce(async () => {
        its.standIn.faults.nextAppend({ _tag: 'CutAfterStoring', what: 'connection' });
        // It is not found at once, but sent again.
        its.standIn.faults.breakNextRead(0);
        while (its.standIn.storedEvents(STREAM).length < 4) await sleep(1);
        its.standIn.faults.forgetIds();
      });
    });

    it('is a conflict when another writer was faster, and not asked for without pause', async () => {
      for (const [expected, actual] of [
        ['noStream', 1],
        [1, 3],
      ] as const) {
        const accept = its.standIn.faults.refuse('append');
        const asked = its.standIn.requests('append');
        const began = performance.now();
        const append = failWith(its.eventStore.append(STREAM, expected, events(2)));
        while (its.standIn.requests('append') - asked < 1) await sleep(1);
        its.standIn.addForeignEvents(2, STREAM);
        while (its.standIn.requests('append') - asked < 3) await sleep(1);
        // It pauses for 20 ms and more.
        expect(its.standIn.requests('append') - asked).to.be.at.most(2 + (performance.now() - began) / 20);
        accept();
        expect(await append).to.deep.equal({ _tag: 'WrongExpectedRevision', actual });
        expect(its.standIn.storedEvents(STREAM)).to.have.length(actual + 1);
      }
    });
  });

  describe('answered when nobody waits any more', () => {
    it('do no harm when they are answered twice', async () => {
      its.standIn.faults.nextAppend({ _tag: 'AnswerTwice' }, 20);
      await Promise.all(
        streamNames(20).map((stream) => succeed(its.eventStore.append(stream, 'noStream', [event()]))),
      );
      await sleep(50);
    });

    it('do no harm when a broken stream of another client has taken them for lost', async () => {
      await succeed(its.eventStore.append(STREAM, 'noStream', [event()]));
      const other = await startStandIn();
      const otherClient = EventStoreDBClient.connectionString(other.url);
      await otherClient.appendToStream('other', jsonEvent({ type: 'Other', data: {} }));

      const release = its.standIn.faults.hang('answer');
      const appends = streamNames(5).map((stream) =>
        succeed(its.eventStore.append(stream, 'noStream', [event()])),
      );
      while (streamNames(5).some((stream) => its.standIn.storedEvents(stream).length === 0)) await sleep(1);
      const began = Date.now();
      await other.stop();
      expect((await Promise.all(appends)).map(({ lastRevision }) => lastRevision)).to.deep.equal([
        0, 0, 0, 0, 0,
      ]);
      // They were rejected and looked for, and did not have to be waited for.
      expect(Date.now() - began).to.be.lessThan(500);
      release();
      await sleep(50);
      await succeed(its.eventStore.append(STREAM, 0, [event()]));
    });
  });

  describe('malformed events', () => {
    for (const [what, fault] of [
      ['an id that is no UUID', { id: 'event-1' }],
      ['no type', { type: '' }],
    ] as const) {
      it(`are defects, and are not sent: ${what}`, async () => {
        const append = its.eventStore.append(STREAM, 'noStream', [event(), { ...event(), ...fault }]);
        expect(await refusalOf(append)).to.be.instanceOf(Error);
        expect([its.standIn.requests('features'), its.standIn.requests('append')]).to.deep.equal([0, 0]);
      });
    }

    it('do not end the process', async () => {
      expect(await output).to.equal('alive\n');
    });
  });
});

describe('many appends to EventStoreDB, on a machine as busy as it may be (needs the stand-in)', () => {
  const its = standInForEachTest({ limitMs: 60_000 });
  it('do no harm when many large ones wait for a full connection, and it breaks', async () => {
    await succeed(its.eventStore.append(STREAM, 'noStream', [event()]));
    for (const round of [1, 2]) {
      const appends = streamNames(100).map((stream) =>
        succeed(its.eventStore.append(`${stream}-${String(round)}`, 'noStream', [event('x'.repeat(30_000))])),
      );
      await sleep(round * 3);
      its.standIn.faults.dropConnections();
      await Promise.all(appends);
    }
  });
});
