/** `pricebook keys` beside services as their users run them, and without any. Those are processes of their own. */
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { EventStore } from '@pricebook/application';
import { openEmbeddedEventStore } from '@pricebook/embedded';
import { openEventStoreDb } from '@pricebook/eventstoredb';
import { startEventStoreDb } from '@pricebook/eventstoredb/testing';
import { expect } from 'chai';
import { allEvents } from '../testing/audit';
import { endAll } from '../testing/end-all';
import { runCommand } from '@pricebook/service/testing';
import { runAsProcess, startCommand } from '../testing/command';
import { createBooks, startLoad } from '../testing/load';
import { type ServiceProcess, startProcess } from '../testing/service-process';
import { newFolder, TEST_KEY } from '../testing/test-service';

const SECOND_MS = 1_000;

interface Created {
  readonly id: string;
  readonly key: string;
}

/** Asks until the key gets the answer; how long that took. */
const until = async (url: string, key: string, status: number): Promise<number> => {
  const began = performance.now();
  for (;;) {
    const answer = await fetch(`${url}/v1/pricebooks`, { headers: { 'x-api-key': key } });
    await answer.arrayBuffer();
    if (answer.status === status) return performance.now() - began;
    if (performance.now() - began > 10 * SECOND_MS) throw new Error(`still ${String(answer.status)}`);
    await delay(20);
  }
};

