import { setTimeout as sleep } from 'node:timers/promises';
import { succeed } from '@pricebook/contract-tests';
import { expect } from 'chai';
import { openEventStoreDb } from './event-store';
import { startStandIn } from './testing/stand-in/stand-in';
import {
  event,
  events,
  everyCall,
  forwards,
  PREFIXES,
  standInForEachTest,
  streamNames,
  unavailable,
} from './testing/under-faults';

describe('the connection to EventStoreDB (needs the stand-in)', () => {
  describe('under load', () => {
    const its = standInForEachTest({ limitMs: 60_000 });

    it('carries more calls at once than it has room for', async () => {
      const streams = streamNames(220);
      const answers = await Promise.all(
        streams.map(async (stream) => {
          const append = succeed(its.eventStore.append(stream, 'noStream', events(2)));
          const read = succeed(its.eventStore.read(`${stream}-other`, forwards));
          return [(await append).lastRevision, (await read).length];
        }),
      );
      expect(answers).to.deep.equal(streams.map(() => [1, 0]));
      const found = await Promise.all(
        streams.map((stream) => succeed(its.eventStore.read(stream, forwards))),
      );
      expect(found.map(({ length }) => length)).to.deep.equal(streams.map(() => 2));
      expect(its.standIn.open()).to.deep.include({ reads: 0, connections: 1 });
    });

    it('has room for an append while many reads are not answered', async () => {
      const release = its.standIn.faults.hang('read');
      const reads = streamNames(150).map((stream) => succeed(its.eventStore.read(stream, forwards)));
      while (its.standIn.open().reads < 50) await sleep(1);
      await succeed(its.eventStore.append('priceBook-1', 'noStream', [event()]));
      release();
      await Promise.all(reads);
    });
  });

  describe('closing', () => {
    const its = standInForEachTest({ limitMs: 60_000 });

    it('waits for what is in flight', async () => {
      its.standIn.faults.nextAppend({ _tag: 'CutBeforeStoring', what: 'call' }, 2);
      const appends = streamNames(200).map((stream) =>
        succeed(its.eventStore.append(stream, 'noStream', events(2))),
      );
      const reads = [1, 2, 3].map(() => succeed(its.eventStore.readAll(undefined, 1_000)));
      await sleep(10);
      await its.eventStore.close();
      for (const stream of streamNames(200)) expect(its.standIn.storedEvents(stream)).to.have.length(2);
      await Promise.all([...appends, ...reads]);
    });

    it('waits for what is tried again', async () => {
      const accept = its.standIn.faults.refuse('append');
      const append = succeed(its.eventStore.append('priceBook-1', 'noStream', [event()]));
      setTimeout(accept, 100);
      await sleep(10);
      await its.eventStore.close();
      expect(its.standIn.storedEvents('priceBook-1')).to.have.length(1);
      await append;
    });

    it('comes before opening again', async () => {
      const first = its.eventStore;
      expect(() => openEventStoreDb(its.standIn.url, PREFIXES)).to.throw('already');
      await first.close();
      for (const url of ['http://127.0.0.1', `${its.standIn.url}&throwOnAppendFailure=false`]) {
        expect(() => openEventStoreDb(url, PREFIXES)).to.throw();
      }
      const second = openEventStoreDb(its.standIn.url, PREFIXES);
      await succeed(second.append('priceBook-1', 'noStream', [event()]));
      // The first is closed already: that changes nothing.
      await first.close();
      expect(() => openEventStoreDb(its.standIn.url, PREFIXES)).to.throw('already');
      await second.close();
    });
  });

  describe('with a client that had to be replaced', () => {
    const its = standInForEachTest();

    it('cuts no read short, and ends a subscription so that it is taken up again', async () => {
      await succeed(its.eventStore.append('priceBook-1', 'noStream', events(50)));
      its.standIn.faults.dropConnections();
      await sleep(50);
      const { hang, refuseAs } = its.standIn.faults;
      const subscription = (async () => {
        for await (const batch of its.eventStore.subscribe(
          await its.eventStore.end(),
          new AbortController().signal,
        )) {
          expect(batch.events).to.have.length(0);
        }
      })().catch((failure: unknown) => failure);
      while (its.standIn.open().subscriptions === 0) await sleep(1);
      let release = hang('read');
      const read = succeed(its.eventStore.read('priceBook-1', forwards));
      while (its.standIn.open().reads === 0) await sleep(1);
      // Some of it comes, and some is still to come.
      release();
      release = hang('read');
      const accept = refuseAs('INTERNAL', 'features');
      const append = its.eventStore.append('priceBook-2', 'noStream', [event()])();
      await sleep(100);
      accept();
      await sleep(100);
      release();
      await append;
      expect(await read).to.have.length(50);
      expect(await subscription).to.have.property('_tag', 'StoreUnavailable');
      await succeed(its.eventStore.append('priceBook-3', 'noStream', [event()]));
    });
  });

  describe('to several hosts', () => {
    const its = standInForEachTest();

    it('survives that no leader is found, and finds the next one', async () => {
      await its.eventStore.close();
      const { port } = its.standIn;
      const eventStore = openEventStoreDb(`esdb://127.0.0.1:1,127.0.0.1:${String(port)}?tls=false`, PREFIXES);
      await succeed(eventStore.append('priceBook-1', 'noStream', [event()]));
      const accept = its.standIn.faults.refuse('read');
      await unavailable([eventStore.read('priceBook-1', forwards)]);
      accept();
      // It looks for the leader while the append stream to the last one breaks.
      const calls = unavailable(everyCall(eventStore, 'priceBook-2'));
      await its.standIn.stop();
      await calls;
      await sleep(200);
      const next = await startStandIn({ port });
      await sleep(200);
      for (const call of everyCall(eventStore, 'priceBook-3')) await succeed(call);
      expect(next.storedEvents('priceBook-3')).to.have.length(1);
      await eventStore.close();
      await next.stop();
    });
  });
});
