/** Processes that append to the same folder at the same time: one serves it, the others write beside it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import readline from 'node:readline';
import { succeed } from '@pricebook/contract-tests';
import { expect } from 'chai';
import { v4 } from 'uuid';
import { type EmbeddedEventStore, openEmbeddedEventStore } from './event-store';
import { newFolder, removeFolder } from './testing/folder';

const PROGRAM = path.join(__dirname, 'testing', 'append-events.js');
const BYTES = 2_000;

interface Writer {
  readonly child: ChildProcess;
  /** The streams to which it has appended an event each, once it has ended. */
  readonly acknowledged: Promise<readonly string[]>;
}

const startWriter = (folder: string, count: number): Writer => {
  const args = [PROGRAM, folder, String(count), '8', 'append', String(BYTES)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const read = async (): Promise<readonly string[]> => {
    const streams: string[] = [];
    for await (const line of readline.createInterface({ input: child.stdout })) {
      if (line.startsWith('failed')) throw new Error(line);
      const stream = /^acknowledged (.*)$/.exec(line)?.[1];
      if (stream !== undefined) streams.push(stream);
    }
    return streams;
  };
  return { child, acknowledged: read() };
};

describe('an embedded event store beside others that append', () => {
  let folder: string;
  let eventStore: EmbeddedEventStore;
  beforeEach(() => {
    folder = newFolder();
    eventStore = openEmbeddedEventStore(folder);
  });
  afterEach(async () => {
    await eventStore.close();
    removeFolder(folder);
  });

  const event = (n: number) => ({
    id: v4(),
    type: 'Appended',
    data: { n, padding: 'x'.repeat(BYTES) },
    metadata: {},
  });

  /** Appends for as long as the others do. */
  const appendUntil = async (isOver: () => boolean): Promise<readonly string[]> => {
    const streams: string[] = [];
    for (let n = 0; !isOver(); n += 1) {
      const stream = `priceBook-${v4()}`;
      await succeed(eventStore.append(stream, 'noStream', [event(n)]));
      streams.push(stream);
    }
    return streams;
  };

  it('has every event of each of them once, in one order, and its subscription sees all of that', async () => {
    // Enough of them that the file outgrows several times what a process has mapped of it at first.
    const writers = [startWriter(folder, 800), startWriter(folder, 800)];
    let isOver = false;
    const own = appendUntil(() => isOver);
    const foreign = (await Promise.all(writers.map(({ acknowledged }) => acknowledged))).flat();
    isOver = true;
    const written = [...foreign, ...(await own)];
    expect(foreign).to.have.length(1_600);

    const seen: (readonly [bigint, string])[] = [];
    const stop = new AbortController();
    for await (const { events } of eventStore.subscribe(undefined, stop.signal)) {
      for (const { position, stream } of events) seen.push([position, stream]);
      if (seen.length >= written.length) stop.abort();
    }
    expect(seen.map(([position]) => position)).to.deep.equal(written.map((_, n) => BigInt(n + 1)));
    expect(new Set(seen.map(([, stream]) => stream))).to.deep.equal(new Set(written));
  }).timeout(60_000);

  it('tells a subscription that waits of what another process appends', async () => {
    const stop = new AbortController();
    const waiting = (async () => {
      for await (const { events } of eventStore.subscribe(undefined, stop.signal)) return events;
      return [];
    })();
    const { acknowledged } = startWriter(folder, 1);
    const [stream] = await acknowledged;
    const began = Date.now();
    const [first] = await waiting;
    expect(first?.stream).to.equal(stream);
    expect(Date.now() - began).to.be.below(1_000);
    stop.abort();
  }).timeout(10_000);

  it('goes on where another process is killed while it appends', async () => {
    let isOver = false;
    const own = appendUntil(() => isOver);
    const foreign: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      const { child, acknowledged } = startWriter(folder, 100_000);
      // At its work, and not always at the same point of it.
      child.stdout?.once('data', () => setTimeout(() => child.kill('SIGKILL'), 70 * round));
      await once(child, 'close');
      foreign.push(...(await acknowledged));
    }
    isOver = true;
    const written = [...foreign, ...(await own)];
    const stored = new Set<string>();
    for (let after: bigint | undefined; ;) {
      const page = await succeed(eventStore.readAll(after, 1_000));
      if (page.length === 0) break;
      for (const { stream, position } of page) {
        expect(position).to.equal((after ?? 0n) + 1n);
        after = position;
        stored.add(stream);
      }
    }
    // What was stored without an acknowledgement is there as well.
    expect(written.filter((stream) => !stored.has(stream))).to.deep.equal([]);
    expect(foreign.length).to.be.above(10);
  }).timeout(60_000);
});