describe('pricebook keys', () => {
  let folder: string;
  const running: ServiceProcess[] = [];
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(async () => {
    await endAll(running);
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const start = (environment: Readonly<Record<string, string>>): ServiceProcess => {
    const service = startProcess(['serve'], { PORT: '0', PRICEBOOK_DATA_DIR: folder, ...environment });
    running.push(service);
    return service;
  };

  /** What the command writes to standard output; it has to end with the status. */
  const keys = async (
    args: readonly string[],
    { status = 0, ...environment }: { readonly status?: number; readonly EVENTSTOREDB_URL?: string } = {},
    run = runCommand,
  ): Promise<{ readonly output: string; readonly said: string }> => {
    const ended = await run(['keys', ...args], { PRICEBOOK_DATA_DIR: folder, ...environment });
    expect(ended.status, ended.said).to.equal(status);
    return ended;
  };
  const create = async (scope: string, environment: { readonly EVENTSTOREDB_URL?: string } = {}) =>
    JSON.parse(
      (await keys(['create', '--name', 'A key', '--scope', scope, '--json'], environment)).output,
    ) as Created;

  const expectWhole = async (eventStore: EventStore): Promise<void> => {
    const revisions = new Map<string, number>();
    for (const { stream, revision } of await allEvents(eventStore)) {
      expect(revision, stream).to.equal(revisions.get(stream) ?? 0);
      revisions.set(stream, revision + 1);
    }
  };

  it('works on a folder that nobody serves, also on one that is new', async () => {
    const { output, said } = await keys(['create', '--name', 'Ops', '--scope', 'admin'], {}, runAsProcess);
    expect(output).to.match(/^pbk_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}\n$/);
    const key = output.trim();
    const id = key.slice(4, 12);
    expect(said).to.include(`Key ${id} was created.`).and.not.to.include(key);
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const args = ['create', '--name', 'Shop \u001b[31m', '--scope', 'read', '--scope', 'write'];
    const shop = JSON.parse((await keys([...args, '--expires', soon, '--json'])).output) as Created;
    expect(shop).to.deep.include({ name: 'Shop \u001b[31m', scopes: ['read', 'write'], expiresAt: soon });

    const [head = '', first = '', second = '', ...others] = (await keys(['list'])).output.split('\n');
    expect(others).to.deep.equal(['']);
    expect(head).to.match(/^id +scopes +created +last used +expires +name$/);
    expect(first).to.match(
      new RegExp(`^${id}  admin   [-0-9]+T[:0-9]+Z  never              never              Ops$`),
    );
    expect(second).to.include(`${shop.id}  read,write  `).and.to.include('Shop \\u001b[31m');

    const service = start({});
    const url = await service.ready;
    expect(service.output()).not.to.include('There was no API key');
    await until(url, key, 200);
    service.child.kill('SIGTERM');
    expect(await service.ended).to.deep.equal({ code: 0, signal: null });
    const [listed] = (await keys(['list', '--json'])).output
      .split('\n')
      .map((line) => JSON.parse(line === '' ? '{}' : line) as Readonly<Record<string, unknown>>);
    // Stopped in order, the service has left when the key was used.
    expect(listed).to.have.property('lastUsedAt');
  }).timeout(30_000);

  it('names every fault of what is asked, and does nothing', async () => {
    const faulty = ['create', '--name', ' ', '--scope', 'root', '--expires', 'soon'];
    const { said } = await keys(faulty, { status: 1 });
    for (const option of [
      '--name must have',
      '--scope must be one of: read, write, admin',
      '--expires must be',
    ]) {
      expect(said).to.include(option);
    }
    expect(fs.readdirSync(folder)).to.deep.equal([]);
    await create('admin');
    const past = ['create', '--name', 'A', '--scope', 'read', '--expires', '2020-01-01T00:00:00Z'];
    expect((await keys(past, { status: 1 })).said).to.include('--expires must be in the future');
    expect((await keys(['revoke', 'unknown1'], { status: 1 })).said).to.include('No key');
  }).timeout(20_000);

  it('gives a key another name', async () => {
    const { id } = await create('admin');
    const { said } = await keys(['rename', id, 'Shop, 2027']);
    expect(said).to.include(`Key ${id} has the name Shop, 2027.`);
    expect((await keys(['list'])).output).to.match(new RegExp(`${id} .*  Shop, 2027\n`));
    expect((await keys(['rename', id, ' '], { status: 1 })).said).to.include('<name> must have');
    expect((await keys(['rename', 'unknown1', 'A'], { status: 1 })).said).to.include('No key');
  }).timeout(20_000);

  it('keeps the last admin key', async () => {
    const { id } = await create('admin');
    expect((await keys(['revoke', id], { status: 1 })).said).to.include('last key of the scope admin');
    const next = await create('admin');
    await keys(['revoke', id]);
    expect((await keys(['list'])).output)
      .to.include(next.id)
      .and.not.to.include(id);
  }).timeout(20_000);

  it('beside a service that writes: no event lost or twice, keys let in and refused within a second', async () => {
    const service = start({ PRICEBOOK_BOOTSTRAP_KEY: TEST_KEY, LOG_LEVEL: 'warn' });
    const url = await service.ready;
    const books = await createBooks(url, 4);
    const load = startLoad(url, books, 8);
    const took: number[] = [];
    const kept: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      // Several at a time, so that they get in each other's way as well.
      const [first, second, third] = await Promise.all([create('read'), create('write'), create('admin')]);
      for (const { key } of [first, second, third]) took.push(await until(url, key, 200));
      await Promise.all([keys(['revoke', first.id]), keys(['revoke', second.id])]);
      for (const { key } of [first, second]) took.push(await until(url, key, 401));
      kept.push(third.id);
    }
    await load.stop();
    expect(Math.max(...took), took.map(Math.round).join(', ')).to.be.below(SECOND_MS);
    expect(load.observed.filter(({ status }) => status !== 200)).to.deep.equal([]);
    const writes = load.attempts.length;
    expect(writes).to.be.above(100);

    // Nothing else is written now: the projector hears of what another process appends.
    const last = await create('read');
    kept.push(last.id);
    const began = performance.now();
    for (;;) {
      const ready = await fetch(`${url}/health/ready`);
      const { projection } = (await ready.json()) as {
        readonly projection: { readonly lag: { readonly events: number }; readonly head: string };
      };
      if (projection.lag.events === 0) break;
      if (performance.now() - began > SECOND_MS)
        throw new Error('the projector has not noticed within a second');
      await delay(20);
    }
    service.child.kill('SIGTERM');
    expect(await service.ended).to.deep.equal({ code: 0, signal: null });

    const eventStore = openEmbeddedEventStore(folder, 'read');
    try {
      await expectWhole(eventStore);
      const events = await allEvents(eventStore);
      expect(events.map(({ position }) => position)).to.deep.equal(events.map((_, n) => BigInt(n + 1)));
      // 5 rounds of three keys and two revocations, and the last one.
      expect(events.filter(({ stream }) => stream === 'apiKeys')).to.have.length(26);
      expect(events).to.have.length(26 + books.length + writes);
    } finally {
      await eventStore.close();
    }
    const listed = (await keys(['list', '--json'])).output.trim().split('\n');
    expect(listed.map((line) => (JSON.parse(line) as Created).id)).to.have.members(kept);
  }).timeout(120_000);

  it('killed at any time beside a service, it holds nobody up and leaves no half of anything', async () => {
    const service = start({ PRICEBOOK_BOOTSTRAP_KEY: TEST_KEY, LOG_LEVEL: 'warn' });
    const url = await service.ready;
    const load = startLoad(url, await createBooks(url, 2), 4);
    for (let round = 0; round < 12; round += 1) {
      const args = ['keys', 'create', '--name', 'A key', '--scope', 'read'];
      const { child, ended } = startCommand(args, { PRICEBOOK_DATA_DIR: folder });
      await delay(200 + round * 40);
      child.kill('SIGKILL');
      await ended;
    }
    await load.recovered();
    await load.stop();
    expect(load.observed.filter(({ status }) => status !== 200)).to.deep.equal([]);
    service.child.kill('SIGTERM');
    expect(await service.ended).to.deep.equal({ code: 0, signal: null });
    const eventStore = openEmbeddedEventStore(folder, 'read');
    try {
      await expectWhole(eventStore);
    } finally {
      await eventStore.close();
    }
  }).timeout(60_000);

  it('on EventStoreDB: what one instance or the command does holds on every instance within a second', async () => {
    const server = await startEventStoreDb();
    const onServer = { EVENTSTOREDB_URL: server.url };
    try {
      const services = ['a', 'b'].map((name) =>
        start({
          ...onServer,
          PRICEBOOK_BOOTSTRAP_KEY: TEST_KEY,
          PRICEBOOK_DATA_DIR: path.join(folder, name),
        }),
      );
      const urls = await Promise.all(services.map(({ ready }) => ready));
      const [one = '', other = ''] = urls;
      const byCommand = await create('read', onServer);
      for (const url of urls) expect(await until(url, byCommand.key, 200)).to.be.below(SECOND_MS);
      const headers = { 'x-api-key': TEST_KEY, 'content-type': 'application/json' };
      const answer = await fetch(`${one}/v1/api-keys`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ name: 'A', scopes: ['read'] }),
      });
      const byOne = (await answer.json()) as Created;
      expect(await until(other, byOne.key, 200)).to.be.below(SECOND_MS);
      await fetch(`${other}/v1/api-keys/${byOne.id}`, { method: 'DELETE', headers });
      expect(await until(one, byOne.key, 401)).to.be.below(SECOND_MS);
      await keys(['revoke', byCommand.id], onServer);
      for (const url of urls) expect(await until(url, byCommand.key, 401)).to.be.below(SECOND_MS);
      const eventStore = openEventStoreDb(server.url, ['apiKeys']);
      await expectWhole(eventStore);
      await eventStore.close();
    } finally {
      await server.stop();
    }
  }).timeout(60_000);
});
