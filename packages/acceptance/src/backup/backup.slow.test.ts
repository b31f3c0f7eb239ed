/** Backups as operators make them: from a service that is written to, brought back elsewhere. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { RecordedEvent } from '@pricebook/application';
import { openEmbeddedEventStore } from '@pricebook/embedded';
import { expect } from 'chai';
import { runCommand } from '@pricebook/service/testing';
import { runAsProcess } from '../testing/command';
import { createBooks, startLoad } from '../testing/load';
import { type ServiceProcess, startProcess } from '../testing/service-process';
import { TEST_KEY } from '../testing/test-service';
import { runVerify } from '../testing/verify';

const readAll = async (folder: string): Promise<readonly RecordedEvent[]> => {
  const eventStore = openEmbeddedEventStore(folder, 'read');
  const events: RecordedEvent[] = [];
  for (;;) {
    const page = await eventStore.readAll(events.at(-1)?.position, 1_000)();
    if (page._tag === 'Left') throw new Error(JSON.stringify(page.left));
    if (page.right.length === 0) break;
    events.push(...page.right);
  }
  await eventStore.close();
  return events;
};

describe('backup and restore', () => {
  let root: string;
  let services: ServiceProcess[];
  beforeEach(() => {
    root = fs.mkdtempSync(path.join(os.tmpdir(), 'pricebook-backup-'));
    services = [];
  });
  afterEach(async () => {
    for (const { child, ended } of services) {
      child.kill('SIGKILL');
      await ended;
    }
    fs.rmSync(root, { recursive: true, force: true });
  });

  const inRoot = (name: string): string => path.join(root, name);
  const environmentOf = (name: string): Readonly<Record<string, string>> => ({
    PRICEBOOK_DATA_DIR: inRoot(name),
    PRICEBOOK_BOOTSTRAP_KEY: TEST_KEY,
    PORT: '0',
    LOG_LEVEL: 'error',
  });

  const start = (name: string): ServiceProcess => {
    const service = startProcess(['serve'], environmentOf(name));
    services.push(service);
    return service;
  };

  const command = (folder: string, ...args: readonly string[]) => runCommand(args, environmentOf(folder));

  it('keep every write that was acknowledged before the backup began, and whole history up to some moment', async () => {
    const service = start('data');
    const url = await service.ready;
    const load = startLoad(url, await createBooks(url, 4), 8);
    await delay(800);
    const before = load.attempts.filter(({ revision }) => revision !== undefined);
    const backup = await runAsProcess(['backup', inRoot('backup')], environmentOf('data'));
    const during = load.attempts.length;
    expect(backup.status, backup.said).to.equal(0);
    await delay(200);
    // Requests are under way when it is killed.
    const stopped = load.stop().catch(() => undefined);
    service.child.kill('SIGKILL');
    await Promise.all([service.ended, stopped]);
    expect(before.length).to.be.greaterThan(20);
    expect(during).to.be.greaterThan(before.length);

    const restored = await runAsProcess(['restore', inRoot('backup')], environmentOf('elsewhere'));
    expect(restored.status, restored.said).to.equal(0);
    const events = await readAll(inRoot('elsewhere'));
    const original = await readAll(inRoot('data'));
    expect(backup.said).to.include(`${events.length.toLocaleString('en-US')} events`);
    expect(events.map(({ id }) => id)).to.deep.equal(original.slice(0, events.length).map(({ id }) => id));
    const byPlace = new Map(events.map((event) => [`${event.stream} ${String(event.revision)}`, event]));
    for (const { book, revision, amount } of before) {
      const event = byPlace.get(`priceBook-${book} ${String(revision)}`);
      expect(JSON.stringify(event?.data)).to.include(`"amount":${String(amount)}`);
    }

    const again = start('elsewhere');
    const there = await again.ready;
    const [first] = before;
    const found = await fetch(`${there}/v1/pricebooks/${first?.book ?? ''}/${first?.product ?? ''}/USD`, {
      headers: { 'x-api-key': TEST_KEY },
    });
    expect(found.status).to.equal(200);
    const verified = await runVerify(environmentOf('elsewhere'));
    expect(verified, verified.said).to.include({ status: 0 });
  }).timeout(60_000);

  it('replace nothing, and name what is in the way', async () => {
    const service = start('data');
    await service.ready;
    fs.mkdirSync(inRoot('full'));
    fs.writeFileSync(inRoot('full/something'), '');
    const backup = await command('data', 'backup', inRoot('full'));
    expect(backup.status).to.equal(1);
    expect(backup.said).to.include('is not empty: it has something');
    expect((await command('data', 'backup', inRoot('backup'))).status).to.equal(0);
    const restored = await command('data', 'restore', inRoot('backup'));
    expect(restored.status).to.equal(1);
    expect(restored.said).to.include('is not empty');
  }).timeout(60_000);

  it('refuse a store that is damaged, name its file, and leave nothing', async () => {
    const service = start('data');
    await createBooks(await service.ready, 5);
    expect((await command('data', 'backup', inRoot('backup'))).status).to.equal(0);
    service.child.kill('SIGTERM');
    await service.ended;
    for (const file of [inRoot('backup/events.db'), inRoot('data/events.db')]) {
      const content = fs.readFileSync(file);
      for (let at = content.indexOf('book 3'); at !== -1; at = content.indexOf('book 3', at + 1))
        content[at] = 0x42;
      fs.writeFileSync(file, content);
    }
    const restored = await command('elsewhere', 'restore', inRoot('backup'));
    expect(restored.status).to.equal(1);
    expect(restored.said).to.include('events.db');
    expect(restored.said).to.include('is not as it was written');
    expect(fs.readdirSync(inRoot('elsewhere'))).to.deep.equal(['serving.lock']);
    const verified = await runVerify(environmentOf('data'));
    expect(verified.status).to.equal(2);
    expect(verified.said).to.include('is not as it was written');
  }).timeout(60_000);

  it('name an event that was changed, its checksum with it, by the chain of hashes', async () => {
    const service = start('data');
    const [, book = ''] = await createBooks(await service.ready, 3);
    service.child.kill('SIGTERM');
    await service.ended;
    const database = new DatabaseSync(inRoot('data/events.db'));
    database.exec('DROP TRIGGER no_update');
    const stream = `priceBook-${book}`;
    const { position, id, type, data, metadata } = database
      .prepare('SELECT * FROM events WHERE stream = ? AND revision = 0')
      .get(stream) as Readonly<Record<string, string | number>>;
    const changed = String(metadata).replace(/"actor":"[^"]*"/, '"actor":"nobodys1"');
    const checksum = crc32(
      [position, stream, 0, id, type, data, changed].map((part) => String(part)).join(' '),
    );
    database
      .prepare('UPDATE events SET metadata = ?, checksum = ? WHERE position = ?')
      .run(changed, checksum, Number(position));
    database.close();

    const sentence = `broken chain: revision 0 of ${stream} does not match its hash: it was changed after it was written`;
    const backup = await command('data', 'backup', inRoot('backup'));
    expect(backup.status).to.equal(1);
    expect(backup.said).to.include(sentence).and.to.include('Backed up to');
    const restored = await command('restored', 'restore', inRoot('backup'));
    expect(restored.status).to.equal(1);
    expect(restored.said).to.include(sentence).and.to.include('Restored to');
  }).timeout(60_000);
});
