import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  jsonEvent,
  NO_STREAM,
  START,
  STREAM_EXISTS,
  streamNameFilter,
  type AllStreamSubscription,
  type AppendExpectedRevision,
  type AppendResult,
  type JSONEventData,
} from '@eventstore/db-client';
import { expect } from 'chai';
import { spawnStandIn } from './process';
import { startStandIn, type StandIn, type StandInOptions } from './stand-in';

const newId = (): string => randomUUID();
const event = (id = newId()): JSONEventData => jsonEvent({ id, type: 'Happened', data: { n: 1 } });

const typeOf = (error: unknown): string | undefined => (error as { readonly type?: string }).type;

/** `done`, or how it failed. */
const outcome = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'done',
    (error: unknown) => typeOf(error) ?? (error as { readonly code?: number }).code,
  );

const isPending = (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([promise.then(() => false), sleep(100, true)]);

const revisions = async (client: EventStoreDBClient, stream: string): Promise<readonly bigint[]> => {
  const found: bigint[] = [];
  for await (const { event: read } of client.readStream(stream))
    if (read !== undefined) found.push(read.revision);
  return found;
};

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition()) await sleep(5);
};

/** How a subscription ends. */
const endOf = (subscription: AllStreamSubscription): Promise<string> =>
  new Promise((resolve) => {
    subscription
      .on('data', () => undefined)
      .on('error', (error: unknown) => {
        resolve(typeOf(error) ?? 'error');
      })
      .on('end', () => {
        resolve('end');
      });
  });

