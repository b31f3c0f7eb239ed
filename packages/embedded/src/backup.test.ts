import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { succeed } from '@pricebook/contract-tests';
import { expect } from 'chai';
import { v4 } from 'uuid';
import { backupEvents, FolderNotEmpty, restoreEvents } from './backup';
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
        expect((await backupEvents(source, backup)).events).to.be.at.least(40);
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

  it('replaces no events that a tool has written to the folder meanwhile', async () => {
    const [source, backup, target] = ['source', 'backup', 'target'].map((name) =>
      path.join(folder, name),
    ) as [string, string, string];
    fs.mkdirSync(source);
    const eventStore = openEmbeddedEventStore(source);
    const event = { id: v4(), type: 'Appended', data: {}, metadata: {} };
    await succeed(eventStore.append(`priceBook-${v4()}`, 'noStream', [event]));
    await eventStore.close();
    await backupEvents(source, backup);
    const restoring = restoreEvents(backup, target);
    const file = path.join(target, 'events.mdb');
    fs.writeFileSync(file, 'of a tool');
    const failure: unknown = await restoring.catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(FolderNotEmpty);
    expect(fs.readFileSync(file, 'utf8')).to.equal('of a tool');
    expect(fs.readdirSync(target)).to.have.members(['events.mdb', 'serving.lock']);
  });
});
