import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { succeed } from '@pricebook/contract-tests';
import { expect } from 'chai';
import { v4 } from 'uuid';
import { backupEvents, restoreEvents } from './backup';
import { openEmbeddedEventStore } from './event-store';
import { newFolder, removeFolder } from './testing/folder';

const APPEND_EVENTS = path.join(__dirname, 'testing', 'append-events.js');

describe('a backup', () => {
  it('is whole, however much is written while it is made', async () => {
    const folder = newFolder();
    const source = path.join(folder, 'source');
    fs.mkdirSync(source);
    const eventStore = openEmbeddedEventStore(source);
    const data = { padding: 'x'.repeat(512 * 1024) };
    for (let n = 0; n < 40; n += 1) {
      await succeed(
        eventStore.append(`priceBook-${v4()}`, 'noStream', [{ id: v4(), type: 'A', data, metadata: {} }]),
      );
    }
    await eventStore.close();
    const writer = spawn(process.execPath, [APPEND_EVENTS, source, '1000000', '1'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await once(writer.stdout, 'data');
      writer.stdout.resume();
      for (let n = 0; n < 3; n += 1) {
        const backup = path.join(folder, `backup-${String(n)}`);
        expect(backupEvents(source, backup).events).to.be.at.least(40);
      }
      expect(writer.exitCode).to.equal(null);
    } finally {
      writer.kill('SIGKILL');
      await once(writer, 'exit');
      removeFolder(folder);
    }
  }).timeout(60_000);
});

describe('a restore', () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(() => {
    removeFolder(folder);
  });

  it('brings back what the backup holds, from a disk that cannot be written as well', async () => {
    const inFolder = (name: string): string => path.join(folder, name);
    const eventStore = openEmbeddedEventStore(inFolder('source'));
    const event = { id: v4(), type: 'Appended', data: { n: 1 }, metadata: {} };
    await succeed(eventStore.append('priceBook-1', 'noStream', [event]));
    backupEvents(inFolder('source'), inFolder('backup'));
    await succeed(eventStore.append('priceBook-1', 0, [{ ...event, id: v4() }]));
    await eventStore.close();
    fs.chmodSync(inFolder('backup'), 0o500);
    expect(restoreEvents(inFolder('backup'), inFolder('target')).events).to.equal(1);
    fs.chmodSync(inFolder('backup'), 0o700);
    const restored = openEmbeddedEventStore(inFolder('target'));
    expect(restored.id).to.equal(eventStore.id);
    const [found] = await succeed(restored.readAll(undefined, 10));
    expect(found).to.deep.include(event);
    await restored.close();
  });

  it('replaces nothing', async () => {
    const source = path.join(folder, 'source');
    await openEmbeddedEventStore(source).close();
    expect(() => restoreEvents(source, source)).to.throw('is not empty: it has events.db');
  });
});