/** What a process says that appends an event with a client that is not guarded, and lives on for a while if it can. */
const lastWords = (prepare: string, milliseconds: number, type: string): Promise<string> => {
  const program = `
    const { startStandIn } = require(${JSON.stringify(path.join(__dirname, 'stand-in.js'))});
    const { EventStoreDBClient, jsonEvent } = require('@eventstore/db-client');
    startStandIn().then(async (standIn) => {
      ${prepare};
      const client = EventStoreDBClient.connectionString(standIn.url);
      await client.appendToStream('s', jsonEvent({ type: ${JSON.stringify(type)}, data: {} })).catch(() => {});
      setTimeout(() => process.exit(0), ${String(milliseconds)});
    });`;
  const child = spawn(process.execPath, ['-e', program], {
    cwd: __dirname,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return text(child.stderr);
};

describe('the stand-in for EventStoreDB', () => {
  let standIn: StandIn;
  let client: EventStoreDBClient;
  let folder: string;
  let dataFile: string;
  let deaths: Promise<readonly [string, string, string]>;

  before(() => {
    // One of them takes two seconds.
    deaths = Promise.all([
      lastWords('', 300, 'Happened'),
      lastWords(`standIn.faults.nextAppend({ _tag: 'AnswerTwice' })`, 300, 'Happened'),
      lastWords('', 3000, ''),
    ]);
  });

  const start = async (options?: StandInOptions): Promise<void> => {
    standIn = await startStandIn(options);
    client = EventStoreDBClient.connectionString(standIn.url);
  };
  const stop = async (): Promise<void> => {
    standIn.faults.heal();
    await client.dispose();
    await standIn.stop();
  };
  const append = (
    stream: string,
    id: string,
    expectedRevision: AppendExpectedRevision = NO_STREAM,
  ): Promise<AppendResult> => client.appendToStream(stream, event(id), { expectedRevision });

  beforeEach(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pricebook-stand-in-'));
    dataFile = path.join(folder, 'events.jsonl');
    await start();
  });
  afterEach(async () => {
    await stop();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  it('answers a resend with the position of the first answer', async () => {
    const id = newId();
    const first = await append('s', id);
    await append('other', newId());
    expect((await append('s', id)).position).to.deep.equal(first.position);
    expect(standIn.storedEvents('s').map((stored) => stored.id)).to.deep.equal([id]);
  });

  it('has events of others in $all, all at ascending positions', async () => {
    await client.appendToStream('s', [event(), event()]);
    standIn.addForeignEvents(2);
    const found: { readonly stream: string; readonly position: bigint }[] = [];
    for await (const { event: read } of client.readAll({ fromPosition: START })) {
      found.push({ stream: read?.streamId ?? '', position: read?.position.commit ?? 0n });
    }
    expect(found).to.have.length(3 + 2 + 2);
    expect(new Set(found.map(({ stream }) => stream)).size).to.equal(4);
    found.slice(1).forEach(({ position }, index) => {
      expect(position > (found[index]?.position ?? 0n)).to.equal(true);
    });
    const last: bigint[] = [];
    const options = { direction: BACKWARDS, fromPosition: END, maxCount: 1 } as const;
    for await (const { event: read } of client.readAll(options)) last.push(read?.position.commit ?? 0n);
    expect(last).to.deep.equal([found.at(-1)?.position]);
  });

  it('lets a subscription begin after a checkpoint', async () => {
    standIn.addForeignEvents(100);
    const position = await new Promise<bigint>((resolve) => {
      const filter = streamNameFilter({
        prefixes: ['s-'],
        checkpointReached: (subscription, { commit }) => {
          void subscription.unsubscribe();
          resolve(commit);
        },
      });
      void endOf(client.subscribeToAll({ filter }));
    });
    await append('s-1', newId());
    const filter = streamNameFilter({ prefixes: ['s-'] });
    const subscription = client.subscribeToAll({
      fromPosition: { commit: position, prepare: position },
      filter,
    });
    const delivered = await new Promise((resolve) => {
      subscription.on('data', ({ event: read }) => {
        resolve(read?.streamId);
      });
    });
    expect(delivered).to.equal('s-1');
    await subscription.unsubscribe();
  });

  it('takes an append that comes in several messages as one', async () => {
    const events = Array.from({ length: 10 }, () => event());
    await client.appendToStream('s', events, { batchAppendSize: 200 });
    expect(standIn.storedEvents('s')).to.have.length(10);
  });

  it('lets a live subscription to a stream see the tombstone, then ends it', async () => {
    await append('s', newId());
    const seen: bigint[] = [];
    const subscription = client.subscribeToStream('s');
    const error = new Promise((resolve) => {
      subscription
        .on('data', ({ event: read }) => seen.push(read?.revision ?? -1n))
        .on('error', (failure: unknown) => {
          resolve(typeOf(failure));
        });
    });
    await until(() => seen.length === 1);
    await client.tombstoneStream('s');
    expect(await error).to.equal('stream-deleted');
    expect(seen).to.deep.equal([0n, 2n ** 63n - 1n]);
  });

  it('has room for a hundred calls on a connection; one more waits until others end, as with the real server', async () => {
    const subscriptions = Array.from({ length: 100 }, () => client.subscribeToAll());
    subscriptions.forEach((subscription) => void endOf(subscription));
    await until(() => standIn.open().subscriptions === 100);
    expect(standIn.open()).to.deep.equal({ reads: 0, subscriptions: 100, connections: 1 });
    const read = revisions(client, '$user-admin');
    expect(await isPending(read)).to.equal(true);
    // Ended by the server: one that the client cancels still counts in a server on Node 24 when the next call comes.
    standIn.faults.dropSubscriptions('end');
    expect(await read).to.have.length(1);
  });

  describe('with a file', () => {
    const restart = async (): Promise<void> => {
      await stop();
      await start({ port: standIn.port, dataFile });
    };
    beforeEach(async () => {
      await stop();
      await start({ dataFile });
    });

    it('keeps events over a restart and forgets their ids', async () => {
      const id = newId();
      await append('s', id);
      expect(await outcome(append('s', id))).to.equal('done');
      await restart();
      expect(standIn.storedEvents('s').map((stored) => stored.id)).to.deep.equal([id]);
      expect(await outcome(append('s', id))).to.equal('wrong-expected-version');
      expect((await append('s', newId(), 0n)).nextExpectedRevision).to.equal(1n);
    });

    it('keeps deletions over a restart', async () => {
      await client.appendToStream('soft', [event(), event()]);
      await client.deleteStream('soft');
      await append('hard', newId());
      await client.tombstoneStream('hard');
      await restart();
      expect(await outcome(revisions(client, 'soft'))).to.equal('stream-not-found');
      expect(await outcome(append('soft', newId(), STREAM_EXISTS))).to.equal('stream-deleted');
      expect(await outcome(append('hard', newId()))).to.equal('stream-deleted');
      await append('soft', newId());
      await restart();
      expect(await revisions(client, 'soft')).to.deep.equal([2n]);
    });

    it('drops an append that was cut off in the file', async () => {
      await append('s', newId());
      await stop();
      const whole = fs.readFileSync(dataFile, 'utf8');
      await start({ dataFile });
      await client.appendToStream('s', [event(), event()]);
      await stop();
      const longer = fs.readFileSync(dataFile, 'utf8');
      fs.writeFileSync(dataFile, longer.slice(0, longer.length - 10));
      await start({ dataFile });
      expect(await revisions(client, 's')).to.deep.equal([0n]);
      await append('s', newId(), 0n);
      await restart();
      expect(await revisions(client, 's')).to.deep.equal([0n, 1n]);
      expect(fs.readFileSync(dataFile, 'utf8').startsWith(whole)).to.equal(true);
    });

    it('loses nothing acknowledged when its process is killed, and starts again on its port', async () => {
      const file = path.join(folder, 'killed.jsonl');
      const first = await spawnStandIn({ dataFile: file });
      const other = EventStoreDBClient.connectionString(first.url);
      const acknowledged: string[] = [];
      const write = async (stream: string): Promise<void> => {
        for (let isUp = true; isUp;) {
          const id = newId();
          isUp = await other.appendToStream(stream, event(id)).then(
            () => true,
            () => false,
          );
          if (isUp) acknowledged.push(id);
        }
      };
      const writers = Array.from({ length: 16 }, (_, index) => write(`s-${String(index)}`));
      await until(() => acknowledged.length > 100);
      await first.kill();
      await Promise.all(writers);
      const second = await spawnStandIn({ port: first.port, dataFile: file });
      expect(second.url).to.equal(first.url);
      const stored = new Set<string>();
      for await (const { event: read } of other.readAll()) stored.add(read?.id ?? '');
      expect(acknowledged.filter((id) => !stored.has(id))).to.deep.equal([]);
      await other.dispose();
      await second.kill();
    });
  });

  describe('as a process', () => {
    it('hangs while it is stopped and goes on afterwards', async () => {
      const process = await spawnStandIn();
      const other = EventStoreDBClient.connectionString(process.url);
      await other.appendToStream('s', event());
      process.signal('SIGSTOP');
      const late = other.appendToStream('s', event());
      expect(await isPending(late)).to.equal(true);
      process.signal('SIGCONT');
      expect((await late).nextExpectedRevision).to.equal(1n);
      await other.dispose();
      await process.kill();
    });
  });

  describe('when it is to fail', () => {
    it('refuses calls until told otherwise', async () => {
      await append('s', newId());
      const accept = standIn.faults.refuse('append', 'read', 'subscription', 'delete');
      expect(await outcome(append('s', newId(), 0n))).to.equal('unavailable');
      expect(await outcome(revisions(client, 's'))).to.equal('unavailable');
      expect(await endOf(client.subscribeToAll())).to.equal('unavailable');
      expect(await outcome(client.deleteStream('s'))).to.equal('unavailable');
      accept();
      await append('s', newId(), 0n);
      expect(await revisions(client, 's')).to.deep.equal([0n, 1n]);
    });

    it('refuses the question for its features', async () => {
      standIn.faults.refuse('features');
      expect(await outcome(append('s', newId()))).to.equal(14);
    });

    it('leaves appends lying, then stores and answers them', async () => {
      const release = standIn.faults.hang('append');
      const appended = append('s', newId());
      expect(await isPending(appended)).to.equal(true);
      expect(standIn.storedEvents('s')).to.have.length(0);
      release();
      expect((await appended).nextExpectedRevision).to.equal(0n);
    });

    it('stores appends and leaves their answers lying', async () => {
      const release = standIn.faults.hang('answer');
      const appended = append('s', newId());
      await until(() => standIn.storedEvents('s').length === 1);
      expect(await isPending(appended)).to.equal(true);
      release();
      await appended;
    });

    it('leaves reads, deletes and the question for its features lying', async () => {
      const release = standIn.faults.hang('features', 'read', 'delete');
      const appended = append('s', newId());
      const read = revisions(client, '$user-admin');
      const deleted = client.deleteStream('$user-admin');
      await until(() => standIn.open().reads === 1);
      expect(await isPending(Promise.race([appended, read, deleted]))).to.equal(true);
      release();
      expect(await read).to.deep.equal([0n]);
      await Promise.all([appended, deleted]);
    });

    it('leaves subscriptions lying, new and open', async () => {
      const seen = [0, 0];
      const subscribe = (index: number): AllStreamSubscription =>
        client.subscribeToAll().on('data', () => {
          seen[index] = (seen[index] ?? 0) + 1;
        });
      const subscriptions = [subscribe(0)];
      await until(() => seen[0] === 3);
      const release = standIn.faults.hang('subscription');
      subscriptions.push(subscribe(1));
      await append('s', newId());
      await sleep(50);
      expect(seen).to.deep.equal([3, 0]);
      release();
      await until(() => seen.join() === '4,4');
      await Promise.all(subscriptions.map((subscription) => subscription.unsubscribe()));
    });

    for (const what of ['call', 'connection'] as const) {
      it(`cuts the ${what} of an append before storing it, and after`, async () => {
        standIn.faults.nextAppend({ _tag: 'CutBeforeStoring', what });
        expect(await outcome(append('s', newId()))).to.equal('unavailable');
        expect(standIn.storedEvents('s')).to.have.length(0);
        standIn.faults.nextAppend({ _tag: 'CutAfterStoring', what });
        expect(await outcome(append('s', newId()))).to.equal('unavailable');
        expect(standIn.storedEvents('s')).to.have.length(1);
        expect((await append('s', newId(), 0n)).nextExpectedRevision).to.equal(1n);
      });
    }

    it('answers late', async () => {
      standIn.faults.nextAppend({ _tag: 'AnswerLate', milliseconds: 300 });
      const appended = append('s', newId());
      await until(() => standIn.storedEvents('s').length === 1);
      await appended;
    });

    it('breaks a read in the middle', async () => {
      await client.appendToStream('s', [event(), event(), event()]);
      standIn.faults.breakNextRead(2);
      const seen: unknown[] = [];
      const read = (async () => {
        for await (const resolved of client.readStream('s')) seen.push(resolved);
      })();
      expect(await outcome(read)).to.equal('unavailable');
      expect(seen).to.have.length(2);
    });

    it('drops subscriptions, with an error and without', async () => {
      const endings: string[] = [];
      for (const how of ['UNAVAILABLE', 'CANCELLED', 'INTERNAL', 'end'] as const) {
        const ending = endOf(client.subscribeToAll());
        await until(() => standIn.open().subscriptions === 1);
        standIn.faults.dropSubscriptions(how);
        endings.push(await ending);
        expect(standIn.open().subscriptions).to.equal(0);
      }
      expect(endings).to.deep.equal(['unavailable', 'cancelled', 'unknown', 'end']);
    });

    it('drops connections and takes new ones', async () => {
      const ending = endOf(client.subscribeToAll());
      await append('s', newId());
      standIn.faults.dropConnections();
      expect(await ending).to.equal('unavailable');
      await sleep(50);
      expect(await revisions(client, 's')).to.deep.equal([0n]);
    });

    it('forgets ids', async () => {
      const id = newId();
      await append('s', id);
      standIn.faults.forgetIds();
      expect(await outcome(append('s', id))).to.equal('wrong-expected-version');
    });

    it('answers twice; an event without a type always so, as the real server does', async () => {
      const [once, twice, malformed] = await deaths;
      expect(once).to.equal('');
      expect(twice).to.include('TypeError');
      expect(malformed).to.include('TypeError');
    });
  });
});
