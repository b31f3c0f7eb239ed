import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { succeed } from '@pricebook/contract-tests';
import { expect } from 'chai';
import * as E from 'fp-ts/Either';
import { type EventStoreDb, openEventStoreDb } from './event-store';
import { spawnStandIn, type StandInProcess } from './testing/stand-in/process';
import {
  endOf,
  event,
  events,
  everyCall,
  forwards,
  PREFIXES,
  standInForEachTest,
  streamNames,
  unavailable,
} from './testing/under-faults';

describe('EventStoreDB that does not answer (needs the stand-in)', () => {
  describe('refusing', () => {
    const its = standInForEachTest();

    it('is unavailable at once', async () => {
      its.standIn.faults.refuse('read');
      const [, ...reads] = everyCall(its.eventStore, 'priceBook-1');
      for (const reason of await unavailable(reads)) {
        expect(reason).to.match(/^EventStoreDB: unavailable: code 14/);
      }
    });

    for (const [what, kind, code] of [
      ['appends', 'append', 'UNAVAILABLE'],
      ['the question for what it can do', 'features', 'UNAVAILABLE'],
      ['that question in time, which the client keeps in mind', 'features', 'DEADLINE_EXCEEDED'],
      ['that question for a fault of its own, which the client keeps in mind', 'features', 'INTERNAL'],
    ] as const) {
      it(`${what} only for a while keeps no append from being stored, once`, async () => {
        const accept = its.standIn.faults.refuseAs(code, kind);
        const append = succeed(its.eventStore.append('priceBook-1', 'noStream', [event()]));
        await sleep(150);
        accept();
        expect(await append).to.deep.equal(endOf(its.standIn, 'priceBook-1'));
        expect(its.standIn.storedEvents('priceBook-1')).to.have.length(1);
      });
    }
  });

  describe('hanging', () => {
    const its = standInForEachTest();

    it('lets every call end in time, also those behind many others, and goes on where it was', async () => {
      let release = its.standIn.faults.hang('features', 'append', 'read');
      const sent = event();
      const append = its.eventStore.append('priceBook-sent', 'noStream', [sent]);
      await unavailable([
        append,
        ...streamNames(140).map((stream) => its.eventStore.append(stream, 'noStream', [event()])),
        ...streamNames(100).map((stream) => its.eventStore.read(stream, forwards)),
        ...everyCall(its.eventStore, 'priceBook-behind'),
      ]);
      // What was given up does not keep its place on the connection.
      while (its.standIn.open().reads > 0) await sleep(1);
      release();
      // Now it takes appends, and does not say so.
      release = its.standIn.faults.hang('answer', 'read');
      const later = everyCall(its.eventStore, 'priceBook-later');
      await unavailable(later);
      release();
      for (const call of everyCall(its.eventStore, 'priceBook-after')) await succeed(call);
      expect(await succeed(append)).to.deep.equal(endOf(its.standIn, 'priceBook-sent'));
      expect(its.standIn.storedEvents('priceBook-sent').map(({ id }) => id)).to.deep.equal([sent.id]);
      for (const call of later) await succeed(call);
      expect(its.standIn.storedEvents('priceBook-later')).to.have.length(1);
      // What nobody sent again is stored or not, but never twice.
      for (const stream of streamNames(140)) {
        expect(its.standIn.storedEvents(stream).length).to.be.lessThan(2);
      }
    });

    it('between the parts of a large answer is not hanging as long as they come', async () => {
      await succeed(its.eventStore.append('priceBook-1', 'noStream', events(64)));
      let release = its.standIn.faults.hang('read');
      const read = succeed(its.eventStore.read('priceBook-1', forwards));
      // Each time that it is let go it writes some sixteen, and goes on when they are taken.
      const letting = setInterval(() => {
        release();
        release = its.standIn.faults.hang('read');
      }, 350);
      const began = Date.now();
      expect(await read).to.have.length(64);
      expect(Date.now() - began).to.be.greaterThan(1_300);
      clearInterval(letting);
    });
  });

  describe('hanging on the first question, where deadlines are short', () => {
    const its = standInForEachTest({ url: '&defaultDeadline=500' });

    it('does not keep the client from asking again', async () => {
      const release = its.standIn.faults.hang('features');
      const append = succeed(its.eventStore.append('priceBook-1', 'noStream', [event()]));
      await sleep(700);
      release();
      expect(await append).to.deep.equal(endOf(its.standIn, 'priceBook-1'));
      await succeed(its.eventStore.append('priceBook-1', 0, [event()]));
      expect(its.standIn.storedEvents('priceBook-1')).to.have.length(2);
    });
  });

  describe('as a process', () => {
    let folder: string;
    let server: StandInProcess;
    let eventStore: EventStoreDb;
    beforeEach(async () => {
      folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pricebook-faults-'));
      server = await spawnStandIn({ dataFile: path.join(folder, 'events.jsonl') });
      eventStore = openEventStoreDb(server.url, PREFIXES);
    });
    afterEach(async () => {
      await eventStore.close();
      await server.kill();
      fs.rmSync(folder, { recursive: true, force: true });
    });

    it('killed and started again, has what it acknowledged once and in order, and is available', async () => {
      let isOver = false as boolean;
      const write = async (stream: string): Promise<readonly string[]> => {
        const acknowledged: string[] = [];
        for (let sent = event(); !isOver;) {
          const revision = acknowledged.length - 1;
          const appended = await eventStore.append(stream, revision < 0 ? 'noStream' : revision, [sent])();
          if (E.isLeft(appended)) {
            expect(appended.left._tag).to.equal('StoreUnavailable');
            continue;
          }
          expect(appended.right.lastRevision).to.equal(revision + 1);
          acknowledged.push(sent.id);
          sent = event();
        }
        return acknowledged;
      };
      const writers = streamNames(20).map(write);
      await sleep(100);
      await server.kill();
      const [plain, ...typed] = await unavailable(everyCall(eventStore, 'priceBook-down'));
      expect(plain).to.match(/^EventStoreDB: (Error: code 14|unavailable: code 14|NoAnswer)/);
      for (const reason of typed) expect(reason).to.match(/^EventStoreDB: unavailable: code 14/);
      server = await spawnStandIn({ port: server.port, dataFile: path.join(folder, 'events.jsonl') });
      await sleep(100);
      for (const call of everyCall(eventStore, 'priceBook-up')) await succeed(call);
      isOver = true;
      for (const [index, acknowledged] of (await Promise.all(writers)).entries()) {
        const limit = acknowledged.length + 1;
        const read = eventStore.read(`priceBook-${String(index)}`, { direction: 'forwards', limit });
        expect((await succeed(read)).map(({ id }) => id)).to.deep.equal(acknowledged);
      }
    });

    it('stopped, lets every call end in time, and closing as well; going on, it answers', async () => {
      await succeed(eventStore.append('priceBook-1', 'noStream', [event()]));
      server.signal('SIGSTOP');
      const calls = unavailable(everyCall(eventStore, 'priceBook-2'));
      await sleep(10);
      const began = Date.now();
      await eventStore.close();
      expect(Date.now() - began).to.be.within(1_000, 1_800);
      await calls;
      eventStore = openEventStoreDb(server.url, PREFIXES);
      server.signal('SIGCONT');
      await sleep(50);
      await succeed(eventStore.append('priceBook-1', 0, [event()]));
      expect(await succeed(eventStore.read('priceBook-1', forwards))).to.have.length(2);
      expect((await succeed(eventStore.read('priceBook-2', forwards))).length).to.be.lessThan(2);
    });
  });
});
